"""The numbered texts that a model writes a summary from, and the sentences of its reply with what each rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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


@dataclass(frozen=True, slots=True)
class CitedText:
    """A sentence or an item of a list, and the texts that it rests on."""

    text: str
    sources: tuple[Citable, ...] = ()


Content = Mapping[str, Sequence[CitedText]]
"""The sentences of the texts of a summary, and the items of its lists, by the names of their fields."""


def text_of(content: Content, name: str) -> str:
    """The sentences of a text, one after another."""
    return " ".join(one.text for one in content.get(name, ()))


def items_of(content: Content, name: str) -> list[str]:
    """The items of a list, each once."""
    return list(dict.fromkeys(one.text for one in content.get(name, ())))


def cited_messages(content: Content) -> list[UUID]:
    """The messages that a summary rests on, each once."""
    return list(dict.fromkeys(message_id for one in _cited(content) for message_id in one.message_ids))


def cited_memories(content: Content) -> list[UUID]:
    """The memories whose words may occur in a summary, each once."""
    return list(dict.fromkeys(memory_id for one in _cited(content) for memory_id in one.memory_ids))


def hash_citable(texts: Iterable[Citable]) -> str:
    """The same for the same texts of the same days."""
    return hash_texts([f"{one.kind} {one.day}: {one.text}" for one in texts])


def _cited(content: Content) -> list[Citable]:
    return [source for sentences in content.values() for sentence in sentences for source in sentence.sources]
