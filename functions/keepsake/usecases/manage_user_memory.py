"""One call of the agent tool, whichever way it came: carried out, and told in a sentence."""

from __future__ import annotations

from dataclasses import dataclass, replace

from keepsake.domain.agent.places import PlaceGiven
from keepsake.domain.agent.replies import told
from keepsake.errors import InvalidInput
from keepsake.infra.resources import Resources
from keepsake.usecases.agent.document import get_memory
from keepsake.usecases.agent.facts import add_fact, deactivate_fact, forget_for, remember_for
from keepsake.usecases.agent.places import add_poi
from keepsake.usecases.agent.result import Managed
from keepsake.usecases.agent.session import Agent, acting
from keepsake.usecases.commands.run_command import Saying, obey

_WHERE = "conversation_id: a command needs the conversation that it is said in"
_NO_COMMAND = {
    True: "The person's message, whose own words count here, tells the memory nothing to do.",
    False: "This tells the memory nothing to do.",
}
"""By whether the message is saved."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """What a model filled in; each operation has its own fields."""

    operation: str
    content: str | None = None
    fact_id: str | None = None
    subject: str | None = None
    place_id: str | None = None
    place_name: str | None = None
    notes: str | None = None
    only_this_persona: bool | None = None


async def carry_out(use: Resources, agent: Agent, call: ToolCall) -> tuple[Managed, str]:
    """What came of a call, and the sentence that says it."""
    if call.operation == "command" and call.content is not None:
        return await _obey(use, agent, call.content)
    done = await _carry_out(use, agent, call)
    return done, told(call.operation, done.status, done.reason, done.memories)


async def _carry_out(use: Resources, agent: Agent, call: ToolCall) -> Managed:
    only_here = call.only_this_persona is True
    match call:
        case ToolCall(operation="add_fact", content=str(content)):
            return await add_fact(use, agent, content, only_here=only_here)
        case ToolCall(operation="remember", content=str(content)):
            return await remember_for(use, agent, content, only_here=only_here)
        case ToolCall(operation="deactivate_fact", fact_id=str(fact_id)):
            return await deactivate_fact(use, agent, fact_id)
        case ToolCall(operation="forget"):
            return await forget_for(use, agent, subject=call.subject, fact_id=call.fact_id)
        case ToolCall(operation="add_poi", place_id=str(place_id), place_name=str(name)):
            return await add_poi(use, agent, PlaceGiven(place_id, name, call.notes))
        case ToolCall(operation="get_memory"):
            return await get_memory(use, agent)
        case _:
            raise InvalidInput("The request body is not valid.", details="operation: its fields are missing")


async def _obey(use: Resources, agent: Agent, content: str) -> tuple[Managed, str]:
    """Carry out what the person told their memory; the words of a saved message are read where they are saved."""
    if agent.conversation_id is None:
        raise InvalidInput("The request body is not valid.", details=_WHERE)
    async with acting(use, agent, changes=False) as at:
        asked = at.asked
    if asked is None:
        raise InvalidInput("The request body is not valid.", details=_WHERE)
    facts = asked.facts if asked.message_id is not None else replace(asked.facts, text=content)
    saying = Saying(
        facts,
        asked.conversation_id,
        asked.message_id,
        asked.persona_id,
        asked.allowed_types,
        shared=asked.shared,
        timezone=asked.timezone,
    )
    result = await obey(use, saying, use.clock.now())
    if result is None:
        return Managed("nothing", "not_a_command"), _NO_COMMAND[asked.message_id is not None]
    done = Managed(result.status, None, result.memories, result.operation_id)
    return done, result.message
