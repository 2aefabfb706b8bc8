"""Executes one call of the agent tool, and words the result for the model."""

from __future__ import annotations

from dataclasses import dataclass, replace

from keepsake.domain.agent.reply_texts import reply_text
from keepsake.domain.agent.validate_place import PlaceInput
from keepsake.domain.reading.commands import Command, Kind, recognize
from keepsake.errors import InvalidInput
from keepsake.infra.resources import Resources
from keepsake.usecases.agent.add_place import add_poi
from keepsake.usecases.agent.agent_session import AgentCall, ToolResult, agent_session
from keepsake.usecases.agent.document import get_memory
from keepsake.usecases.agent.write_facts import add_fact, deactivate_fact, forget_for, remember_for
from keepsake.usecases.commands.run_command import RECALLS, run_command

_NO_CONVERSATION = "conversation_id: a command needs the conversation that it is said in"
_NO_COMMAND = {
    True: "The person's message, whose own words count here, tells the memory nothing to do.",
    False: "This tells the memory nothing to do.",
}
"""By whether the message is saved."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """The arguments of a call; each operation has its own fields."""

    operation: str
    content: str | None = None
    fact_id: str | None = None
    subject: str | None = None
    place_id: str | None = None
    place_name: str | None = None
    notes: str | None = None
    only_this_persona: bool | None = None


async def execute_tool_call(resources: Resources, caller: AgentCall, call: ToolCall) -> ToolResult:
    """The result of a call, with its message for the model."""
    if call.operation == "command" and call.content is not None:
        done = await _command(resources, caller, call.content)
    else:
        done = await _execute(resources, caller, call)
    return replace(done, operation=call.operation)


async def _execute(resources: Resources, caller: AgentCall, call: ToolCall) -> ToolResult:
    done = await _change_or_read(resources, caller, call)
    return replace(done, message=reply_text(call.operation, done.status, done.reason, done.memories))


async def _change_or_read(resources: Resources, caller: AgentCall, call: ToolCall) -> ToolResult:
    is_persona_only = call.only_this_persona is True
    match call:
        case ToolCall(operation="add_fact", content=str(content)):
            return await add_fact(resources, caller, content, is_persona_only=is_persona_only)
        case ToolCall(operation="remember", content=str(content)):
            return await remember_for(resources, caller, content, is_persona_only=is_persona_only)
        case ToolCall(operation="deactivate_fact", fact_id=str(fact_id)):
            return await deactivate_fact(resources, caller, fact_id)
        case ToolCall(operation="forget"):
            return await forget_for(resources, caller, subject=call.subject, fact_id=call.fact_id)
        case ToolCall(operation="add_poi", place_id=str(place_id), place_name=str(name)):
            return await add_poi(resources, caller, PlaceInput(place_id, name, call.notes))
        case ToolCall(operation="get_memory"):
            return await get_memory(resources, caller)
        case _:
            raise InvalidInput("The request body is not valid.", details="operation: its fields are missing")


async def _command(resources: Resources, caller: AgentCall, content: str) -> ToolResult:
    """Run the command of the person's saved message; a command that an agent reports has the agent's authority."""
    turn = None
    if caller.conversation_id is not None:
        async with agent_session(resources, caller, changes=False) as session:
            turn = session.turn
    if turn is None:
        raise InvalidInput("The request body is not valid.", details=_NO_CONVERSATION)
    is_saved = turn.message_id is not None
    command = None if is_saved else recognize(content, turn.assistant_names)
    if command is not None and command.kind not in RECALLS:
        return await _run_for_agent(resources, caller, command)
    if not is_saved:
        turn = replace(turn, text=content)
    result = (
        await run_command(resources, turn, resources.clock.now(), shared=session.shared)
        if is_saved or command is not None
        else None
    )
    if result is None:
        return ToolResult("nothing", "not_a_command", message=_NO_COMMAND[is_saved])
    return ToolResult(result.status, None, session.show(result.memories), result.operation_id, message=result.message)


async def _run_for_agent(resources: Resources, caller: AgentCall, command: Command) -> ToolResult:
    """Run the command that an agent reports, as far as an agent may."""
    match command:
        case Command(kind=Kind.REMEMBER, statement=str(statement)):
            call = ToolCall("remember", content=statement, only_this_persona=command.is_persona_only)
        case Command(kind=Kind.FORGET_SUBJECT, subject=str(subject)):
            call = ToolCall("forget", subject=subject)
        case Command(kind=Kind.FORGET_ALL):
            call = ToolCall("forget")
        case _:
            return ToolResult("refused", "needs_message", message=reply_text("command", "refused", "needs_message"))
    return await _execute(resources, caller, call)
