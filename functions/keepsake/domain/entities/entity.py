"""Entities: the people, places, organizations and projects of memories, and how names resolve to their keys."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from keepsake.domain.entities import relative_slots
from keepsake.domain.entities.relatives import is_relation
from keepsake.domain.memory import Candidate, Memory

SELF = "person:self"
_MAX_SLUG = 80
_POSSESSIVE = re.compile(r"['\u2019]s\b")
_RELATIVE_PREFIX = "relationship|person|"


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
    slugs_by_key = {e.key: {_slug_of(e.key), *map(entity_slug, (e.label, *e.aliases))} for e in entities}
    return frozenset(key for key, slugs in slugs_by_key.items() if searched_slug in slugs)


def canonicalize(candidate: Candidate, entities: Sequence[Entity]) -> Candidate:
    """The candidate with the canonical keys of its entities in the place of aliases."""
    own = {entity.key for entity in entities}
    by_name = {
        f"{entity.key.partition(':')[0]}:{entity_slug(name)}": entity.key
        for entity in reversed(entities)
        for name in (entity.label, *entity.aliases)
    }
    return _rename_keys(
        candidate, {ref: by_name[ref] for ref in candidate.entity_refs if ref in by_name and ref not in own}
    )


def resolve_relation(candidate: Candidate, known: Sequence[Memory]) -> Candidate:
    """The candidate with the name of a relative in its references, where only one of the relation is known."""
    found = {}
    for ref in candidate.entity_refs:
        relation = ref.removeprefix("person:")
        names = relative_slots.names_by_relation(relation, known) if is_relation(relation) else {}
        if len(names) == 1:
            found[ref] = f"person:{entity_slug(*names.values())}"
    refs = tuple(dict.fromkeys(found.get(ref, ref) for ref in candidate.entity_refs))
    return replace(candidate, entity_refs=refs) if found else candidate


def name_learned(candidate: Candidate, known: Sequence[Memory]) -> tuple[str, str] | None:
    """The keys of the relation and of the name, where the candidate names the only relative of a relation."""
    key = candidate.key or ""
    if candidate.persona_id is not None or not key.startswith(_RELATIVE_PREFIX) or not candidate.entity_refs:
        return None  # a name that only one persona may know
    relation = key.removeprefix(_RELATIVE_PREFIX).partition("|")[0]
    named_key = candidate.entity_refs[0]
    if not is_relation(relation) or named_key == f"person:{relation}" or is_relation(named_key.removeprefix("person:")):
        return None
    others = {
        f"person:{entity_slug(label)}" for label in relative_slots.names_by_relation(relation, known).values()
    } - {named_key}
    return None if others else (f"person:{relation}", named_key)


def _rename_keys(candidate: Candidate, keys: Mapping[str, str]) -> Candidate:
    """The candidate with entity keys replaced in its references, its memory key and its value."""
    if not keys:
        return candidate
    slugs = {_slug_of(said): _slug_of(canonical) for said, canonical in keys.items()}
    parts = (candidate.key or "").split("|")
    return replace(
        candidate,
        entity_refs=tuple(dict.fromkeys(keys.get(ref, ref) for ref in candidate.entity_refs)),
        key=candidate.key and "|".join(slugs.get(part, part) for part in parts),
        value=candidate.value and slugs.get(candidate.value, candidate.value),
    )


def _slug_of(key: str) -> str:
    return key.partition(":")[2]
