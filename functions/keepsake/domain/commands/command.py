"""The values of chat commands: a command and its outcome."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal
from uuid import UUID

from keepsake.domain.memory import Memory


class Kind(StrEnum):
    """The kind of a command."""

    RECALL_ALL = "recall_all"
    RECALL_SUBJECT = "recall_subject"
    FORGET_LAST = "forget_last"
    FORGET_SUBJECT = "forget_subject"
    FORGET_ALL = "forget_all"
    DO_NOT_REMEMBER = "do_not_remember"
    REMEMBER = "remember"
    UNDO_LAST = "undo_last"
    ACCEPT_REQUEST = "accept_request"
    REJECT_REQUEST = "reject_request"
    PAUSE = "pause"
    RESUME = "resume"


@dataclass(frozen=True, slots=True)
class Command:
    """A chat command.

    ``subject`` is what to forget or recall, ``statement`` what to remember, both in the person's own words.
    ``refers_to_itself`` means that it is about the message it is part of, and not about the message before.
    ``is_ambiguous`` words may be no command ("scrap that"): they count only where the turn before became a memory, or
    where there is a memory that they name ("forget pizza").
    ``is_persona_only`` keeps the memory to this conversation's persona; ``is_confirmation`` is a "yes" to a question.
    ``language`` is that of the command, and so of its statement.
    """

    kind: Kind
    subject: str | None = None
    statement: str | None = None
    refers_to_itself: bool = False
    is_ambiguous: bool = False
    is_persona_only: bool = False
    is_confirmation: bool = False
    language: str = "en"


Status = Literal["done", "nothing", "which", "confirm", "pending", "refused", "paused", "unavailable", "limited"]
"""How a command ended: done; nothing found; a question back, which or whether; pending until the person answers an
agent's request; or not allowed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a command: the memories it changed or found, and the operation that can be undone."""

    status: Status
    memories: tuple[Memory, ...] = ()
    operation_id: UUID | None = None
    reason: str | None = None
    """A stable word for why it was not done; of an undo ``restored`` or ``removed``."""
    cancelled: UUID | None = None
    """The message whose pending extraction was cancelled."""
    total: int | None = None
    """How many memories there were, where not all are listed."""

    @property
    def count(self) -> int:
        """How many memories the command changed or found."""
        return len(self.memories) if self.total is None else self.total


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The outcome for the assistant: ``message`` is a sentence it can use."""

    kind: Kind
    status: Status
    message: str
    memories: tuple[Memory, ...] = ()
    operation_id: UUID | None = None
    reason: str | None = None
