"""Finds the memories of a partner after a separation: the named one, or the only one that is known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from keepsake.domain.english.kinship import PARTNERS
from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.text import slug, word_set

_STATUS = "fact|person|self|relationship_status"
_BROKE_UP_WITH = re.compile(r"broke_up_with_(?P<who>\w+)")
_BROKE_UP, _NO_LONGER_MARRIED = "broke_up", word_set("divorced separated")
_ANY_PARTNER = word_set("partner spouse")
_MARRIED_TO = word_set("wife husband spouse partner")


@dataclass(frozen=True, slots=True)
class _Partner:
    """The partner that a memory is about; the name is empty where the memory has none."""

    relation: str
    name: str


def former_partner_memories(candidate: Candidate, active: Sequence[Memory]) -> list[Memory]:
    """The memories of a former partner; none where it could be one of several people."""
    if candidate.key != _STATUS or not candidate.corrects:
        return []
    partners = {memory: partner for memory in active if (partner := _partner(memory)) is not None}
    named = _BROKE_UP_WITH.fullmatch(candidate.value or "")
    if named is not None and named["who"] not in PARTNERS:
        return [memory for memory, partner in partners.items() if partner.name == named["who"]]
    relations = _ended_relations(named["who"] if named else candidate.value or "")
    former = {memory: partner for memory, partner in partners.items() if partner.relation in relations}
    names = {partner.name for partner in former.values()} - {""}
    kinds = {partner.relation for partner in former.values()} - _ANY_PARTNER
    return [] if len(names) > 1 or len(kinds) > 1 else list(former)


def is_about_partner(memory: Memory | Candidate) -> bool:
    """Whether the memory is about a wife, husband, girlfriend, boyfriend, fiancé or partner."""
    return _partner(memory) is not None


def _ended_relations(status: str) -> frozenset[str]:
    """The relations that the new status may have ended."""
    if status == _BROKE_UP or status in _ANY_PARTNER:
        return PARTNERS
    if status in _NO_LONGER_MARRIED:
        return _MARRIED_TO
    return frozenset({status, "partner"}) if status in PARTNERS else frozenset()


def _partner(memory: Memory | Candidate) -> _Partner | None:
    """The partner a memory is about ("boyfriend", "leo")."""
    key = parse_key(memory.key)
    if key.attribute and len(key.rest) > 1 and not key.is_fold:
        if key.attribute == "partner":
            return _Partner("partner", key.rest[1])
        has = key.attribute == "has" and key.rest[1] in PARTNERS and memory.value not in ("0", "no")
        return _Partner(key.rest[1], "") if has else None
    if key.relation not in PARTNERS:
        return None
    name = memory.value if key.last == "name" else slug(memory.entity_label or "") or key.name
    return _Partner(key.relation, name or "")
