"""Finds the words and phrases of a list in a text, with the names of the sections that they stand in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from keepsake.domain.english.load_word_lists import load_sections

_WORD = re.compile(r"[^\W_]+(?:['-][^\W_]+)*|&")
_SIBILANT_PLURALS = ("ches", "shes", "xes", "sses")
_MIN_PLURAL = 4
_REPEATED_SHARE = 0.5
"""What each further word of a section adds, of the strength of the first."""


@dataclass(frozen=True, slots=True)
class PhraseLookup:
    """The sections in which each phrase stands, by its first word; the longest phrase comes first.

    A phrase is a tuple of words in the singular.
    """

    phrases: Mapping[str, Sequence[tuple[tuple[str, ...], tuple[str, ...]]]]

    @classmethod
    def load(cls, name: str, package: str) -> PhraseLookup:
        """The lookup of ``data/<name>.txt`` of a package."""
        sections: dict[tuple[str, ...], dict[str, None]] = {}
        for section, entries in load_sections(name, package).items():
            for entry in entries:
                sections.setdefault(tuple(singular_words(entry)), {})[section] = None
        phrases: dict[str, list[tuple[tuple[str, ...], tuple[str, ...]]]] = {}
        for phrase in sorted(sections, key=len, reverse=True):
            phrases.setdefault(phrase[0], []).append((phrase, tuple(sections[phrase])))
        return cls(phrases)

    def strengths(self, text: str) -> dict[str, float]:
        """How much the text has of each section: a phrase that stands in several says less about each of them."""
        strengths: dict[str, float] = {}
        for names in self.find(singular_words(text)):
            strength = len(names) ** -0.5
            for name in names:
                strengths[name] = strengths[name] + _REPEATED_SHARE * strength if name in strengths else strength
        return strengths

    def find(self, words: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """The sections of each phrase in the words; of phrases that begin at one word, the longest counts."""
        at = 0
        while at < len(words):
            for phrase, names in self.phrases.get(words[at], ()):
                if tuple(words[at : at + len(phrase)]) == phrase:
                    yield names
                    at += len(phrase) - 1
                    break
            at += 1


def singular_words(text: str) -> list[str]:
    """The words of a text in small letters, nouns in the singular."""
    return [_singular(word) for word in _WORD.findall(text.lower().replace("\u2019", "'"))]


def _singular(word: str) -> str:
    word = word.removesuffix("'s")
    if len(word) < _MIN_PLURAL or not word.endswith("s") or word.endswith("ss"):
        return word
    if word.endswith("ies") and len(word) > _MIN_PLURAL:
        return word[:-3] + "y"
    return word[:-2] if word.endswith(_SIBILANT_PLURALS) and len(word) > _MIN_PLURAL else word[:-1]
