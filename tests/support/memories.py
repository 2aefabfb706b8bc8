"""Memories made for tests of pure decisions: only what a test is about needs saying."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import count
from typing import Any
from uuid import UUID

from keepsake.domain.context.scoring import ScoredMemory
from keepsake.domain.memory import Memory, MemoryType, Source, Status, Subtype
from keepsake.domain.reading.statements.extract import extract
from keepsake.domain.reading.statements.key_of_text import read_statement

NOW = datetime(2026, 11, 21, 9, 41, tzinfo=UTC)

_numbers = count(1)


def memory(text: str = "Likes ramen", **more: Any) -> Memory:
    """A current memory, numbered in the order of making."""
    number = next(_numbers)
    given: dict[str, Any] = {
        "id": UUID(int=number),
        "memory_no": number,
        "type": MemoryType.FACT,
        "subtype": Subtype.OTHER,
        "confidence": 0.8,
        "importance": 1,
        "pinned": False,
        "source": Source.RULE_EXTRACTION,
        "status": Status.ACTIVE,
        "reference_count": 0,
        "created_at": NOW,
        "valid_from": NOW,
    }
    return Memory(text=text, **given | more)


def stated_memory(text: str) -> Memory:
    """The memory that extraction makes of a statement in the third or first person, with its key, type and names."""
    stated = read_statement(text) or next(iter(extract(text)))
    own = {"type": stated.type, "subtype": stated.subtype, "key": stated.key, "value": stated.value}
    return memory(stated.text or text, **own, entity_label=stated.entity_label, entity_refs=stated.entity_refs)


def scored(text: str = "Likes ramen", *, words: float = 0.0, prior: float = 0.5, **more: Any) -> ScoredMemory:
    """A candidate; `words` above nothing means that the message asks for it."""
    own = {"similarity", "deviation", "contrast", "matched", "coverage"} & more.keys()
    of_scored: dict[str, Any] = {name: more.pop(name) for name in own}
    relevance: dict[str, Any] = {"coverage": 1.0} if words else {}
    return ScoredMemory(memory(text, **more), prior=prior, lexical=words, **relevance | of_scored)
