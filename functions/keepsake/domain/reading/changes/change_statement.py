"""A clause that may change stored memories, as a value, and the memories that a pronoun in it may stand for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import UUID

from keepsake.domain.memory import Memory
from keepsake.domain.reading.clauses.split_clauses import Clause

OURS = "our"
_TOGETHER = "me and "
_REFERS_BACK_WITHIN = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class ChangeStatement:
    """A clause or sentence, and what it may say about stored memories."""

    clause: Clause
    last: tuple[UUID, ...] = ()
    """The memories of the message before, which a pronoun may stand for."""
    denied: str = ""
    """What the author denies of what the assistant says of them."""
    birth: str = ""
    """Whose child the clause says was born: ``OURS`` for the author and the partner, or the words for the mother."""
    taken_back: tuple[UUID, ...] = ()
    """Memories of the message before that were a joke."""
    parts: Mapping[str, float] = field(default_factory=dict)
    """The parts of the author's life that may have changed, as a classifier reads the sentence, with probabilities."""


def first_name(said: str) -> tuple[int, str]:
    """The first word of a clause, or that after "me and", as a name is written, after where it begins.

    "Leo's tooth fell out" has ``(0, "Leo")``.
    """
    start = len(_TOGETHER) if said.casefold().startswith(_TOGETHER) else 0
    return start, said[start:].partition(" ")[0].removesuffix("'s")


def memories_of_previous_message(recent: Sequence[Memory], said_at: datetime) -> list[Memory]:
    """The memories that were said last, where that was not long ago; ``recent`` has the newest first."""
    last = [memory for memory in recent if memory.last_said_at == recent[0].last_said_at]
    return last if last and said_at - last[0].last_said_at <= _REFERS_BACK_WITHIN else []
