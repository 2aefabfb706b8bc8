"""The outline of a summary: its sentences, and beside each item the statement that it makes.

A summary that is written without a model is stored with its outline, so that a context can leave out what it says
elsewhere and write the rest again. What a model wrote has none: it is one sentence, and stays or goes as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any, Self

from keepsake.domain.context.summary_ref import SummaryRef
from keepsake.domain.english.join_predicates import end_sentences, enumerate_items, join_predicates
from keepsake.domain.text import leading_sentences

_ATTEMPTS = (12, 8, 5, 3, 2, 1)
"""Items of each sentence that are tried until a text is short enough."""


class Role(StrEnum):
    """What the items of a sentence say."""

    CURRENT = "current"
    """What is so, was felt or is planned."""
    CHANGED = "changed"
    """What is so, and what was so before: only here is that said."""
    OVER = "over"
    """What is no longer so."""
    NAMES = "names"
    """Whom the other sentences are about: without them the names say nothing."""


class Joint(StrEnum):
    """What stands between the items of a sentence."""

    SEMICOLONS = "semicolons"
    AND = "and"


@dataclass(frozen=True, slots=True)
class Item:
    """An item as its sentence has it ("wants to learn Greek"), and the statement it makes ("Wants to learn Greek")."""

    text: str
    statement: str = ""
    importance: int = 0


@dataclass(frozen=True, slots=True)
class Sentence:
    """An opening ("Spoke of:") and its items, or an opening alone; ``more`` is the number of items left out.

    Without an opening the items make sentences: those that ``AND`` joins are said of one person ("has a dog"), others
    are whole clauses ("Anna is a nurse").
    """

    opening: str
    items: Sequence[Item] = ()
    role: Role = Role.CURRENT
    joint: Joint = Joint.SEMICOLONS
    more: int = 0

    @property
    def text(self) -> str:
        """The sentence as it is read; empty where it says nothing."""
        if not self.items:
            return self.opening
        texts = [one.text for one in self.items]
        if not self.opening:
            body = join_predicates(texts) if self.joint is Joint.AND else end_sentences(texts)
            return f"{body} And {self.more} more." if self.more else body
        if self.joint is Joint.SEMICOLONS:
            listed = "; ".join([*texts, f"and {self.more} more"] if self.more else texts)
        else:
            listed = enumerate_items([*texts, f"{self.more} more"] if self.more else texts)
        return f"{self.opening} {listed}."

    def shortened(self, max_items: int) -> Self:
        """The sentence with its most important items, in their order."""
        ranked = sorted(range(len(self.items)), key=lambda index: -self.items[index].importance)[:max_items]
        kept = [self.items[index] for index in sorted(ranked)]
        return replace(self, items=kept, more=self.more + len(self.items) - len(kept))


@dataclass(frozen=True, slots=True)
class Outline:
    """The sentences of a summary, or of a part of it that has a heading ("Monday 5 October:")."""

    sentences: Sequence[Sentence] = ()
    heading: str = ""
    parts: Sequence[Outline] = ()
    refs: tuple[SummaryRef, ...] = ()
    """The rows from which it was read."""

    @classmethod
    def of_text(cls, text: str) -> Self:
        """The outline of a text whose items are not known: one sentence."""
        return cls([Sentence(text)] if text else [])

    @classmethod
    def read(cls, stored: Mapping[str, Any]) -> Self:
        """The outline in its stored form."""
        sentences = [
            Sentence(
                one["opening"],
                [Item(**item) for item in one["items"]],
                Role(one["role"]),
                Joint(one["joint"]),
                one["more"],
            )
            for one in stored["sentences"]
        ]
        return cls(sentences, stored["heading"], [cls.read(part) for part in stored["parts"]])

    @property
    def stored(self) -> dict[str, Any]:
        """The form in which it is stored beside its text."""
        return {
            "sentences": [asdict(one) for one in self.sentences],
            "heading": self.heading,
            "parts": [part.stored for part in self.parts],
        }

    @property
    def all_refs(self) -> tuple[SummaryRef, ...]:
        """The rows from which it and its parts were read, each once."""
        own = self.refs if self.text else ()
        return tuple(dict.fromkeys([*own, *(ref for part in self.parts for ref in part.all_refs)]))

    @property
    def text(self) -> str:
        """What is read of it; empty where it says nothing."""
        body = " ".join(filter(None, (*(one.text for one in self.sentences), *(part.text for part in self.parts))))
        return f"{self.heading} {body}" if self.heading and body else body

    @property
    def all_sentences(self) -> Sequence[Sentence]:
        """Its sentences and those of its parts."""
        return [*self.sentences, *(one for part in self.parts for one in part.all_sentences)]

    @property
    def all_items(self) -> Sequence[Item]:
        """The items of its sentences and of those of its parts."""
        return [item for one in self.all_sentences for item in one.items]

    def within(self, limit: int) -> Outline | None:
        """The outline with as many items in each sentence as fit into ``limit`` characters; None where none do."""
        shortened = (self.shortened(max_items) for max_items in _ATTEMPTS)
        return next((one for one in shortened if len(one.text) <= limit), None)

    def leading(self, max_sentences: int) -> Outline:
        """The outline with this many sentences at most, and as many of each part."""
        kept: list[Sentence] = []
        for one in self.sentences:
            if len(kept) < max_sentences:
                opening = one.opening if one.items else leading_sentences(one.opening, max_sentences - len(kept))
                kept.append(replace(one, opening=opening))
        return replace(self, sentences=kept, parts=[part.leading(max_sentences) for part in self.parts])

    def shortened(self, max_items: int) -> Outline:
        """The outline with this many items in each sentence at most."""
        return replace(
            self,
            sentences=[one.shortened(max_items) for one in self.sentences],
            parts=[part.shortened(max_items) for part in self.parts],
        )
