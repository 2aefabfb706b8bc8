"""Finds the words and phrases of a list in a text, in any case and with any accents: names of topics and of secrets."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from keepsake.domain.screening.readable_text import UNSPACED_LETTER, fold_homoglyphs

Span = tuple[int, int]

_TOKEN = re.compile(r"[^\W_]+|[.!?;\n]")
_STAR = "*"
_Phrases = dict[str, list[tuple[str, ...]]]


class PhraseList:
    """Words and phrases to find. "diabet*" stands for every word that begins so, an acronym counts in capitals alone.

    What is written in a script without spaces may have letters beside it. A phrase of ``ordinary`` hides those within.
    """

    def __init__(self, entries: Sequence[str], ordinary: Iterable[str] = ()) -> None:
        self._acronyms = frozenset(entry for entry in entries if entry.isupper() and entry.isalpha())
        self._unspaced = tuple(entry for entry in entries if UNSPACED_LETTER.match(entry))
        self._beginnings = tuple(_fold(one)[:-1] for one in entries if one.endswith(_STAR) and " " not in one)
        self._phrases = _by_first_word(one for one in entries if one not in self._acronyms)
        self._ordinary = _by_first_word(ordinary)

    def find(self, text: str) -> list[Span]:
        """Where entries stand, in their order."""
        return sorted(self._find(text))

    def is_in(self, text: str) -> bool:
        """Whether any entry stands in the text."""
        return next(self._find(text), None) is not None

    def _find(self, text: str) -> Iterator[Span]:
        tokens = [*_TOKEN.finditer(fold_homoglyphs(text))]
        words = [token[0].casefold() for token in tokens]
        end = 0
        for index, word in enumerate(words):
            if index < end:
                continue
            hidden, length = _count_words(self._ordinary, words, index), _count_words(self._phrases, words, index)
            if not length and (tokens[index][0] in self._acronyms or word.startswith(self._beginnings)):
                length = 1
            end = index + max(hidden, length)
            if length > hidden:
                yield tokens[index].start(), tokens[end - 1].end()
        for entry in () if text.isascii() else self._unspaced:
            yield from (match.span() for match in re.finditer(entry, text))


def _fold(entry: str) -> str:
    return fold_homoglyphs(entry).casefold()


def _by_first_word(entries: Iterable[str]) -> _Phrases:
    phrases: _Phrases = defaultdict(list)
    for entry in entries:
        words = (*_TOKEN.findall(_fold(entry)),)
        if len(words) > 1 or not entry.endswith(_STAR):
            phrases[words[0]].append((*words[:-1], words[-1] + _STAR * entry.endswith(_STAR)))
    return dict(phrases)


def _count_words(phrases: _Phrases, words: list[str], index: int) -> int:
    """How many words the longest phrase has that begins at a word; 0 where none does."""
    if (listed := phrases.get(words[index])) is None:
        return 0
    return max((len(one) for one in listed if _fits(one, words[index : index + len(one)])), default=0)


def _fits(phrase: tuple[str, ...], words: list[str]) -> bool:
    *others, last = phrase
    if len(words) < len(phrase) or words[:-1] != others:
        return False
    return words[-1] == last or (last.endswith(_STAR) and words[-1].startswith(last[:-1]))
