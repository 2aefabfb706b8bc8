"""Finds the words and phrases of a table in a text, in any form of the words, with what the table says of each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import contains

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*|&")
_MIN_STEM = 3
_MIN_BRITISH = 6

Phrase = tuple[str, ...]
Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PhraseLookup:
    """What each phrase names, by its first word; the longest phrase comes first."""

    phrases: Mapping[str, Sequence[tuple[Phrase, Names]]]
    words: frozenset[str]
    """All words of the phrases."""

    @classmethod
    def of(cls, table: Mapping[str, Names]) -> PhraseLookup:
        """The lookup of a table of phrases."""
        phrases: dict[str, list[tuple[Phrase, Names]]] = {}
        for phrase, names in sorted(table.items(), key=lambda row: -len(row[0])):
            words = tuple(words_of(phrase))
            phrases.setdefault(words[0], []).append((words, names))
        return cls(phrases, frozenset(word for phrase in table for word in words_of(phrase)))

    def find(self, text: str) -> Iterator[Names]:
        """What each phrase in the text names; of phrases that begin at one word, the longest counts."""
        words = words_of(text)
        forms = [(word, self._base_form(word)) for word in words]
        at = 0
        while at < len(words):
            length, names = self._match(forms[at:])
            if names:
                yield names
            at += length

    def _match(self, forms: Sequence[tuple[str, str]]) -> tuple[int, Names]:
        """The length of the phrase that the words begin with, and what it names; 1 and nothing without one."""
        for first in dict.fromkeys(forms[0]):
            for phrase, names in self.phrases.get(first, ()):
                if len(phrase) <= len(forms) and all(map(contains, forms[1:], phrase[1:])):
                    return len(phrase), names
        return 1, ()

    def _base_form(self, word: str) -> str:
        """The word that a word is a form of, if the table has one, or the word itself."""
        return next((one for one in _base_forms(word) if one in self.words), word)


def words_of(text: str) -> list[str]:
    """The words of a text in small letters; a hyphen parts words."""
    return _WORD.findall(text.lower().replace("\u2019", "'"))


def _base_forms(word: str) -> Iterator[str]:
    """What a word may be a form of: a plural, a possessive, a verb form in -ing or -ed; or its American spelling."""
    if len(word) >= _MIN_BRITISH:
        yield word.replace("our", "or")
    if word.endswith("'s"):
        yield word[:-2]
    elif word.endswith("s") and len(word) > _MIN_STEM and not word.endswith("ss"):
        yield word[:-1]
        yield word.removesuffix("ies") + "y"
        yield word.removesuffix("es")
    for ending in ("ing", "ed"):
        stem = word.removesuffix(ending)
        if _MIN_STEM <= len(stem) < len(word):
            yield stem
            yield stem + "e"
            yield stem.removesuffix("i") + "y"
            if stem[-1] == stem[-2]:
                yield stem[:-1]
