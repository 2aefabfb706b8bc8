"""The words of the chat commands: what a person may tell their memory to do, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal
from uuid import UUID

from keepsake.domain.memory import Memory


class Kind(StrEnum):
    """What a command asks for."""

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


@dataclass(frozen=True, slots=True)
class Command:
    """What a message tells the memory to do.

    ``subject`` is what to forget or recall, ``statement`` what to remember, both in the person's own words.
    ``this_turn`` means that it speaks of the very message it stands in, else of what was said before it.
    ``weak`` words are also said to other ends ("scrap that"): they count only where the turn before was remembered.
    ``only_here`` keeps what is remembered to this conversation's persona; ``confirmed`` answers what was asked back.
    """

    kind: Kind
    subject: str | None = None
    statement: str | None = None
    refers_to_itself: bool = False
    is_ambiguous: bool = False
    is_persona_only: bool = False
    is_confirmation: bool = False


Status = Literal["done", "nothing", "which", "confirm", "pending", "refused", "paused", "unavailable", "limited"]
"""How a command ended: carried out; nothing to do it to; asked back, which or whether; waiting for the person's answer
to what an agent asks; or not allowed."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a command: the memories it touched (or found), and the operation that undoes it."""

    status: Status
    memories: tuple[Memory, ...] = ()
    operation_id: UUID | None = None
    reason: str | None = None
    """A stable word for what stood in the way."""
    cancelled: UUID | None = None
    """The message whose turn will not be remembered, because it was waiting to be looked at."""
    total: int | None = None
    """How many memories there were, where not all are named."""

    @property
    def count(self) -> int:
        """How many memories the command touched or found."""
        return len(self.memories) if self.total is None else self.total


@dataclass(frozen=True, slots=True)
class CommandResult:
    """An outcome as it is told: ``message`` is a sentence for the assistant to go by."""

    kind: Kind
    status: Status
    message: str
    memories: tuple[Memory, ...] = ()
    operation_id: UUID | None = None
