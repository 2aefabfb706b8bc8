"""A chat command, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


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

    ``subject`` is what to forget or recall, ``statement`` what to remember, both in the person's own words; ``said`` is
    all that the message tells, the statement and what stands beside the request to remember it.
    ``refers_to_itself`` means that it is about the message it is part of, and not about the message before.
    ``is_ambiguous`` words may be no command ("scrap that"): they count only where the turn before became a memory, or
    where there is a memory that they name ("forget pizza"); else their message is read as any other.
    ``is_persona_only`` keeps the memory to this conversation's persona; ``is_confirmation`` is a "yes" to a question.
    """

    kind: Kind
    subject: str | None = None
    statement: str | None = None
    said: str = ""
    refers_to_itself: bool = False
    is_ambiguous: bool = False
    is_persona_only: bool = False
    is_confirmation: bool = False
