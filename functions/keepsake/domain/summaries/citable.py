"""The numbered texts that a model writes a summary from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from keepsake.domain.text import hash_texts

_UNNAMED = frozenset({"said", "noted"})
"""Kinds that prompts need not name: no prompt has texts of both."""
_SHORT = 60
"""Characters below which a message may be a reply: "Yes, on Tuesday"."""


@dataclass(frozen=True, slots=True)
class Citable:
    """A text that a sentence may rest on: a message, or what was written or remembered of several."""

    text: str
    day: str = ""
    """When it was said, in words: "Tuesday 2 March 2027"."""
    on: date | None = None
    kind: str = "said"
    answer: str = ""
    """The end of the assistant's answer, which says what the next message is about and is no source."""
    message_ids: tuple[UUID, ...] = ()
    memory_ids: tuple[UUID, ...] = ()
    row_id: UUID | None = None
    """The row that the text is; None for a message or memory, which is named above."""
    time: str = ""
    """The time of day, on a clock of 24 hours: "08:15"."""

    @property
    def source_id(self) -> UUID | None:
        """The row, message or memory that the text is."""
        return self.row_id or next(iter((*self.message_ids, *self.memory_ids)), None)

    @property
    def when(self) -> str:
        """The day and the time, as far as they are known."""
        return f"{self.day} {self.time}".strip()


def show_texts(texts: Mapping[int, Citable]) -> list[dict[str, Any]]:
    """Numbered texts as a prompt shows them: the day where it changes, an answer where the next message needs it."""
    shown = []
    before: Citable | None = None
    for (number, one), after in zip(texts.items(), [*list(texts.values())[1:], None], strict=True):
        is_same_day = before is not None and (one.kind, one.day) == (before.kind, before.day)
        fields = {
            "n": number,
            "kind": "" if one.kind in _UNNAMED else one.kind,
            "day": "" if is_same_day else one.day,
            "time": one.time,
            "text": one.text,
            "answered": one.answer if after is not None and _needs_answer(after, one) else "",
        }
        shown.append({name: value for name, value in fields.items() if value})
        before = one
    return shown


def _needs_answer(message: Citable, before: Citable) -> bool:
    """Whether a message may say little without the answer to the one before, which asks, or because it is short."""
    has_question = before.answer.rstrip().endswith("?") or len(message.text) < _SHORT
    return has_question and (message.kind, message.day) == (before.kind, before.day)


def message_ids_of(texts: Iterable[Citable]) -> list[UUID]:
    """The messages that texts are or rest on, each once."""
    return list(dict.fromkeys(message_id for one in texts for message_id in one.message_ids))


def memory_ids_of(texts: Iterable[Citable]) -> list[UUID]:
    """The memories whose words may occur in texts, each once."""
    return list(dict.fromkeys(memory_id for one in texts for memory_id in one.memory_ids))


def hash_citable(texts: Iterable[Citable]) -> str:
    """The same for the same texts of the same days."""
    return hash_texts([f"{one.kind} {one.when}: {one.text}" for one in texts])
