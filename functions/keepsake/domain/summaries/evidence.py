"""Checks the sentences of a model's summary against its sources, and drops what is not in them.

A sentence is kept where every name, number, relation ("husband"), occupation and other noun for a person ("girl")
occurs in the sources, most of its other words do, and no clause of it is without a word of the sources. One that
tells nothing, gives orders, contains a secret or a financial amount is dropped too, and of what several people read,
one about a sensitive topic.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.load_word_lists import load_words
from keepsake.domain.english.number_words import NUMBER_WORDS, TENS
from keepsake.domain.english.word_groups import JOBS, ROLES
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.screening.screen import rejection_of_text
from keepsake.domain.screening.sensitive_topics import is_sensitive_topic
from keepsake.domain.text import stem, strip_invisible, words

_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"”’)]{0,3}\s++")
_NUMBER = re.compile(r"\d+")
_CAPITALIZED = re.compile(r"(?<![\w'’-])[A-ZÀ-ÖØ-Þ][\w'’-]*")
_COUNTS = frozenset((*NUMBER_WORDS[2:], *TENS, "hundred", "thousand", "million", "dozen"))
_CLAUSE_END = re.compile(r"[,;:–—]|\b(?:and|but|while|because|who|which)\b", re.IGNORECASE)
_ALTERNATIVES = re.compile(r"(?<!\w)\w++(?>(?:/\w++)+)")
"""Such as ``he/they``, of which a model makes ``he/she``."""
_UNKNOWN_SHARE = 0.5
"""The share of words from which on a sentence is an invention: neither in the sources, nor a word of any summary."""
_MIN_CLAUSE_WORDS = 2
"""A clause with fewer words may be another word for the same, such as a feeling."""


@dataclass(frozen=True)
class Evidence:
    """The sources of a summary, and the words of others, which may not occur in it."""

    texts: Sequence[str]
    is_shared: bool = False
    others: Sequence[str] = ()

    def keep_sentences(self, text: str) -> str:
        """The sentences of a text that the sources support."""
        found = _SENTENCE_END.split(" ".join(text.split()))
        return " ".join(sentence for sentence in found if self.supports(sentence))

    def keep_items(self, items: Iterable[str]) -> list[str]:
        """The items of a list that the sources support, each once."""
        shown = (" ".join(item.split()).rstrip(".") for item in items)
        return [item for item in dict.fromkeys(shown) if self.supports(item)]

    def supports(self, sentence: str) -> bool:
        """Whether the sources support a sentence."""
        visible = strip_invisible(sentence)
        content = _content_words(visible)
        if not any(map(self._covers, content)) or self._has_invention(visible, content):
            return False
        if self.is_shared and is_sensitive_topic(sentence):
            return False
        return rejection_of_text(sentence) is None

    def _has_invention(self, sentence: str, content: Sequence[str]) -> bool:
        """Whether a sentence says what does not occur in the sources, or what only others said."""
        unknown = [word for word in content if not self._covers(word)]
        if self._has_unknown_detail(sentence) or not _person_nouns().isdisjoint(map(_singular, unknown)):
            return True
        if any(stem(word) in self._other_stems or not self._relations >= _relations([word]) for word in unknown):
            return True
        said = [word for word in content if word.removesuffix("'s") not in self._names]
        return len(unknown) >= max(_UNKNOWN_SHARE * len(said), 1) or any(
            len(clause) >= _MIN_CLAUSE_WORDS and not any(map(self._covers, clause))
            for clause in map(_content_words, _CLAUSE_END.split(sentence))
        )

    def _has_unknown_detail(self, sentence: str) -> bool:
        """Whether a name, a number, a count or a pair such as ``he/they`` does not occur in the sources."""
        names = (word for name in _CAPITALIZED.findall(sentence) for word in words(name.replace("-", " ")))
        return (
            any(number not in self._numbers for number in _NUMBER.findall(sentence))
            or any(word in _COUNTS and word not in self._words for word in words(sentence))
            or any(pair not in self._alternatives for pair in _ALTERNATIVES.findall(sentence.casefold()))
            or any(not (self._covers(name) or name in STOPWORDS | _summary_words()) for name in names)
        )

    def _covers(self, word: str) -> bool:
        bare = word.removesuffix("'s")
        return bare in self._words or stem(bare) in self._stems

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(
            word.removesuffix("'s") for text in self.texts for word in words(strip_invisible(text).replace("-", " "))
        )

    @cached_property
    def _names(self) -> frozenset[str]:
        """The words that only ever are names: one in a sentence does not show that the rest of it is in the sources."""
        shown = [strip_invisible(text).replace("-", " ").split() for text in self.texts]
        later = [word for text in shown for word in (text if len(text) == 1 else text[1:])]
        names = {name for word in later if word[:1].isupper() for name in words(word.removesuffix("'s"))}
        return frozenset(names - {word for text in shown for word in text if not word[:1].isupper()})

    @cached_property
    def _alternatives(self) -> frozenset[str]:
        return frozenset(pair for text in self.texts for pair in _ALTERNATIVES.findall(text.casefold()))

    @cached_property
    def _relations(self) -> frozenset[str]:
        return _relations(self._words)

    @cached_property
    def _stems(self) -> frozenset[str]:
        return frozenset(map(stem, self._words))

    @cached_property
    def _other_stems(self) -> frozenset[str]:
        return frozenset(stem(word) for text in self.others for word in words(strip_invisible(text)))

    @cached_property
    def _numbers(self) -> frozenset[str]:
        return frozenset(number for text in self.texts for number in _NUMBER.findall(strip_invisible(text)))


def _content_words(text: str) -> list[str]:
    return [word for word in words(text) if word not in STOPWORDS | _summary_words()]


def _relations(said: Iterable[str]) -> frozenset[str]:
    return frozenset(filter(None, map(kinship_of, said)))


def _singular(word: str) -> str:
    return word.removesuffix("'s").removesuffix("s")


def _person_nouns() -> frozenset[str]:
    return ROLES | JOBS | load_words("person_nouns", __package__)


def _summary_words() -> frozenset[str]:
    return load_words("summary_words", __package__)
