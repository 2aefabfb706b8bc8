"""Entities: the people, places, organizations and projects of memories, and the keys and search forms of names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

SELF = "person:self"
_MAX_SLUG = 80
_POSSESSIVE = re.compile(r"['\u2019]s\b")


@dataclass(frozen=True, slots=True)
class Entity:
    """A person, place, organization or project, with its label and aliases."""

    key: str
    label: str
    aliases: tuple[str, ...] = ()


def entity_slug(name: str) -> str:
    """A name as part of a key: lower case, without punctuation, spaces and hyphens as underscores."""
    return _normalize_name(name).strip("_")[:_MAX_SLUG].strip("_")


def search_form(message: str) -> str:
    """The form of a message in which names are searched, with a space around each word: `` how is mukesh ``."""
    return f" {_normalize_name(_POSSESSIVE.sub('', message)).replace('_', ' ').strip()} "


def _normalize_name(text: str) -> str:
    if text.isascii():  # a faster way to the same result, since every message comes here
        return re.sub(r"[\s_-]+", "_", re.sub(r"[^\w\s-]", "", text.lower()))
    composed = unicodedata.normalize("NFKC", text).lower()
    visible = "".join(c for c in composed if c in "_- " or c.isspace() or unicodedata.category(c)[0] in "LNM")
    return re.sub(r"[\s_-]+", "_", visible)


def keys_named(name: str, entities: Sequence[Entity]) -> frozenset[str]:
    """The keys of the entities, of any kind, that have this name."""
    searched_slug = entity_slug(name)
    slugs_by_key = {e.key: {slug_of(e.key), *map(entity_slug, (e.label, *e.aliases))} for e in entities}
    return frozenset(key for key, slugs in slugs_by_key.items() if searched_slug in slugs)


def slug_of(key: str) -> str:
    """The part of an entity's key that comes from its name."""
    return key.partition(":")[2]
