"""Who is no longer the person's partner: the one they name, or the only one that is known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from keepsake.domain.memory import Candidate, Memory
from keepsake.domain.text import slug, vocabulary

_STATUS = "fact|person|self|relationship_status"
_FROM_SOMEBODY = re.compile(r"broke_up_with_(?P<who>\w+)")
_BROKE_UP, _NO_LONGER_MARRIED = "broke_up", vocabulary("divorced separated")
_ANYBODY = vocabulary("partner spouse")
_MARRIED_TO = vocabulary("wife husband spouse partner")
_PARTNERS = _MARRIED_TO | vocabulary("girlfriend boyfriend fiance")


@dataclass(frozen=True, slots=True)
class _Partner:
    """A partner as a memory knows them; without a name where it tells none."""

    relation: str
    name: str


def parted_from(candidate: Candidate, active: Sequence[Memory]) -> list[Memory]:
    """The memories of a partner who is none any more; none where it may be one of several."""
    if candidate.key != _STATUS or not candidate.corrects:
        return []
    known = {memory: partner for memory in active if (partner := _partner(memory)) is not None}
    named = _FROM_SOMEBODY.fullmatch(candidate.value or "")
    if named is not None and named["who"] not in _PARTNERS:
        return [memory for memory, partner in known.items() if partner.name == named["who"]]
    relations = _relations(named["who"] if named else candidate.value or "")
    meant = {memory: partner for memory, partner in known.items() if partner.relation in relations}
    names = {partner.name for partner in meant.values()} - {""}
    kinds = {partner.relation for partner in meant.values()} - _ANYBODY
    return [] if len(names) > 1 or len(kinds) > 1 else list(meant)


def _relations(said: str) -> frozenset[str]:
    """The relations that may have ended with what was said."""
    if said == _BROKE_UP or said in _ANYBODY:
        return _PARTNERS
    if said in _NO_LONGER_MARRIED:
        return _MARRIED_TO
    return frozenset({said, "partner"}) if said in _PARTNERS else frozenset()


def _partner(memory: Memory) -> _Partner | None:
    """The partner a memory is about ("boyfriend", "leo")."""
    kind, *parts = (memory.key or "").split("|")
    if parts[:2] == ["person", "self"] and len(parts) > 3:
        if parts[2] == "partner":
            return _Partner("partner", parts[3])
        has = parts[2] == "has" and parts[3] in _PARTNERS and memory.value not in ("0", "no")
        return _Partner(parts[3], "") if has else None
    if kind != "relationship" or len(parts) < 3 or parts[1] not in _PARTNERS:
        return None
    name = (
        memory.value if parts[-1] == "name" else slug(memory.entity_label or "") or (parts[2] if len(parts) > 3 else "")
    )
    return _Partner(parts[1], name or "")
