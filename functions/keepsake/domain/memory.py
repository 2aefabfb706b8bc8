"""The core types of the domain: memory, candidate, and their enumerations."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

MAX_TEXT_LENGTH = 500
"""Characters in one memory (the same check stands on the table)."""

MAX_PER_TURN = 6
"""Memories one turn may make where the settings say nothing else."""

_MAX_DIGITS = 18


class MemoryType(StrEnum):
    """What kind of thing a memory is."""

    FACT = "fact"
    EMOTION = "emotion"
    GOAL = "goal"
    PATTERN = "pattern"
    RELATIONSHIP = "relationship"


class Subtype(StrEnum):
    """What the memory is about; decides how long it lives."""

    IDENTITY = "identity"
    PREFERENCE = "preference"
    HABIT = "habit"
    FRICTION = "friction"
    RELATIONSHIP = "relationship"
    POSSESSION = "possession"
    EVENT = "event"
    FEELING = "feeling"
    OTHER = "other"


class Relation(StrEnum):
    """What a statement of a model does to a memory that the model was shown."""

    NEW = "new"
    REPEATS = "repeats"
    REPLACES = "replaces"
    ADDS = "adds"
    """A detail or an exception: the new statement holds both."""
    CORRECTS = "corrects"
    ENDS = "ends"
    NEVER_TRUE = "never_true"
    """It was a joke or a mistake."""
    DOUBTS = "doubts"


class Source(StrEnum):
    """Where a memory came from."""

    LLM_EXTRACTION = "llm_extraction"
    RULE_EXTRACTION = "rule_extraction"
    USER = "user"
    AGENT_TOOL = "agent_tool"
    IMPORT = "import"
    SEEDED_PROFILE = "seeded_profile"
    FOLD = "curated_fold"


class Status(StrEnum):
    """The state of a memory; only ``active`` ones can reach a prompt."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    EXPIRED = "expired"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class MemoryRef:
    """The memory reference: the short name of a memory that people see, for example M-12."""

    number: int

    @classmethod
    def parse(cls, text: str) -> MemoryRef | None:
        """The reference that a text is ("M-12", "m-12" or "12"), or None."""
        digits = text.strip().upper().removeprefix("M-")
        return cls(int(digits)) if digits.isascii() and digits.isdecimal() and len(digits) <= _MAX_DIGITS else None

    def __str__(self) -> str:
        return f"M-{self.number}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A memory proposed by rules or a model, before it is screened and merged.

    ``key`` identifies what the statement is about, ``value`` what it says: same key and same value is a duplicate, same
    key and another value supersedes (``fact|person|self|favorite_food`` = ``ramen``). Attributes with many values have
    the value in the key (``fact|person|self|likes|pizza`` = ``like``).
    ``quote`` is the part of the person's own message that it is grounded in.
    ``retracts`` means that the person takes the statement back: the memory under the key ends, and ``text`` (when not
    empty) replaces it. ``corrects`` means that the person says that something changed or was wrong ("actually …",
    "not any more"): only then may it override what the person confirmed.
    """

    type: MemoryType
    subtype: Subtype
    text: str
    quote: str
    confidence: float
    key: str | None = None
    value: str | None = None
    importance: int = 1
    entity_type: str | None = None
    entity_refs: tuple[str, ...] = ()
    entity_label: str | None = None
    language: str = "en"
    retracts: bool = False
    corrects: bool = False
    transits: tuple[str, ...] = ()
    """Astrological transits that were mentioned with it."""
    persona_id: str | None = None
    """The only persona that may know it; None is all."""
    only_if_subject_known: bool = False
    """Whether it only changes known memories ("Kiwi died"), and says nothing where none is known."""
    only_if_value_unknown: bool = False
    """Whether it adds a value, but never replaces one ("I'm Paul" may be a joke)."""
    relation: Relation = Relation.NEW
    related_id: UUID | None = None
    """The memory that ``relation`` is about; always None for what rules found."""
    more_related_ids: tuple[UUID, ...] = ()
    """Further memories that it is about: a death ends two."""
    is_believed: bool = False
    """Whether a capable model says it: its text is stored as it is, and its relations need no English word."""
    period: str | None = None
    """The day, month, year or days that it is about, in ISO 8601."""
    why: str = field(default="", compare=False)
    """The mechanism that found it: a rule, another reader of the rules, or a model with the version of its prompt."""


class Memory(NamedTuple):
    """One stored memory, with the columns that decisions need; a tuple, because up to a thousand are made at a time."""

    id: UUID
    memory_no: int
    type: MemoryType
    subtype: Subtype
    text: str
    confidence: float
    importance: int
    pinned: bool
    source: Source
    status: Status
    reference_count: int
    created_at: datetime
    valid_from: datetime
    key: str | None = None
    value: str | None = None
    entity_refs: tuple[str, ...] = ()
    entity_label: str | None = None
    language: str = "en"
    expires_at: datetime | None = None
    last_referenced_at: datetime | None = None
    conversation_id: UUID | None = None
    persona_id: str | None = None
    """The only persona that may know it; None is all."""
    doubted_at: datetime | None = None
    """Since when it may no longer hold."""
    restated_at: datetime | None = None
    """When the person last said it again; ``valid_from`` is when they said it first."""
    period: str | None = None
    """The day, month, year or days that it is about, in ISO 8601."""

    @property
    def ref(self) -> str:
        """The short name people see: ``M-143``."""
        return str(MemoryRef(self.memory_no))

    @property
    def last_said_at(self) -> datetime:
        """When the person said it last: what is older than that changes nothing."""
        return self.restated_at or self.valid_from

    @property
    def is_confirmed(self) -> bool:
        """Whether the person wrote, confirmed or pinned it."""
        return self.pinned or self.source is Source.USER or self.confidence >= 1.0
