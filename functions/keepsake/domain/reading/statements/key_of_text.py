"""Finds the key of a statement that has none: an edit by the person, an import, a text by a model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from keepsake.domain.english.grammar.verb_phrase import read_verb_phrase
from keepsake.domain.english.kinship import RELATIONS
from keepsake.domain.english.verbs import third_person_base
from keepsake.domain.memory import Candidate
from keepsake.domain.reading.clauses.normalize_clause import normalize_clause
from keepsake.domain.reading.clauses.split_clauses import Clause
from keepsake.domain.reading.statements.matching.apply_rules import from_clause
from keepsake.domain.reading.statements.statement_classifier.statement_candidate import statement_candidate

_BASE = {"is": "am", "was": "was"}
_PHRASES = (
    (re.compile(r"^Likes to be called (.+)$"), r"Call me \1"),
    (re.compile(r"^(Not allergic|Allergic) to (.+)$"), r"I am \1 to \2"),
    (re.compile(r"^Feels (.+)$"), r"I feel \1"),
    (re.compile(r"^(?:The )?[Uu]ser(?:'s)? (.+)$"), r"\1"),
)
_FIRST_PERSON = re.compile(r"^(?:I|I['’](?:m|ve|d|ll)|My|We|Our|Call me)\b(?! [:=])", re.IGNORECASE)
_ATTRIBUTE = re.compile(rf"^(?:favou?rite|name|nickname|birthday|pronouns|home ?town|(?:{RELATIONS})\b)", re.IGNORECASE)


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
    found = from_clause(Clause(words=words, quote=words)) or statement_candidate(words, read_verb_phrase(words), words)
    is_known = found.key is not None and found.value is not None and (retracted or not found.retracts)
    return found if is_known else None


def _first_person(text: str) -> str:
    for pattern, replacement in _PHRASES:
        if pattern.match(text):
            text = pattern.sub(replacement, text)
    if _FIRST_PERSON.match(text):
        return text.replace("I am Allergic", "I am allergic").replace("I am Not", "I am not")
    if text.startswith("Their "):
        return f"my {text[len('Their ') :]}"
    if _ATTRIBUTE.match(text):
        return f"my {text[:1].lower()}{text[1:]}"
    verb, _, rest = text.partition(" ")
    in_first_person = re.sub(r"\btheir\b", "my", re.sub(r"\bthem\b", "me", rest))
    return f"I {_BASE.get(verb.lower()) or third_person_base(verb.lower())} {in_first_person}"
