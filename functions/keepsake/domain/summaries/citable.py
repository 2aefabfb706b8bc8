"""The numbered texts that a model writes a summary from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any
from uuid import UUID

from keepsake.domain.text import hash_texts


@dataclass(frozen=True, slots=True)
class Citable:
    """A text that a sentence may rest on: a message, or what was written or remembered of several."""

    text: str
    day: str = ""
    """When it was said, in words: "Tuesday 2 March 2027 08:15"."""
    on: date | None = None
    kind: str = "said"
    answer: str = ""
    """The end of the assistant's answer, which says what the message is about and is no source."""
    message_ids: tuple[UUID, ...] = ()
    memory_ids: tuple[UUID, ...] = ()
    row_id: UUID | None = None
    """The row that the text is; None for a message or memory, which is named above."""

    @property
    def source_id(self) -> UUID | None:
        """The row, message or memory that the text is."""
        return self.row_id or next(iter((*self.message_ids, *self.memory_ids)), None)

    def data(self, number: int) -> dict[str, Any]:
        """The text as the prompt shows it."""
        shown: dict[str, Any] = {"n": number}
        if self.kind != "said":
            shown["kind"] = self.kind
        if self.day:
            shown["day"] = self.day
        shown["text"] = self.text
        return shown | ({"answered": self.answer} if self.answer else {})


def message_ids_of(texts: Iterable[Citable]) -> list[UUID]:
    """The messages that texts are or rest on, each once."""
    return list(dict.fromkeys(message_id for one in texts for message_id in one.message_ids))


def memory_ids_of(texts: Iterable[Citable]) -> list[UUID]:
    """The memories whose words may occur in texts, each once."""
    return list(dict.fromkeys(memory_id for one in texts for memory_id in one.memory_ids))


def hash_citable(texts: Iterable[Citable]) -> str:
    """The same for the same texts of the same days."""
    return hash_texts([f"{one.kind} {one.day}: {one.text}" for one in texts])
