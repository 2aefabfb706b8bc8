"""What an export consists of: the one list of the tables that hold a person's data, and of those left out, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from keepsake.domain.memory import Source

SCHEMA_VERSION = 1
"""Counts up when a document can no longer be read as those before it; new fields and sections do not count."""


@dataclass(frozen=True, slots=True)
class Section:
    """One list of rows in an export; ``sql/exports.sql`` has a query of the same name.

    ``nature`` says how the rows came about: ``stated`` by the person, ``chosen`` as a setting, ``inferred`` from what
    they said, ``derived`` from several things, or ``counted``; ``mixed`` where each row says it for itself.
    ``returns`` are those that an import takes back, and that are therefore signed.
    """

    name: str
    tables: tuple[str, ...]
    nature: str
    returns: bool = False


MEMORIES = "memories"
SETTINGS = "settings"
ENTITIES = "entities"

SECTIONS: tuple[Section, ...] = (
    Section("profiles", ("user_profile_list",), "stated"),
    Section(SETTINGS, ("user_memory_settings",), "chosen", returns=True),
    Section("consent", ("conversations_participants",), "chosen"),
    Section(MEMORIES, ("user_memory",), "mixed", returns=True),
    Section("conversation_summaries", ("conversation_summaries",), "derived"),
    Section("extraction_counts", ("keepsake.extractions",), "counted"),
)
"""In the order in which they stand in the document."""

LEFT_OUT: Mapping[str, str] = MappingProxyType(
    {
        "messages": "The chat application's own, which it exports itself; a memory quotes what it rests on.",
        "conversations": "The chat application's own; what the person chose about memory in each stands in consent.",
    }
)
"""Tables of ``public`` that are no part of an export, and why."""

_NATURES: Mapping[str, str] = MappingProxyType(
    {
        Source.LLM_EXTRACTION: "inferred",
        Source.RULE_EXTRACTION: "inferred",
        Source.AGENT_TOOL: "inferred",
        Source.CURATED_FOLD: "derived",
        Source.USER: "stated",
        Source.IMPORT: "stated",
        Source.SEEDED_PROFILE: "stated",
    }
)


def nature_of(source: str) -> str:
    """How a memory of this source came about."""
    return _NATURES.get(source, "inferred")
