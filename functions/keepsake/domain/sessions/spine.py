"""Writes the spine without a model: what holds of a person, by section; and tells of it in a context."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from keepsake.domain.context.outline import Item, Outline
from keepsake.domain.context.summary_ref import SummaryRef
from keepsake.domain.english.inflection import is_past
from keepsake.domain.memory import MemoryType, Subtype
from keepsake.domain.reading.todos import TodoKind
from keepsake.domain.sessions.session_summary import SessionSources
from keepsake.domain.summaries.compose_sentences import compose, series
from keepsake.domain.summaries.readable_statements import is_statement
from keepsake.domain.summaries.sources import SourceMemory

SPINE_EVERY = 20
"""Messages after which a new version is written."""
MAX_ITEMS = 12
"""Items of a section."""


class SpineSection(StrEnum):
    """The sections in their order."""

    PROFILE = "PROFILE"
    PROJECTS = "PROJECTS"
    PEOPLE = "PEOPLE"
    OPEN_LOOPS = "OPEN_LOOPS"


DURABLE = (SpineSection.PROFILE, SpineSection.PEOPLE)
"""What stays true for long; the others soon say less than a newer text."""


@dataclass(frozen=True, slots=True)
class SpineItem:
    """A statement of the spine, and the memory or to-do that it is; ``source`` are the words of that one, if others."""

    id: UUID
    text: str
    source: str | None = None


Spine = Mapping[SpineSection, Sequence[SpineItem]]


def write_spine(sources: SessionSources) -> Spine:
    """The spine of what holds, the most important first; every section is there, also without items."""
    spine: dict[SpineSection, list[SpineItem]] = {section: [] for section in SpineSection}
    for memory in sources.memories:
        section = None if memory.is_by_rules and not _is_durable(memory) else _section(memory)
        if section is not None:
            spine[section].append(SpineItem(memory.id, memory.text))
    for todo in sources.todos:
        if todo.kind is not TodoKind.HABIT:
            spine[SpineSection.OPEN_LOOPS].append(SpineItem(todo.id, todo.text))
    return {section: items[:MAX_ITEMS] for section, items in spine.items()}


@dataclass(frozen=True, slots=True)
class StoredItem:
    """An item of a stored spine that still holds: its words, the statement that they make, and when that was said."""

    section: str
    text: str
    statement: str
    said_at: datetime | None = None


def describe_spine(
    items: Sequence[StoredItem],
    limit: int,
    refs: tuple[SummaryRef, ...] = (),
    *,
    sections: Collection[SpineSection] = tuple(SpineSection),
) -> Outline | None:
    """The spine for a context; None where nothing of it holds any more."""
    by_section = {
        section: [Item(one.text, one.statement) for one in items if one.section == section] for section in sections
    }
    sentences = [series(f"{section}:", own) for section, own in by_section.items() if own]
    return replace(compose(sentences, limit), refs=refs) if sentences else None


def _is_durable(memory: SourceMemory) -> bool:
    """Whether what rules made is a statement, and of others nothing that happened: "Mom fainted"."""
    is_of_others = memory.type is MemoryType.RELATIONSHIP
    return is_statement(memory) and not (is_of_others and is_past(memory.text))


def _section(memory: SourceMemory) -> SpineSection | None:
    """Where a memory belongs; feelings, events and what rules do not understand belong nowhere."""
    refs = [ref for ref in memory.entity_refs if ref != "person:self"]
    if memory.is_feeling or memory.is_unclear or memory.subtype is Subtype.EVENT:
        return None
    if memory.type is MemoryType.GOAL or any(ref.startswith("project:") for ref in refs):
        return SpineSection.PROJECTS
    if memory.type is MemoryType.RELATIONSHIP or any(ref.startswith("person:") for ref in refs):
        return SpineSection.PEOPLE
    return SpineSection.PROFILE
