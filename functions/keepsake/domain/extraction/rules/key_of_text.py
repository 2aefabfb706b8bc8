"""The key of a statement that came without one: a person's own edit, an import, a model's text."""

from __future__ import annotations

import re
from functools import lru_cache

from keepsake.domain.english.kinship import RELATIONS
from keepsake.domain.english.verbs import third_person_base
from keepsake.domain.extraction.rules.clauses import Clause
from keepsake.domain.extraction.rules.engine import from_clause
from keepsake.domain.extraction.rules.normalize import canonical
from keepsake.domain.memory import Candidate

_BASE = {"is": "am", "was": "was"}
_PHRASES = (
    (re.compile(r"^Likes to be called (.+)$"), r"Call me \1"),
    (re.compile(r"^(Not allergic|Allergic) to (.+)$"), r"I am \1 to \2"),
    (re.compile(r"^Feels (.+)$"), r"I feel \1"),
    (re.compile(r"^(?:The )?[Uu]ser(?:'s)? (.+)$"), r"\1"),
)
_SPOKEN = re.compile(r"^(?:I|I['’](?:m|ve|d|ll)|My|We|Our|Call me)\b(?! [:=])", re.IGNORECASE)
_OWN = re.compile(rf"^(?:favou?rite|name|nickname|birthday|pronouns|home ?town|(?:{RELATIONS})\b)", re.IGNORECASE)


@lru_cache(maxsize=4096)
def key_of(text: str) -> tuple[str, str] | None:
    """The key and value of a statement in the third person ("Lives in Rome"), or None where the rules know none."""
    found = statement_of(text)
    return None if found is None or found.key is None or found.value is None else (found.key, found.value)


def statement_of(text: str, *, retracted: bool = False) -> Candidate | None:
    """What the rules read in a statement in the third person (or the first); None where they know it under no key.

    With ``retracted`` also one that takes something back ("No longer lives in Rome").
    """
    spoken = canonical(_first_person(text.strip().rstrip("."))).words
    found = from_clause(Clause(words=spoken, quote=spoken))
    if found is None or found.key is None:
        return None
    if found.retracts:
        return found if retracted else None
    return None if found.value is None else found


def _first_person(text: str) -> str:
    for pattern, replacement in _PHRASES:
        if pattern.match(text):
            text = pattern.sub(replacement, text)
    if _SPOKEN.match(text):
        return text.replace("I am Allergic", "I am allergic").replace("I am Not", "I am not")
    if text.startswith("Their "):
        return f"my {text[len('Their ') :]}"
    if _OWN.match(text):
        return f"my {text[:1].lower()}{text[1:]}"
    verb, _, rest = text.partition(" ")
    turned = re.sub(r"\btheir\b", "my", re.sub(r"\bthem\b", "me", rest))
    return f"I {_BASE.get(verb.lower()) or third_person_base(verb.lower())} {turned}"
