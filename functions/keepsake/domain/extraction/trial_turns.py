"""The fixed turns with which a model is tried, and what a person would note of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any
from uuid import UUID

from keepsake.domain.english.patterns.pattern_file import read_toml
from keepsake.domain.memory import Memory, MemoryType, Source, Status, Subtype

SAID_AT = datetime(2026, 3, 5, 18, 30, tzinfo=UTC)
"""When all turns of the trial were said: a Thursday."""


@dataclass(frozen=True, slots=True)
class Note:
    """Something that may or must be noted: the words it has, whom it is about, and what it does to which memory."""

    words: tuple[str, ...]
    about: str = "self"
    number: int | None = None
    relations: tuple[str, ...] = ()
    """The relations to that memory that are right; none is any."""


@dataclass(frozen=True, slots=True)
class TrialTurn:
    """A turn, what must be noted of it, and what may be noted beside it."""

    kind: str
    message: str
    assistant: str | None
    known: tuple[Memory, ...]
    expected: tuple[Note, ...]
    allowed: tuple[Note, ...]


@cache
def trial_turns() -> tuple[TrialTurn, ...]:
    """The turns, in the order of the file."""
    return tuple(map(_turn, read_toml("data/trial_turns.toml", __package__)["turn"]))


def _turn(row: Mapping[str, Any]) -> TrialTurn:
    return TrialTurn(
        row["kind"],
        row["message"],
        row.get("assistant"),
        tuple(_memory(number, text) for number, text in enumerate(row.get("known", ()), 1)),
        tuple(map(_note, row.get("expect", ()))),
        tuple(map(_note, row.get("allow", ()))),
    )


def _note(row: Mapping[str, Any] | Sequence[str]) -> Note:
    if not isinstance(row, Mapping):
        return Note(tuple(row), about="any")
    return Note(tuple(row["words"]), row.get("about", "self"), row.get("number"), tuple(row.get("relations", ())))


def _memory(number: int, text: str) -> Memory:
    return Memory(
        id=UUID(int=number),
        memory_no=number,
        type=MemoryType.FACT,
        subtype=Subtype.OTHER,
        text=text,
        confidence=0.9,
        importance=1,
        pinned=False,
        source=Source.LLM_EXTRACTION,
        status=Status.ACTIVE,
        reference_count=0,
        created_at=SAID_AT.replace(month=1),
        valid_from=SAID_AT.replace(month=1),
    )
