"""Who "he", "she" or "it" is: the person or animal the sentence before named."""

from __future__ import annotations

import re

from keepsake.domain.memory import Candidate

_SAID_OF = re.compile(
    r"^(?P<who>he|she|it) (?P<rest>(?:is|was|has|lives|works|loves|likes|hates|studies|plays|weighs|eats|sleeps|"
    r"(?:just |recently )?(?:turned|started|finished|graduated|moved))\b.+)$",
    re.I,
)
_NAMED = re.compile(r"^(?P<whose>his|her|its) name is (?P<name>[^\W\d][\w'-]*)$", re.I)
_SHE = re.compile(
    r"(?:.{0,80}_)?(?:mother|wife|girlfriend|sister|daughter|aunt|niece|grandmother|stepmother|goddaughter|"
    r"granddaughter|stepdaughter|stepsister)(?:_in_law)?"
)
_HE = re.compile(
    r"(?:.{0,80}_)?(?:father|husband|boyfriend|brother|son|uncle|nephew|grandfather|stepfather|grandson|stepson|"
    r"stepbrother)(?:_in_law)?"
)


def spelled_out(words: str, before: Candidate) -> str | None:
    """The words with their subject named, where the statement before was about somebody they can mean."""
    if (named := _NAMED.match(words)) and "|name" not in (before.key or ""):
        whose = _subject(before, {"his": "he", "her": "she"}.get(named["whose"].lower(), "it"))
        return None if whose is None or " " in whose else f"my {whose}'s name is {named['name']}"
    match = _SAID_OF.match(words)
    subject = None if match is None else _subject(before, match["who"].lower())
    return None if match is None or subject is None else f"my {subject} {match['rest']}"


def _subject(before: Candidate, pronoun: str) -> str | None:
    parts = (before.key or "").split("|")
    if parts[:2] != ["relationship", "person"] or len(parts) < 4:
        return None
    name = before.entity_label or ""
    if parts[2:4] == ["self", "pet"]:
        kind = (before.value or "") if name else parts[4] if before.value == "1" else ""
        return f"{kind.replace('_', ' ')} {name}".strip() if kind and " " not in name else None
    relation = parts[2]
    wrong = _HE if pronoun == "she" else _SHE
    if relation == "self" or pronoun == "it" or wrong.fullmatch(relation):
        return None
    return f"{relation.replace('_', ' ')} {name}".strip()
