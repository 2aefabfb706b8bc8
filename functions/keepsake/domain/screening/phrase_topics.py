"""Phrases by topic: which topics the words of a sentence speak of, by lists of phrases."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from keepsake.domain.screening.homoglyphs import fold_homoglyphs

UNSPACED_LETTER = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""A letter of a script that writes no spaces between words, or few."""

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_ENTRY_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*\*?")
_SPACED_SCRIPT = re.compile("[\u0000-\u058f\u1e00-\u1fff]")
_START, _ANY_ENDING = "^", "*"
_MAX_KNOWN = 20_000

_Phrase = tuple[tuple[str, ...], str]
"""The words of a phrase, and its topic."""


def strip_marks(text: str) -> str:
    """The text without accents and vowel signs, which people leave out."""
    if text.isascii():
        return text
    letters = (one for one in unicodedata.normalize("NFD", text) if unicodedata.category(one)[0] != "M")
    return unicodedata.normalize("NFC", "".join(letters))


@dataclass(slots=True)
class PhraseIndex:
    """Phrases by their first word, or by how it begins where its ending is open.

    A phrase in a script that writes no spaces between words is looked for as a part of the text.
    """

    words: dict[str, list[_Phrase]] = field(default_factory=lambda: defaultdict(list))
    prefixes: dict[str, list[_Phrase]] = field(default_factory=lambda: defaultdict(list))
    starts: dict[str, list[_Phrase]] = field(default_factory=lambda: defaultdict(list))
    parts: list[tuple[str, str]] = field(default_factory=list)
    known: dict[str, tuple[_Phrase, ...]] = field(default_factory=dict)
    """The phrases that may begin with a word, of words that were looked up before."""

    @classmethod
    def of(cls, phrases: Mapping[str, Iterable[str]]) -> PhraseIndex:
        """The index of phrases by topic; ``*`` ends a word of any ending, ``^`` begins what a text begins with."""
        index = cls()
        for topic, entries in phrases.items():
            for entry in entries:
                index._add(entry, topic)
        return index

    def topics(self, sentence: str, *, is_first: bool = True) -> set[str]:
        """The topics of the phrases in a lower-case sentence; ``is_first`` where the text begins with it."""
        normalized = strip_marks(sentence)
        words = _WORD.findall(normalized)
        found = set() if normalized.isascii() else {topic for part, topic in self.parts if part in normalized}
        if words and is_first:
            found |= {topic for phrase, topic in self.starts.get(words[0], ()) if _stands_at(words, 0, phrase)}
        for start, word in enumerate(words):
            for phrase, topic in self._beginning_with(word):
                if topic not in found and _stands_at(words, start, phrase):
                    found.add(topic)
        return found

    def _beginning_with(self, word: str) -> tuple[_Phrase, ...]:
        phrases = self.known.get(word)
        if phrases is None:
            beginnings = (word[:length] for length in range(1, len(word) + 1))
            by_prefix = (phrase for beginning in beginnings for phrase in self.prefixes.get(beginning, ()))
            phrases = (*self.words.get(word, ()), *by_prefix)
            if len(self.known) < _MAX_KNOWN:
                self.known[word] = phrases
        return phrases

    def _add(self, entry: str, topic: str) -> None:
        is_start, normalized = entry.startswith(_START), strip_marks(entry.removeprefix(_START).lower())
        if _SPACED_SCRIPT.match(normalized) is None:
            self.parts.append((normalized, topic))
            return
        for phrase in {tuple(_ENTRY_WORD.findall(form)) for form in (normalized, fold_homoglyphs(normalized))}:
            first = phrase[0]
            if is_start:
                self.starts[first].append((phrase, topic))
            elif first.endswith(_ANY_ENDING):
                self.prefixes[first.removesuffix(_ANY_ENDING)].append((phrase, topic))
            else:
                self.words[first].append((phrase, topic))


def _stands_at(words: Sequence[str], start: int, phrase: Sequence[str]) -> bool:
    """Whether the words from a position on are those of the phrase."""
    if start + len(phrase) > len(words):
        return False
    for word, part in zip(words[start : start + len(phrase)], phrase, strict=True):
        if word != part and not (part.endswith(_ANY_ENDING) and word.startswith(part[:-1])):
            return False
    return True
