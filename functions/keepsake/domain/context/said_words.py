"""Whether a text says what others say already, by the words and figures that both have, in any language.

Which word is small, and which form of a word is the same, is not known of a language: short words count for nothing, a
word counts as said where one begins as it does, and every figure must be said. In scripts without spaces, any two
letters side by side are a word.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from keepsake.domain.screening.readable_text import UNSPACED_LETTER
from keepsake.domain.text import split_at_sentences, words

_ISO_DATE = re.compile(r"\b\d{4}-\d\d-(\d\d)\b")
_YEAR = re.compile(r"(?:19|20)\d\d")
_PART = re.compile(r"\d+|\D+")
_MIN_LETTERS, _STEM = 4, 5
_HAVE = frozenset({"have", "having"})
"""Forms of "has", which is too short to count: "I have a dog named Rex" says what "Has a dog named Rex" does."""
SAME, MOSTLY = 0.8, 0.5
"""How much of a sentence is said where it says nothing more, and where others say it in their words."""
_SHARED = 3
"""Words that two sentences about the same have in common, or a third of the shorter one's."""


@lru_cache(maxsize=4096)
def key_words(text: str) -> frozenset[str]:
    """The words and figures that tell what a text is about: of a date the day, of a word how it begins."""
    found = words(_ISO_DATE.sub(lambda match: str(int(match[1])), text))
    return frozenset(key for word in found for key in _keys(word) if not _YEAR.fullmatch(key))


def _keys(word: str) -> Iterator[str]:
    if UNSPACED_LETTER.search(word):
        for part in _PART.findall(word):
            yield from (part,) if part.isdigit() or len(part) == 1 else map("".join, pairwise(part))
    elif word[0].isdigit():
        yield word
    elif word not in _HAVE and (len(word) >= _MIN_LETTERS or not word.isascii()):
        yield word.removesuffix("s")[:_STEM]


@dataclass(slots=True)
class SaidWords:
    """What was told: the key words of each sentence, and all words."""

    sentences: list[frozenset[str]] = field(default_factory=list)
    places: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    """The sentences with a key word, by their numbers: of many sentences few are about the same."""
    words: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, texts: Iterable[str]) -> SaidWords:
        """What these texts tell."""
        said = cls()
        for text in texts:
            said.add(text)
        return said

    def add(self, text: str) -> None:
        """Note what a text tells."""
        for sentence in split_at_sentences(text):
            keys = key_words(sentence)
            for key in keys:
                self.places[key].append(len(self.sentences))
            self.sentences.append(keys)
        self.words.update(words(text))

    def has(self, text: str, share: float = SAME) -> bool:
        """Whether sentences about the same say this much of what the text says, with all its figures."""
        wanted = key_words(text)
        figures = {word for word in wanted if word[0].isdigit()}
        enough = min(_SHARED, len(wanted) / 3)
        shared = Counter(place for key in wanted for place in self.places.get(key, ()))
        said = frozenset[str]().union(*(self.sentences[place] for place, count in shared.items() if count >= enough))
        return bool(wanted) and figures <= said and len(wanted & said) >= share * len(wanted)

    def has_names(self, text: str) -> bool:
        """Whether each name in a text is told: what begins in upper case, or each word of a script without it."""
        parts = re.findall(r"[^\W\d_]+", text)
        names = [one.casefold() for one in parts if one[0].isupper()] or [one for one in parts if not one.islower()]
        return bool(names) and all(any(word.startswith(name) for word in self.words) for name in names)
