"""Whom and what a memory is about: its people, places, organisations and projects, each under one key."""

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
    """Somebody or something the person's memories are about, with everything it is called."""

    key: str
    label: str
    aliases: tuple[str, ...] = ()


def entity_slug(name: str) -> str:
    """A name as it stands in a key: lower case, punctuation removed, spaces and hyphens as underscores."""
    return _normalize_name(name).strip("_")[:_MAX_SLUG].strip("_")


def search_form(message: str) -> str:
    """A message's words as names are compared with them, a space around each: `` how is mukesh ``."""
    return f" {_normalize_name(_POSSESSIVE.sub('', message)).replace('_', ' ').strip()} "


def _normalize_name(text: str) -> str:
    if text.isascii():  # the same, faster: it is asked of every message
        return re.sub(r"[\s_-]+", "_", re.sub(r"[^\w\s-]", "", text.lower()))
    composed = unicodedata.normalize("NFKC", text).lower()
    kept = "".join(c for c in composed if c in "_- " or c.isspace() or unicodedata.category(c)[0] in "LNM")
    return re.sub(r"[\s_-]+", "_", kept)


def keys_named(name: str, entities: Sequence[Entity]) -> frozenset[str]:
    """The keys of those who are called that, whatever they are."""
    searched_slug = entity_slug(name)
    slugs_by_key = {e.key: {_slug_of(e.key), *map(entity_slug, (e.label, *e.aliases))} for e in entities}
    return frozenset(key for key, slugs in slugs_by_key.items() if searched_slug in slugs)


def canonicalize(candidate: Candidate, entities: Sequence[Entity]) -> Candidate:
    """The candidate under the keys of those it means, whichever of their names was said."""
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
    """The candidate about Anna where it is about a sister, and Anna is the only one known."""
    found = {}
    for ref in candidate.entity_refs:
        relation = ref.removeprefix("person:")
        names = relative_slots.names_by_relation(relation, known) if is_relation(relation) else {}
        if len(names) == 1:
            found[ref] = f"person:{entity_slug(*names.values())}"
    refs = tuple(dict.fromkeys(found.get(ref, ref) for ref in candidate.entity_refs))
    return replace(candidate, entity_refs=refs) if found else candidate


def name_learned(candidate: Candidate, known: Sequence[Memory]) -> tuple[str, str] | None:
    """The relation and the name, as entities, where the candidate names the only one of a relation there is."""
    key = candidate.key or ""
    if candidate.persona_id is not None or not key.startswith(_RELATIVE_PREFIX) or not candidate.entity_refs:
        return None  # a name that one persona alone was told is not for what the others know
    relation = key.removeprefix(_RELATIVE_PREFIX).partition("|")[0]
    kept = candidate.entity_refs[0]
    if not is_relation(relation) or kept == f"person:{relation}" or is_relation(kept.removeprefix("person:")):
        return None
    others = {
        f"person:{entity_slug(label)}" for label in relative_slots.names_by_relation(relation, known).values()
    } - {kept}
    return None if others else (f"person:{relation}", kept)


def _rename_keys(candidate: Candidate, keys: Mapping[str, str]) -> Candidate:
    """The candidate with these references, and its memory key and value, under other names."""
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
