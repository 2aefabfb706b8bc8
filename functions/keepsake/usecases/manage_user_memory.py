"""One call of the agent tool, whichever way it came: carried out, and told in a sentence."""

from __future__ import annotations

from dataclasses import dataclass, replace

from keepsake.domain.agent.places import PlaceInput
from keepsake.domain.agent.replies import reply_text
from keepsake.domain.commands import Command, Kind
from keepsake.domain.commands.recognize import recognize
from keepsake.errors import InvalidInput
from keepsake.infra.resources import Resources
from keepsake.usecases.agent.document import get_memory
from keepsake.usecases.agent.facts import add_fact, deactivate_fact, forget_for, remember_for
from keepsake.usecases.agent.own_words import saying_of
from keepsake.usecases.agent.places import add_poi
from keepsake.usecases.agent.result import Managed
from keepsake.usecases.agent.session import Agent, acting
from keepsake.usecases.commands.run_command import obey

_WHERE = "conversation_id: a command needs the conversation that it is said in"
_READING = (Kind.RECALL_ALL, Kind.RECALL_SUBJECT)
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


async def carry_out(resources: Resources, agent: Agent, call: ToolCall) -> tuple[Managed, str]:
    """What came of a call, and the sentence that says it."""
    if call.operation == "command" and call.content is not None:
        return await _obey(resources, agent, call.content)
    done = await _carry_out(resources, agent, call)
    return done, reply_text(call.operation, done.status, done.reason, done.memories)


async def _carry_out(resources: Resources, agent: Agent, call: ToolCall) -> Managed:
    is_persona_only = call.only_this_persona is True
    match call:
        case ToolCall(operation="add_fact", content=str(content)):
            return await add_fact(resources, agent, content, is_persona_only=is_persona_only)
        case ToolCall(operation="remember", content=str(content)):
            return await remember_for(resources, agent, content, is_persona_only=is_persona_only)
        case ToolCall(operation="deactivate_fact", fact_id=str(fact_id)):
            return await deactivate_fact(resources, agent, fact_id)
        case ToolCall(operation="forget"):
            return await forget_for(resources, agent, subject=call.subject, fact_id=call.fact_id)
        case ToolCall(operation="add_poi", place_id=str(place_id), place_name=str(name)):
            return await add_poi(resources, agent, PlaceInput(place_id, name, call.notes))
        case ToolCall(operation="get_memory"):
            return await get_memory(resources, agent)
        case _:
            raise InvalidInput("The request body is not valid.", details="operation: its fields are missing")


async def _obey(resources: Resources, agent: Agent, content: str) -> tuple[Managed, str]:
    """Carry out the command of the person's saved message; what an agent says they said, it does on its own word."""
    if agent.conversation_id is None:
        raise InvalidInput("The request body is not valid.", details=_WHERE)
    async with acting(resources, agent, changes=False) as at:
        asked = at.asked
    if asked is None:
        raise InvalidInput("The request body is not valid.", details=_WHERE)
    saved = asked.message_id is not None
    command = None if saved else recognize(content)
    if command is not None and command.kind not in _READING:
        return await _on_its_word(resources, agent, command)
    saying = saying_of(asked if saved else replace(asked, facts=replace(asked.facts, text=content)))
    result = await obey(resources, saying, resources.clock.now()) if saved or command is not None else None
    if result is None:
        return Managed("nothing", "not_a_command"), _NO_COMMAND[saved]
    done = Managed(result.status, None, result.memories, result.operation_id)
    return done, result.message


async def _on_its_word(resources: Resources, agent: Agent, command: Command) -> tuple[Managed, str]:
    """Do what an agent says the person commands, as far as an agent may."""
    match command:
        case Command(kind=Kind.REMEMBER, statement=str(statement)):
            call = ToolCall("remember", content=statement, only_this_persona=command.is_persona_only)
            done = await _carry_out(resources, agent, call)
        case Command(kind=Kind.FORGET_SUBJECT, subject=str(subject)):
            call = ToolCall("forget", subject=subject)
            done = await _carry_out(resources, agent, call)
        case Command(kind=Kind.FORGET_ALL):
            call = ToolCall("forget")
            done = await _carry_out(resources, agent, call)
        case _:
            call, done = ToolCall("command"), Managed("refused", "needs_message")
    return done, reply_text(call.operation, done.status, done.reason, done.memories)
