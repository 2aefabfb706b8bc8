"""Builds the memory document for an agent: facts and places within a limit of tokens."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

MAX_DOCUMENT_TOKENS = 10_000
"""Tokens the facts and places of a document may take."""

SCHEMA_VERSION = "1.0"


@dataclass(frozen=True, slots=True)
class Fact:
    """One memory as the document has it; ``is_active`` is False for what no longer holds."""

    id: UUID
    content: str
    added_at: datetime
    is_active: bool = True
    pinned: bool = False
    must_not_be_missed: bool = False
    source_conversation_id: UUID | None = None
    source_message_id: UUID | None = None

    def as_json(self) -> dict[str, Any]:
        """The fact in the format of the document."""
        return {
            "id": str(self.id),
            "content": self.content,
            "added_at": self.added_at.isoformat(),
            "source_conversation_id": _text_or_none(self.source_conversation_id),
            "source_message_id": _text_or_none(self.source_message_id),
            "is_active": self.is_active,
        }


@dataclass(frozen=True, slots=True)
class Place:
    """A place that matters to the person; ``mentioned_in`` gives each conversation its mentions, oldest first."""

    place_id: str
    place_name: str
    notes: str | None
    added_at: datetime
    mentioned_in: Mapping[UUID, Sequence[tuple[UUID | None, datetime]]]

    def as_json(self) -> dict[str, Any]:
        """The place in the format of the document."""
        return {
            "place_id": self.place_id,
            "place_name": self.place_name,
            "notes": self.notes,
            "mentioned_in": {
                str(conversation): [[_text_or_none(message), at.isoformat()] for message, at in mentions]
                for conversation, mentions in self.mentioned_in.items()
            },
            "added_at": self.added_at.isoformat(),
        }


@dataclass(frozen=True, slots=True)
class Document:
    """What stayed within the limit, oldest first, and the ids of the facts that did not."""

    facts: tuple[Fact, ...]
    places: tuple[Place, ...]
    token_count: int
    last_updated: datetime | None
    evicted: tuple[UUID, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The document in the format that agents read."""
        return {
            "facts": [fact.as_json() for fact in self.facts],
            "placer_user_datapoints": [place.as_json() for place in self.places],
            "metadata": {
                "last_updated": self.last_updated.isoformat() if self.last_updated else None,
                "total_facts": len(self.facts),
                "total_active_facts": sum(fact.is_active for fact in self.facts),
                "total_pois": len(self.places),
                "token_count": self.token_count,
                "schema_version": SCHEMA_VERSION,
            },
        }


def build_document(
    facts: Sequence[Fact],
    places: Sequence[Place],
    count_tokens: Callable[[str], int],
    *,
    last_updated: datetime | None = None,
    max_tokens: int = MAX_DOCUMENT_TOKENS,
) -> Document:
    """The document within the limit: inactive facts are evicted first, then old ones.

    The last are what must not be missed (a name, an allergy), pinned facts, and places.
    """
    entries: list[Fact | Place] = [
        *sorted(places, key=lambda place: place.added_at, reverse=True),
        *sorted(
            facts,
            key=lambda fact: (fact.pinned, fact.is_active, fact.must_not_be_missed, fact.added_at),
            reverse=True,
        ),
    ]
    sizes = [count_tokens(_json_line(entry)) for entry in entries]
    total = sum(sizes)
    evicted: list[UUID] = []
    while entries and total > max_tokens:
        removed = entries.pop()
        total -= sizes.pop()
        if isinstance(removed, Fact):
            evicted.append(removed.id)
    return Document(
        tuple(sorted((entry for entry in entries if isinstance(entry, Fact)), key=lambda fact: fact.added_at)),
        tuple(sorted((entry for entry in entries if isinstance(entry, Place)), key=lambda place: place.added_at)),
        total,
        last_updated,
        tuple(evicted),
    )


def _json_line(entry: Fact | Place) -> str:
    return json.dumps(entry.as_json(), ensure_ascii=False) + ","


def _text_or_none(id: UUID | None) -> str | None:
    return None if id is None else str(id)
