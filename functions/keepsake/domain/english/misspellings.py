"""Corrects misspelled words: one letter missing, too many, wrong or exchanged, in words that tell about a life."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from rapidfuzz.distance import OSA

from keepsake.domain.english.kinship import RELATION_OF
from keepsake.domain.english.lemmas import PartOfSpeech, known_lemmas
from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.english.word_groups import JOBS, ROLES

_MIN_LENGTH = 5
_MIN_LENGTH_OF_LISTED = 6
_PARTS: tuple[PartOfSpeech, ...] = ("NOUN", "VERB", "ADJ", "ADV", "AUX")
_CANDIDATE = re.compile(rf"(?<![\w'/.@#-])[a-z]{{{_MIN_LENGTH},20}}(?![\w'/@-])")


def correct_words(text: str) -> dict[str, str]:
    """The misspelled words of a text in lower case, each with the word it stands for."""
    words = {match[0] for match in _CANDIDATE.finditer(text)}
    return {word: corrected for word in words if (corrected := _correction(word)) is not None}


@lru_cache(16_384)
def _correction(word: str) -> str | None:
    """The only listed word that is one letter from a word no dictionary has; None where there is no such."""
    listed = _listed_words()
    if word in listed or word.removesuffix("s") in listed or any(known_lemmas(word, part) for part in _PARTS):
        return None
    near = [other for other in listed if _is_near(word, other)]
    return near[0] if len(near) == 1 else None


@cache
def _listed_words() -> frozenset[str]:
    """Every word that is corrected to."""
    people = {word for word in JOBS | ROLES if len(word) > _MIN_LENGTH_OF_LISTED} | RELATION_OF.keys()
    people = {word for word in people if word.isascii() and word.isalpha() and len(word) >= _MIN_LENGTH_OF_LISTED}
    return load_words("often_misspelled") | people | {f"{word}s" for word in people}


def _is_near(word: str, other: str) -> bool:
    """Whether two words with the same first letter are one letter, or two exchanged ones, apart.

    Another letter makes a surname of many a word for people ("tailor", "Taylor"), so that none is corrected there.
    """
    if word[0] != other[0] or OSA.distance(word, other, score_cutoff=1) != 1:
        return False
    has_another_letter = len(word) == len(other) and sorted(word) != sorted(other)
    return not has_another_letter or other in load_words("often_misspelled")
