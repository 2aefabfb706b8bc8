"""Which memories a model says that a later text ended or changed, when it sees them together for the spine.

It names numbers alone; nothing that it wrote can end a memory. What is named is doubted if its newest evidence is the
person's own word, of a later time: ``store/outdated`` says which.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from keepsake.domain.extraction.evidence import shares_subject_matter
from keepsake.domain.sessions.session_summary import SessionSources
from keepsake.domain.summaries.citable import Citable, message_ids_of
from keepsake.domain.summaries.cited import Content
from keepsake.domain.summaries.sources import SourceMemory

OUTDATED = "outdated"
"""The field of a reply."""
MAX_OUTDATED = 12
"""Memories that one reply may name."""
_MIN_NAME = 3
"""Letters of a word of a name."""


@dataclass(frozen=True, slots=True)
class OutdatedMemory:
    """A memory, and what shows that it holds no more: memories, and the messages that notes of sessions rest on."""

    id: UUID
    memory_ids: Sequence[UUID]
    message_ids: Sequence[UUID]


def find_outdated(content: Content, sources: SessionSources) -> list[OutdatedMemory]:
    """The memories that the reply names, each with the texts that can show it: of its subject, as far as known."""
    memories = {one.id: one for one in sources.memories}
    found: dict[UUID, OutdatedMemory] = {}
    for relation in content.get(OUTDATED, ()):
        first, *later = relation.sources
        memory = memories.get(first.row_id) if first.row_id else None
        shown_by = [one for one in later if memory and _is_of_same_subject(memory, one, memories)]
        if memory is None or not shown_by:
            continue
        memory_ids = [one.row_id for one in shown_by if one.row_id in memories]
        notes = [one for one in shown_by if one.row_id not in memories]
        found[memory.id] = OutdatedMemory(memory.id, list(filter(None, memory_ids)), message_ids_of(notes))
    return list(found.values())


def _is_of_same_subject(memory: SourceMemory, later: Citable, memories: dict[UUID, SourceMemory]) -> bool:
    """Whether a text has a word of a memory that carries meaning, and a name of those whom the memory is about."""
    if not shares_subject_matter(memory.text, [later.text]):
        return False
    people = [ref for ref in memory.entity_refs if ref.startswith("person:")]
    names = [word for ref in people for word in ref.partition(":")[2].split("_") if len(word) >= _MIN_NAME]
    known = [name for name in names if name in memory.text.casefold()]
    other = memories.get(later.row_id) if later.row_id else None
    is_shared = other is not None and not set(people).isdisjoint(other.entity_refs)
    return is_shared or not known or any(name in later.text.casefold() for name in known)
