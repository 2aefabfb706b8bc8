"""The words of the domain: a memory, a candidate for one, and the vocabulary both share."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

MAX_TEXT_LENGTH = 500
"""Characters in one memory (the same check stands on the table)."""

MAX_PER_TURN = 3
"""Memories one turn may make."""

_MAX_DIGITS = 18


class MemoryType(StrEnum):
    """What kind of thing a memory is (seed 003's enum ``memory_type``)."""

    FACT = "fact"
    EMOTION = "emotion"
    GOAL = "goal"
    PATTERN = "pattern"
    RELATIONSHIP = "relationship"


class Subtype(StrEnum):
    """What the memory is about; decides how long it lives (seeds 000 and 004)."""

    IDENTITY = "identity"
    PREFERENCE = "preference"
    HABIT = "habit"
    FRICTION = "friction"
    RELATIONSHIP = "relationship"
    POSSESSION = "possession"
    EVENT = "event"
    FEELING = "feeling"
    OTHER = "other"


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
    """Where a memory is in its life; only ``active`` ones can reach a prompt."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"
    ARCHIVED = "archived"
    EXPIRED = "expired"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class MemoryRef:
    """The short name of a memory that people see: M-12."""

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

    ``key`` names the thing the statement is about, ``value`` what is said of it: same key and same value is the
    same statement, same key and another value replaces it (``fact|person|self|favorite_food`` = ``ramen``;
    many-valued subjects carry the value in the key: ``fact|person|self|likes|pizza`` = ``like``).
    ``quote`` is the stretch of the person's own message it rests on.
    ``retracts`` means the person takes the statement back: what is stored under the key is closed, and ``text``
    (when not empty) takes its place. ``corrects`` means the person says outright that something changed or was
    wrong ("actually …", "not any more"): only then may it override what the person confirmed.
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
    """Transits of the stars that were spoken of with it (seed 003's ``astro_context``)."""
    persona_id: str | None = None
    """The only persona that is to know of it; None is every one."""
    only_if_subject_known: bool = False
    """It says something only of what is known already ("Kiwi died"): nobody tells who that is."""


@dataclass(frozen=True, slots=True)
class Memory:
    """One stored memory, as much of it as decisions need."""

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
    """The only persona that knows of it; None is every one."""

    @property
    def ref(self) -> str:
        """The short name people see: ``M-143``."""
        return str(MemoryRef(self.memory_no))
