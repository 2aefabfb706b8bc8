"""The sentences and items of a summary that a model wrote, and the texts that each rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from keepsake.domain.summaries.citable import Citable


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


def sources_of(content: Content) -> list[Citable]:
    """The texts that a summary rests on."""
    return [source for sentences in content.values() for sentence in sentences for source in sentence.sources]
