"""Replaces what a candidate names by the keys of known entities: aliases, and relatives by their relation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from keepsake.domain.entities import resolve_relative
from keepsake.domain.entities.entity import Entity, entity_slug, slug_of
from keepsake.domain.entities.parse_relative import is_relation
from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.memory_key import parse_key


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
        names = resolve_relative.names_by_relation(relation, known) if is_relation(relation) else {}
        if len(names) == 1:
            found[ref] = f"person:{entity_slug(*names.values())}"
    refs = tuple(dict.fromkeys(found.get(ref, ref) for ref in candidate.entity_refs))
    return replace(candidate, entity_refs=refs) if found else candidate


def name_learned(candidate: Candidate, known: Sequence[Memory]) -> tuple[str, str] | None:
    """The keys of the relation and of the name, where the candidate names the only relative of a relation."""
    relation = parse_key(candidate.key).relation
    if candidate.persona_id is not None or not relation or not candidate.entity_refs:
        return None  # a name that only one persona may know
    named_key = candidate.entity_refs[0]
    if slug_of(named_key) in resolve_relative.OTHER_PERSON:
        return None
    if not is_relation(relation) or named_key == f"person:{relation}" or is_relation(named_key.removeprefix("person:")):
        return None
    others = {
        f"person:{entity_slug(label)}" for label in resolve_relative.names_by_relation(relation, known).values()
    } - {named_key}
    return None if others else (f"person:{relation}", named_key)


def _rename_keys(candidate: Candidate, keys: Mapping[str, str]) -> Candidate:
    """The candidate with entity keys replaced in its references, its memory key and its value."""
    if not keys:
        return candidate
    slugs = {slug_of(said): slug_of(canonical) for said, canonical in keys.items()}
    parts = (candidate.key or "").split("|")
    return replace(
        candidate,
        entity_refs=tuple(dict.fromkeys(keys.get(ref, ref) for ref in candidate.entity_refs)),
        key=candidate.key and "|".join(slugs.get(part, part) for part in parts),
        value=candidate.value and slugs.get(candidate.value, candidate.value),
    )
