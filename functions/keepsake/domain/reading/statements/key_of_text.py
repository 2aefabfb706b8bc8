"""Finds the key of a statement that has none: an edit by the person, an import, a text by a model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from keepsake.domain.english.inflection import third_person_base
from keepsake.domain.english.kinship import RELATIONS
from keepsake.domain.memory import Candidate
from keepsake.domain.reading.clauses.normalize_clause import normalize_clause
from keepsake.domain.reading.clauses.split_clauses import Clause
from keepsake.domain.reading.statements.rules import from_clause
from keepsake.domain.reading.statements.statement_candidate import statement_candidate
from keepsake.domain.text import normalize_apostrophes

_BASE = {"is": "am", "was": "was"}
_BEGINNINGS = {
    "Likes to be called ": "Call me ",
    "Allergic to ": "I am allergic to ",
    "Not allergic to ": "I am not allergic to ",
    "Their ": "my ",
}
"""How statements in the third person begin that have no verb for "I", and the same in the first person."""
_USER = re.compile(r"(?:The )?[Uu]ser(?:'s)? ")
_FIRST_PERSON = frozenset({"i", "my", "we", "our"})
_OF_AUTHOR = {"their": "my", "them": "me"}
_THEIR = re.compile(r"(?<![/\w])(?:their|them)\b")
_ATTRIBUTE = re.compile(rf"(?:favou?rite|name|nickname|birthday|pronouns|home ?town|(?:{RELATIONS})\b)", re.IGNORECASE)


@lru_cache(maxsize=4096)
def key_of(text: str) -> tuple[str, str] | None:
    """The key and value of a statement in the third person ("Lives in Rome"), or None where the rules know none."""
    found = read_statement(text)
    return None if found is None or found.key is None or found.value is None else (found.key, found.value)


def keys_of(texts: Sequence[str]) -> list[tuple[str, str] | None]:
    """The same of several statements."""
    return [key_of(text) for text in texts]


def read_statement(text: str, *, retracted: bool = False) -> Candidate | None:
    """The candidate of a statement in the third or first person; None where the rules know no key for it.

    With ``retracted`` also one that retracts something ("No longer lives in Rome").
    """
    words = normalize_clause(_first_person(text.strip().rstrip("."))).words
    found = from_clause(Clause(words=words, quote=words)) or statement_candidate(words, words)
    is_known = found.key is not None and found.value is not None and (retracted or not found.retracts)
    return found if is_known else None


def _first_person(text: str) -> str:
    """A statement of either person as one of its author."""
    if user := _USER.match(text):
        text = text[user.end() :]
    for beginning, replacement in _BEGINNINGS.items():
        if text.startswith(beginning):
            return f"{replacement}{text.removeprefix(beginning)}"
    verb, _, rest = text.partition(" ")
    subject = normalize_apostrophes(verb.lower()).partition("'")[0]  # "I've", "we're"
    if subject in _FIRST_PERSON or text.lower().startswith("call me "):
        return text
    if _ATTRIBUTE.match(text):
        return f"my {text[:1].lower()}{text[1:]}"
    verb = _BASE.get(verb.lower()) or third_person_base(verb.lower())
    return f"I {verb} {_THEIR.sub(lambda match: _OF_AUTHOR[match[0]], rest)}"
