"""Whether two statements say the same: alike in wording, and different in nothing that changes the meaning."""

from __future__ import annotations

import re

from rapidfuzz import fuzz

from keepsake.domain.english.calendar_words import MONTHS, WEEKDAYS
from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.number_words import NUMBER_WORDS, TENS
from keepsake.domain.text import normalize_apostrophes, normalize_words, stem, word_set, words

MIN_SIMILARITY = 0.85

_NEGATIONS = word_set("""
    not no never none nobody nothing neither nor cannot can't don't doesn't didn't isn't aren't wasn't won't
    without hardly barely rarely seldom longer anymore stopped quit former ex used avoid avoids dislike dislikes
    hate hates unable refuse refuses non
""")
_NUMBERS = frozenset(
    {*NUMBER_WORDS, *TENS, *WEEKDAYS, *(f"{day}s" for day in WEEKDAYS), *map(str.lower, MONTHS)}
) | word_set("""
    hundred thousand million first second third once twice daily weekly monthly yearly morning mornings evening
    evenings night nights afternoon noon midnight spring summer autumn fall winter yesterday today tomorrow last next
""")
_LOOSE = word_set("""
    a an the and or to of in on at for with from by as is are was be been has have had do does did that this it
    its their them they she he her his i my me we our you your so very really quite also just too much lot lots
    always usually often generally currently now some any all user
""")
_SAME = {"love": "like", "enjoy": "like", "adore": "like", "colour": "color", "favourite": "favorite", "detest": "hate"}
_CAPITALISED = re.compile(r"(?<![.!?]\s)(?<!^)\b[A-Z][\w'-]*")


def similarity(one: str, other: str) -> float:
    """How alike two texts are in wording, from 0 to 1, on their normalised forms."""
    return fuzz.ratio(normalize_words(one), normalize_words(other), score_cutoff=MIN_SIMILARITY * 100) / 100


def difference(one: str, other: str) -> str | None:
    """What keeps two alike texts apart (``numbers``, ``negation``, ``kinship``, ``names``, ``words``), or None."""
    left, right = words(one), words(other)
    for kind, known in (("numbers", _NUMBERS), ("negation", _NEGATIONS)):
        if _of(left, known, kind) != _of(right, known, kind):
            return kind
    if _relations(left) != _relations(right):
        return "kinship"
    if _names(one) - set(right) or _names(other) - set(left):
        return "names"
    return "words" if _replaced(left, right) else None


def says_the_same(one: str, other: str) -> bool:
    """True where the texts are more than 0.85 alike and nothing in them differs that matters."""
    return similarity(one, other) > MIN_SIMILARITY and difference(one, other) is None


def _of(tokens: list[str], known: frozenset[str], kind: str) -> list[str]:
    digits = kind == "numbers"
    return sorted(
        token for token in tokens if token in known or (digits and any(character.isdigit() for character in token))
    )


def _relations(tokens: list[str]) -> list[str]:
    return sorted(relation for token in tokens if (relation := kinship_of(token)))


def _names(text: str) -> set[str]:
    return {word for name in _CAPITALISED.findall(normalize_apostrophes(text)) for word in words(name)}


def _replaced(left: list[str], right: list[str]) -> bool:
    """True where each text has a content word the other lacks: one thing was put in the place of another."""
    ours, theirs = _content(left), _content(right)
    return bool(ours - theirs) and bool(theirs - ours)


def _content(tokens: list[str]) -> set[str]:
    return {kinship_of(token) or _SAME.get(stemmed := stem(token), stemmed) for token in tokens if token not in _LOOSE}
