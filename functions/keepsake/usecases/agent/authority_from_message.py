"""The person's own saved message, which a call can name: only that gives an agent the person's authority."""

from __future__ import annotations

from collections.abc import Collection

from keepsake.domain.consent.guard import guard_extraction
from keepsake.domain.consent.turn_context import TurnContext
from keepsake.domain.memory import Candidate
from keepsake.domain.reading.commands import Kind, recognize
from keepsake.domain.reading.statements import extract
from keepsake.domain.text import truncate_at_sentence
from keepsake.infra.resources import Resources
from keepsake.usecases.agent.agent_session import AgentCall, ToolResult, agent_session
from keepsake.usecases.commands.run_command import run_command

FORGET_COMMANDS = frozenset({Kind.FORGET_LAST, Kind.FORGET_SUBJECT, Kind.FORGET_ALL, Kind.DO_NOT_REMEMBER})
REMEMBER_COMMANDS = frozenset({Kind.REMEMBER})


async def run_own_command(resources: Resources, call: AgentCall, kinds: Collection[Kind]) -> ToolResult | None:
    """Run the command of the named message, if it is one of these kinds; once, whoever comes first."""
    if call.message_id is None:
        return None
    async with agent_session(resources, call, changes=False) as session:
        turn = session.turn
    command = recognize(turn.text, turn.assistant_names) if turn is not None else None
    if turn is None or command is None or command.kind not in kinds:
        return None
    result = await run_command(resources, turn, resources.clock.now(), shared=session.shared)
    if result is None:
        return None
    return ToolResult(result.status, None, session.show(result.memories), result.operation_id)


async def own_statements(resources: Resources, message: TurnContext) -> list[Candidate]:
    """What the rules find in the named message; nothing where it may not become memories."""
    if guard_extraction(message) is not None:
        return []
    text, _ = truncate_at_sentence(message.text)
    return await resources.readers.run_or([], extract, text)
