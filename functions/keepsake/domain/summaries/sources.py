"""What a summary is written from: the memories that began or ended in a period, and the summaries of its weeks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from uuid import UUID

from keepsake.domain.astrology.transits import Influence, Transit
from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.merging.added_detail import adds_detail

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
class WeekInMonth:
    """What a month takes from the summary of one of its weeks."""

    id: UUID
    memory_ids: Sequence[UUID]
    key_themes: Sequence[str]
    first: date
    emotional_summary: str = ""
    summary: str = ""


@dataclass(frozen=True, slots=True)
class SourceText:
    """A stored summary that a longer one is written from, and the memories whose words may occur in it."""

    id: UUID
    text: str
    memory_ids: Sequence[UUID] = ()


@dataclass(frozen=True, slots=True)
class SummarySources:
    """The memories of a period, oldest first: those that began in it, and those that ended in it."""

    begun: Sequence[SourceMemory] = ()
    ended: Sequence[SourceMemory] = ()
    weeks: Sequence[WeekInMonth] = ()
    conversations: Sequence[SourceText] = ()
    """Summaries of conversations that only the person takes part in, of the period, or of a month's last week without a
    summary; for a model."""
    days: Sequence[SourceText] = ()
    """The summaries of the days of a week without those; for a model."""
    transits: Sequence[Transit] = ()
    """The transits of a month to the person's birth chart, if they have one, and where the planets stood."""
    influences: Sequence[Influence] = ()

    @property
    def has_memories(self) -> bool:
        """Whether the period itself has anything; a week at its edge alone does not make a month."""
        return bool(self.begun or self.ended)

    @property
    def without_texts(self) -> SummarySources:
        """What the rules read of them."""
        return replace(self, conversations=(), days=())

    @property
    def memory_ids(self) -> list[UUID]:
        """Every memory whose words may occur in the summary, each once."""
        ids = [one.id for one in (*self.begun, *self.ended)]
        ids += [one.replaced_id for one in self.begun if one.replaced_id]
        texts: Sequence[WeekInMonth | SourceText] = (*self.weeks, *self.conversations, *self.days)
        ids += [memory_id for one in texts for memory_id in one.memory_ids]
        return list(dict.fromkeys(ids))

    @property
    def source_ids(self) -> list[UUID]:
        """The weekly summaries and memories that the summary is written from."""
        texts: Sequence[WeekInMonth | SourceText] = (*self.weeks, *self.conversations, *self.days)
        ids = [*(one.id for one in texts), *(one.id for one in (*self.begun, *self.ended))]
        return list(dict.fromkeys(ids))

    @property
    def conversation_count(self) -> int:
        """The number of conversations that the memories come from."""
        return len({one.conversation_id for one in (*self.begun, *self.ended) if one.conversation_id})
