"""A table of words and beginnings of words with what they may mean, in scripts with and without blanks."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from keepsake.domain.evidence.text_forms import fold, folded_words, has_no_spaces

Sense = tuple[str, str]
"""A kind (``month``, ``past``) and which of it (``3``); empty where the kind says it all."""


class WordTable:
    """Words with their senses in some languages."""

    def __init__(self, rows: Iterable[tuple[Sense, str]]) -> None:
        self._whole: dict[str, set[Sense]] = {}
        self._beginnings: dict[str, set[Sense]] = {}
        self._inside: dict[str, set[Sense]] = {}
        self._phrases: dict[tuple[str, ...], set[Sense]] = {}
        self._pieces: dict[str, set[Sense]] = {}
        for sense, written in rows:
            self._add(sense, written)
        self.senses = lru_cache(maxsize=4096)(self._senses)
        """What a folded word may mean."""

    def _add(self, sense: Sense, written: str) -> None:
        word = fold(written.strip("*").replace("~", " "))
        if has_no_spaces(word):
            self._pieces.setdefault(word, set()).add(sense)
        elif written.startswith("*"):
            self._inside.setdefault(word, set()).add(sense)
        elif written.endswith("*"):
            self._beginnings.setdefault(word, set()).add(sense)
        elif len(parts := folded_words(word)) > 1:
            self._phrases.setdefault(parts, set()).add(sense)
        else:
            self._whole.setdefault(word, set()).add(sense)

    def _senses(self, word: str) -> frozenset[Sense]:
        found = set(self._whole.get(word, ()))
        for length in range(2, len(word) + 1):
            found |= self._beginnings.get(word[:length], set())
        for part, senses in self._inside.items():
            if part in word[1:]:
                found |= senses
        return frozenset(found)

    def pieces(self, text: str) -> list[tuple[str, Sense]]:
        """The words of scripts without blanks that occur in a text, each with what it may mean."""
        folded = fold(text)
        return [(piece, sense) for piece, senses in self._pieces.items() if piece in folded for sense in senses]

    def occurrences(self, text: str) -> list[tuple[int, Sense]]:
        """What the words of a text may mean, each with the index of its word."""
        said = folded_words(text)
        found = [(index, sense) for index, word in enumerate(said) for sense in self.senses(word)]
        for phrase, senses in self._phrases.items():
            for index in range(len(said) - len(phrase) + 1):
                if said[index : index + len(phrase)] == phrase:
                    found += [(index, sense) for sense in senses]
        if has_no_spaces(text):
            folded = fold(text)
            for piece, senses in self._pieces.items():
                start = folded.find(piece)
                while start >= 0:
                    found += [(start, sense) for sense in senses]
                    start = folded.find(piece, start + 1)
        return sorted(found)
