"""``inject-memory``: returns the context that a model gets before it answers a message."""

from __future__ import annotations

from keepsake.contracts.inject_memory import (
    History,
    InjectedMemory,
    InjectMemoryRequest,
    InjectMemoryResponse,
    ToldCommand,
)
from keepsake.domain.commands.outcome import CommandResult
from keepsake.endpoints._declaration import Call
from keepsake.endpoints._handler import endpoint
from keepsake.errors import InvalidInput
from keepsake.identity import Caller
from keepsake.usecases.inject_memory import ContextRequest, Injected
from keepsake.usecases.inject_memory import inject_memory as inject


@endpoint(
    callers=(Caller.SERVICE, Caller.PERSON),
    request=InjectMemoryRequest,
    responses={200: InjectMemoryResponse},
    reads_messages=True,
)
async def inject_memory(call: Call[InjectMemoryRequest]) -> InjectMemoryResponse:
    """Select the memories a message needs and render them; a person may ask for their own messages."""
    if call.person is not None and call.body.message_id is None:
        raise InvalidInput("Only a service may give user_id and user_message.", details="message_id: Field required")
    return _response(await inject(call.resources, ContextRequest(**call.body.model_dump()), person=call.person))


def _command_result(command: CommandResult | None) -> ToldCommand | None:
    if command is None:
        return None
    return ToldCommand(
        kind=command.kind,
        status=command.status,
        reason=command.reason,
        message=command.message,
        memory_ids=[memory.id for memory in command.memories],
        operation_id=command.operation_id,
    )


def _response(injected: Injected) -> InjectMemoryResponse:
    memories = [
        InjectedMemory(
            id=chosen.memory.id,
            ref=chosen.memory.ref,
            type=chosen.memory.type,
            text=chosen.memory.text,
            score=round(chosen.score, 6),
            why=chosen.why,
        )
        for chosen in injected.chosen
    ]
    return InjectMemoryResponse(
        context=injected.context,
        memory_ids=list(injected.memory_ids),
        summary_ids=list(injected.summary_ids),
        message_ids=list(injected.message_ids),
        memories=memories,
        token_count=injected.token_count,
        memory_count=len(memories),
        variant=injected.variant,
        injection_id=injected.injection_id,
        reason=injected.reason,
        command_result=_command_result(injected.command),
        history=History.model_validate(injected.history) if injected.history else None,
    )
