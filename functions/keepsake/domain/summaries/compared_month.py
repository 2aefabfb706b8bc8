"""A month that is compared with that of another year: its summary, and what became of the memories behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from keepsake.domain.english.word_groups import MONTHS
from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.merging.added_detail import adds_detail


@dataclass(frozen=True, slots=True)
class MonthMemory:
    """A memory behind a month, and what it had become by the end of the later month."""

    id: UUID
    text: str
    type: MemoryType
    subtype: Subtype
    entity_label: str | None = None
    successor_id: UUID | None = None
    """The memory that holds in its place, with its words."""
    successor_text: str | None = None
    has_ended: bool = False
    """Whether it, or the one in its place, had ended without another in its place."""
    is_doubted: bool = False
    """Whether it, or the one in its place, has probably changed, and nobody has said to what."""

    @property
    def is_changed(self) -> bool:
        """Whether the memory in its place says something else, and not the same and more."""
        return self.successor_text is not None and not adds_detail(self.successor_text, self.text)

    @property
    def texts(self) -> Sequence[str]:
        """Its words, and those of the one in its place."""
        return [self.text] if self.successor_text is None else [self.text, self.successor_text]

    @property
    def is_momentary(self) -> bool:
        """Whether it is about a feeling or an event: these neither stay nor change."""
        return self.type is MemoryType.EMOTION or self.subtype in {Subtype.FEELING, Subtype.EVENT}

    @property
    def is_plan(self) -> bool:
        """Whether it says what the person wanted to do."""
        return self.type is MemoryType.GOAL


@dataclass(frozen=True, slots=True)
class MonthInYear:
    """The stored summary of a month, with the most important memories behind it."""

    id: UUID
    year: int
    month: int
    version: int
    emotional_summary: str
    cognitive_summary: str
    key_themes: Sequence[str]
    memory_ids: Sequence[UUID]
    memories: Sequence[MonthMemory] = ()
    message_ids: Sequence[UUID] = ()

    @property
    def name(self) -> str:
        """The month with its year: "October 2024"."""
        return f"{MONTHS[self.month - 1]} {self.year}"

    @property
    def successor_ids(self) -> Sequence[UUID]:
        """What holds in the place of its memories."""
        return [one.successor_id for one in self.memories if one.successor_id]
