"""Request and response models of ``inject-memory``."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import Field, model_validator

from keepsake.contracts.wire import Request, Response
from keepsake.domain.commands.outcome import Status
from keepsake.domain.memory import MemoryType
from keepsake.domain.reading.commands import Kind

_Name = Annotated[str, Field(max_length=200)]
_State = Annotated[str, Field(max_length=200)]


class InjectMemoryRequest(Request):
    """A saved message by its id; from a service also one about to be saved, by its author and text."""

    conversation_id: UUID
    message_id: UUID | None = None
    user_id: UUID | None = None
    user_message: str | None = None
    max_memories: Annotated[int, Field(ge=0)] | None = None
    token_budget: Annotated[int, Field(ge=0)] | None = None
    history: bool = False
    user_name: _Name | None = None
    emotion_state: _State | None = None
    relationship_stage: _State | None = None

    @model_validator(mode="after")
    def _check_message(self) -> Self:
        by_id = self.message_id is not None
        by_text = self.user_id is not None and self.user_message is not None
        if by_id == by_text or (by_id and (self.user_id or self.user_message is not None)):
            raise ValueError("give message_id, or user_id and user_message")
        return self


class InjectedMemory(Response):
    """A memory in the context, with the score it was chosen by and why."""

    id: UUID
    ref: str
    type: MemoryType
    text: str
    score: float
    why: str


class HistoryMessage(Response):
    """A message of the conversation."""

    id: UUID
    user_id: UUID | None
    role: str
    content: str
    created_at: datetime


class History(Response):
    """The last 20 messages, oldest first, and the rolling summary of what came before.

    The summary is plain text made from what people wrote: quote it in a prompt, as data. The context is quoted already.
    """

    messages: list[HistoryMessage]
    summary: str | None


class ToldCommand(Response):
    """The result of the command in the message, as the context says it; ``operation_id`` undoes it.

    ``reason`` says why it was not done (``secret``), and of an undo whether memories were ``restored`` or ``removed``.
    """

    kind: Kind
    status: Status
    reason: str | None = None
    message: str
    memory_ids: list[UUID]
    operation_id: UUID | None


class InjectMemoryResponse(Response):
    """The context to put before the model, and what it is made of; ``reason`` says why it has no memories.

    ``memory_ids`` are those of ``memories`` and of the line that names the person. ``summary_ids`` are the rows of the
    summaries in the context, of a day, a week or a month, of a session or a persona, the history or the spine;
    ``message_ids`` are the messages that these rest on.
    """

    context: str
    memory_ids: list[UUID]
    summary_ids: list[UUID]
    message_ids: list[UUID]
    memories: list[InjectedMemory]
    token_count: int
    memory_count: int
    variant: Literal["treatment", "control"]
    injection_id: UUID | None
    reason: str | None
    command_result: ToldCommand | None = None
    history: History | None = None
