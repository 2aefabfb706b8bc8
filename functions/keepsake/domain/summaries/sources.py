"""What a summary is written from: what was said in a period, what was remembered of it, and the summaries beneath."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from keepsake.domain.astrology.transits import Influence, Transit
from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.merging.added_detail import adds_detail
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.said import SaidMessage, readable
from keepsake.domain.summaries.summary_words import SummaryWords, words_for

_SELF = "person:self"


@dataclass(frozen=True, slots=True)
class SourceMemory:
    """A memory with the local date on which the person said it."""

    id: UUID
    type: MemoryType
    subtype: Subtype
    text: str
    day: date
    importance: int = 1
    entity_label: str | None = None
    entity_refs: tuple[str, ...] = ()
    conversation_id: UUID | None = None
    replaced_id: UUID | None = None
    """The memory that this one took the place of, with its words."""
    replaced_text: str | None = None
    ended: date | None = None
    """When it ended without anything in its place."""
    is_by_rules: bool = False
    """Whether rules made it of a message."""
    is_unclear: bool = False
    """Whether rules made it without knowing what it is about: it has no key."""

    @property
    def is_change(self) -> bool:
        """Whether it says something else than the memory that it took the place of, and not the same and more."""
        return bool(self.replaced_text) and not adds_detail(self.text, self.replaced_text or "")

    @property
    def is_feeling(self) -> bool:
        """Whether it says how the person felt."""
        return self.type is MemoryType.EMOTION or self.subtype is Subtype.FEELING

    @property
    def is_plan(self) -> bool:
        """Whether it says what the person wants to do."""
        return self.type is MemoryType.GOAL

    @property
    def is_pattern(self) -> bool:
        """Whether it says what the person does again and again."""
        return self.type is MemoryType.PATTERN or self.subtype in {Subtype.HABIT, Subtype.FRICTION}

    @property
    def subject(self) -> str | None:
        """Whom or what it is about, where that is not the person."""
        refs = [ref for ref in self.entity_refs if ref != _SELF]
        label = self.entity_label or ""
        if label and (refs or (label[0].isupper() and label in self.text)):
            return label
        return next(filter(None, (_find_name(ref, self.text) for ref in refs)), None)


def _find_name(ref: str, text: str) -> str | None:
    """The name of an entity as the text has it: "Tomasi" for "person:tomasi"; None where the text has none."""
    words = map(re.escape, ref.partition(":")[2].split("_"))
    found = re.search(rf"(?<!\w){'[ -]'.join(words)}(?!\w)", text, re.IGNORECASE)
    return found[0] if found and found[0][0].isupper() and found.start() else None


@dataclass(frozen=True, slots=True)
class Background:
    """What helps to understand a period and belongs to none: the text of the one before, open plans, known people."""

    previous: str = ""
    plans: Sequence[str] = ()
    known: Sequence[Citable] = ()


@dataclass(frozen=True, slots=True)
class SummarySources:
    """What was said in a period, and the memories that began and that ended in it, oldest first."""

    begun: Sequence[SourceMemory] = ()
    ended: Sequence[SourceMemory] = ()
    said: Sequence[SaidMessage] = ()
    """Some may not be told: ``messages`` are those that may."""
    corrections: Sequence[Citable] = ()
    """What the person has put right of it since."""
    beneath: Sequence[Citable] = ()
    """The summaries of its sessions, or of the weeks of a month: where the messages are too many, or gone."""
    background: Background = field(default_factory=Background, compare=False)
    transits: Sequence[Transit] = ()
    """The transits of a month to the person's birth chart, if they have one, and where the planets stood."""
    influences: Sequence[Influence] = ()

    @property
    def messages(self) -> list[SaidMessage]:
        """What was said and may be told."""
        return readable(self.said)

    @property
    def spoken(self) -> SummaryWords:
        """The words in the language of what was said, or of what is remembered of it."""
        remembered = [one.text for one in (*self.begun, *self.ended)]
        return words_for([one.text for one in self.messages] or remembered)

    @property
    def has_something(self) -> bool:
        """Whether the period itself has anything; a week at its edge alone does not make a month."""
        return bool(self.begun or self.ended) or any(one.is_readable for one in self.said)

    @property
    def sky(self) -> Mapping[str, Any]:
        """What a month has of the sky, which no model writes; nothing without a birth chart."""
        return {
            "dominant_transits": [one.row for one in self.transits] if self.influences else None,
            "planetary_influences": [one.row for one in self.influences] or None,
        }

    @property
    def memory_ids(self) -> list[UUID]:
        """Every memory whose words may occur in a summary without a model, each once."""
        ids = [one.id for one in (*self.begun, *self.ended)]
        ids += [one.replaced_id for one in self.begun if one.replaced_id]
        ids += [memory_id for one in self.messages for memory_id in one.memory_ids]
        return list(dict.fromkeys(ids))

    @property
    def message_ids(self) -> list[UUID]:
        """The messages that were said."""
        return [one.id for one in self.messages]

    @property
    def source_ids(self) -> list[UUID]:
        """The messages and memories that a summary without a model is written from."""
        return list(dict.fromkeys([*self.message_ids, *(one.id for one in (*self.begun, *self.ended))]))

    @property
    def conversation_count(self) -> int:
        """The number of conversations in which something was said."""
        found = {one.conversation_id for one in (*self.begun, *self.ended) if one.conversation_id}
        return len(found | {one.conversation_id for one in self.said})
