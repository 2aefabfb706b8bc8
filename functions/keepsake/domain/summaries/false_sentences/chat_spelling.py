"""Writes chat messages in full: "gareths here, shes cross cos of no 9" as one would in a letter."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import lru_cache

from keepsake.domain.english.grammar.word_forms import is_known_word
from keepsake.domain.english.inflection import is_finite
from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.load_word_lists import load_pairs
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.text import normalize_apostrophes

_SPELLINGS = {
    short: long
    for name in ("contractions", "spellings")
    for short, long in load_pairs(name).items()
    if short.isalpha() and len(short) > 1
}
_WORD = re.compile(r"(?<![\w'])[a-z]{2,}(?:'s)?(?![\w'])")
_NUMBER = re.compile(r"\bno\.? (?=\d)")
_SUBJECT = re.compile(r"(?:^|[.,!?;:\n] ?|\b(?:and|but|so|cos|because|told) )(?P<name>[a-z]{2,20}) (?P<verb>[a-z']+)")


def find_subjects(texts: Iterable[str]) -> frozenset[str]:
    """Names in small letters: no dictionary has them, and a verb follows them at the beginning of a clause."""
    found = (match for text in texts for match in _SUBJECT.finditer(normalize_apostrophes(text).casefold()))
    names = {match["name"] for match in found if _is_unknown(match["name"]) and is_finite(match["verb"])}
    return frozenset(name for name in names if name.removesuffix("s") not in names - {name})


@lru_cache(maxsize=1024)  # the sentences of a reply are checked one by one against the same texts
def spell_out(text: str, names: Collection[str]) -> str:
    """The text with its shortened words in full, and with capital letters for these names."""

    def replace(match: re.Match[str]) -> str:
        word = match[0]
        name = word.removesuffix("'s")
        if name in names:
            return word.capitalize()
        if word.endswith("s") and word[:-1] in names and word not in names:
            return f"{word[:-1].capitalize()}'s"
        return _SPELLINGS.get(word, word)

    return _WORD.sub(replace, _NUMBER.sub("number ", normalize_apostrophes(text)))


def _is_unknown(word: str) -> bool:
    return not is_known_word(word) and word not in STOPWORDS | _SPELLINGS.keys() and kinship_of(word) is None
