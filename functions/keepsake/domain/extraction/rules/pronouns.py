"""Coreference: finds the person or animal that "he", "she" or "it" means in the sentence before."""

from __future__ import annotations

import re

from keepsake.domain.english.word_lists import load_alternations
from keepsake.domain.memory import Candidate

_PRONOUN_CLAUSE = re.compile(
    r"^(?P<who>he|she|it) (?P<rest>(?:is|was|has|lives|works|loves|likes|hates|studies|plays|weighs|eats|sleeps|"
    r"(?:just |recently )?(?:turned|started|finished|graduated|moved))\b.+)$",
    re.I,
)
_NAME_CLAUSE = re.compile(r"^(?P<whose>his|her|its) name is (?P<name>[^\W\d][\w'-]*)$", re.I)
_RELATIONS = load_alternations("gendered_kinship")
_WOMAN = re.compile(rf"(?:.{{0,80}}_)?{_RELATIONS['women']}(?:_in_law)?")
_MAN = re.compile(rf"(?:.{{0,80}}_)?{_RELATIONS['men']}(?:_in_law)?")


def resolve_pronoun(words: str, previous: Candidate) -> str | None:
    """The words with the pronoun replaced by what it means; None where the previous statement fits no pronoun."""
    if (named := _NAME_CLAUSE.match(words)) and "|name" not in (previous.key or ""):
        whose = _subject(previous, {"his": "he", "her": "she"}.get(named["whose"].lower(), "it"))
        return None if whose is None or " " in whose else f"my {whose}'s name is {named['name']}"
    match = _PRONOUN_CLAUSE.match(words)
    subject = None if match is None else _subject(previous, match["who"].lower())
    return None if match is None or subject is None else f"my {subject} {match['rest']}"


def _subject(previous: Candidate, pronoun: str) -> str | None:
    parts = (previous.key or "").split("|")
    if parts[:2] != ["relationship", "person"] or len(parts) < 4:
        return None
    name = previous.entity_label or ""
    if parts[2:4] == ["self", "pet"]:
        kind = (previous.value or "") if name else parts[4] if previous.value == "1" else ""
        return f"{kind.replace('_', ' ')} {name}".strip() if kind and " " not in name else None
    relation = parts[2]
    excluded = _MAN if pronoun == "she" else _WOMAN
    if relation == "self" or pronoun == "it" or excluded.fullmatch(relation):
        return None
    return f"{relation.replace('_', ' ')} {name}".strip()
