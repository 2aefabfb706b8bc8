"""Finds where a statement ends: remarks that follow it are not remembered."""

from __future__ import annotations

import re

from keepsake.domain.english.load_word_lists import load_alternations, load_sections
from keepsake.domain.reading.clauses import clause_filters

_WORDS = load_alternations("trailing_remarks")

_NO_DEGREE = "".join(rf"(?<!\b{word})" for word in load_sections("trailing_remarks")["before_degree"])
_REMARK = re.compile(
    rf"{_WORDS['remarks']}|"
    rf"{_NO_DEGREE},?\s{{1,4}}so\b(?! (?:(?:i|we) (?:can|could)|that|much|many|far|little|few|long|called|often)\b)",
    re.I,
)
_NAMED = re.compile(r" (?:named|called) [\w'-]+(?= (?:who|which|that)\b|, (?:who|which|an?|the|my|our)\b)", re.I)
_DANGLING_WORDS = frozenset(load_sections("trailing_remarks")["dangling_words"])
_STRANDED = re.compile(_WORDS["stranded"], re.I)
_MIN_LENGTH = 6
_RELATIVE = re.compile(
    r"^(?P<who>(?:my|our) [\w' -]{2,40}), (?:who|which) (?P<aside>[^,]{2,120}), (?P<main>.+)$", re.I | re.S
)


def statement_length(clause: str) -> int:
    """The length of the statement at the beginning of a clause."""
    if clause_filters.is_fronted_phrase(clause) or _RELATIVE.match(clause.strip()):
        return len(clause)
    remark, named = _REMARK.search(clause, _MIN_LENGTH), _NAMED.search(clause)
    return min(remark.start() if remark else len(clause), named.end() if named else len(clause))


def is_incomplete(words: str) -> bool:
    """Whether the words end in the middle of a phrase ("enough to ask what", "I live in")."""
    return words.rpartition(" ")[2].lower() in _DANGLING_WORDS or _STRANDED.fullmatch(words) is not None


def split_relative_clause(words: str) -> tuple[str, str] | None:
    """The two statements of "my sister, who lives in Oslo, is a nurse"."""
    match = _RELATIVE.match(words)
    return None if match is None else (f"{match['who']} {match['aside']}", f"{match['who']} {match['main']}")
