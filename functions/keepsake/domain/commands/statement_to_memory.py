"""Makes a candidate of a statement that the person asks to remember, where no rule matches it."""

from __future__ import annotations

from dataclasses import replace

from keepsake.domain.english.third_person import third_person
from keepsake.domain.memory import MAX_TEXT_LENGTH, Candidate, MemoryType, Subtype
from keepsake.domain.reading.clauses import normalize_clause
from keepsake.domain.reading.message import ENGLISH, is_other_language
from keepsake.domain.text import normalize_apostrophes, truncate_words

_GOALS = ("want", "plan", "hope", "intend", "would like", "am going", "am planning", "am hoping")
_MIN_LENGTH = 2
_BEGINNINGS_OF_GOALS = tuple(f"i {verb} to " for verb in _GOALS)


def parse_statement(statement: str, *, language: str = ENGLISH) -> Candidate | None:
    """The statement in the third person; None where it has less than two letters or digits.

    Its subtype is not a preference, so it is not always shown, but only where it is relevant.
    """
    normalized = " ".join(statement.split()).strip(" ,;:")
    if sum(map(str.isalnum, normalized)) < _MIN_LENGTH:
        return None
    if language != ENGLISH or is_other_language(normalized):  # as it was said: English grammar does not apply to it
        text = truncate_words(normalized[:1].upper() + normalized[1:], MAX_TEXT_LENGTH).strip(" .")
        return replace(_candidate(MemoryType.FACT, text, normalized), language=language)
    first_person = normalize_clause(normalize_apostrophes(normalized)).words or normalized
    kind = MemoryType.GOAL if first_person.casefold().startswith(_BEGINNINGS_OF_GOALS) else MemoryType.FACT
    text = truncate_words(third_person(first_person).strip(" ."), MAX_TEXT_LENGTH)
    return _candidate(kind, text, normalized)


def _candidate(kind: MemoryType, text: str, statement: str) -> Candidate:
    quote = truncate_words(statement, MAX_TEXT_LENGTH)
    return Candidate(kind, Subtype.OTHER, text, quote, confidence=1.0, importance=2, why="as_said")
