"""The words that a summary without a model has of its own, in the language of what was said."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache

from keepsake.domain.context.outline import Joint
from keepsake.domain.evidence.speaker_words import guess_language, speaker_words
from keepsake.domain.evidence.text_forms import fold, folded_words
from keepsake.domain.extraction.rules.message.language import is_unreadable
from keepsake.domain.extraction.rules.patterns.pattern_file import read_toml

_ENGLISH = "en"
_PROGRESS = re.compile(r"^\w+ing\b|\b(?:is|are|am|i'?m|we'?re|\w+'s) (?:\w+ )?\w+ing\b")
_SAMPLE, _SAMPLE_LENGTH = 25, 300
"""Texts by which a language is guessed, and characters of each."""


@dataclass(frozen=True, slots=True)
class SummaryWords:
    """The words of a language; empty where there are none."""

    language: str
    frames: Mapping[str, str]

    @property
    def is_english(self) -> bool:
        """Whether statements can be put into sentences, as only English ones can."""
        return self.language == _ENGLISH

    @property
    def joint(self) -> Joint:
        """What stands between the items of a list: "and" is English."""
        return Joint.AND if self.is_english else Joint.SEMICOLONS

    def say(self, frame: str, /, **values: object) -> str:
        """The frame with these values; empty where the language has none."""
        return self.frames.get(frame, "").format(**values)

    def weekday(self, day: date) -> str:
        """A day within a week: "Monday"."""
        names = self.say("weekdays").split()
        return names[day.weekday()] if names else f"{day}"

    def day_of_month(self, day: date) -> str:
        """A day within a year: "12 October"."""
        names = self.say("months").split()
        return self.say("date", day=day.day, month=names[day.month - 1]) if names else f"{day}"

    def takes_back(self, word: str) -> bool:
        """Whether a word of the rest of a sentence, folded, may make its beginning untrue."""
        return self._has("not", word) or self._lists("takes_back", word)

    def asks(self, sentence: str) -> bool:
        """Whether a sentence without a question mark begins as a question or a request does."""
        first = next(iter(folded_words(sentence)), "")
        return self._lists("asks", first.partition("'")[0])

    def is_unclear(self, word: str) -> bool:
        """Whether a word points at what only another sentence names, or at whom one talks to: "it", "she", "you"."""
        return self.is_third_person(word) or self._lists("unclear", word)

    def is_third_person(self, word: str) -> bool:
        """Whether a word is a pronoun for others: "she", "his"."""
        return self._has("they", fold(word)) or self._has("their", fold(word))

    def is_author(self, word: str) -> bool:
        """Whether a word is the author as a subject: "I", "we"."""
        return self._has("i", fold(word))

    def is_of_author(self, word: str) -> bool:
        """Whether a word is the author, or says whose something is: "me", "our"."""
        return any(self._has(kind, fold(word)) for kind in ("i", "my", "me"))

    def is_article(self, word: str) -> bool:
        """Whether a subject may begin with a word: "the", "my"."""
        return self._has("my", fold(word)) or self._lists("articles", word)

    def is_opening(self, word: str) -> bool:
        """Whether a word stands before a sentence and says nothing: "so", "today"."""
        return self._lists("openings", word)

    def is_verb(self, word: str) -> bool:
        """Whether a word is one of the verbs that are listed of the language."""
        return self._lists("verbs", word)

    def is_unsettled(self, text: str) -> bool:
        """Whether a text tells of what is wanted, planned or not yet so: a later message may tell what came of it."""
        is_going_on = self.is_english and _PROGRESS.search(" ".join(folded_words(text)))
        return bool(is_going_on) or self._says("unsettled", text)

    def is_jest(self, text: str) -> bool:
        """Whether a text takes back what it says: "lol", "no wait"."""
        return self._says("jest", text)

    def _says(self, frame: str, text: str) -> bool:
        said = f" {' '.join(folded_words(text))} "
        return any(f" {entry.replace('_', ' ')} " in said for entry in _listed(self.language, frame))

    def _has(self, kind: str, word: str) -> bool:
        return any(one == kind for one, _ in speaker_words(self.language).senses(word))

    def _lists(self, frame: str, word: str) -> bool:
        return fold(word) in _listed(self.language, frame)


@cache
def _listed(language: str, frame: str) -> frozenset[str]:
    return frozenset(map(fold, words_in(language).say(frame).split()))


@cache
def words_in(language: str) -> SummaryWords:
    """The words of a language."""
    return SummaryWords(language, read_toml("data/frames.toml", __package__).get(language, {}))


def words_for(texts: Iterable[str]) -> SummaryWords:
    """The words in the language of most of what was said; those of no language where it cannot be told."""
    said = list(texts)
    languages = Counter(map(_language_of, said[:: 1 + len(said) // _SAMPLE]))
    known = [one for one, _ in languages.most_common() if one]
    return words_in(known[0] if known else "" if said else _ENGLISH)


@lru_cache(maxsize=256)
def _language_of(text: str) -> str:
    """The language of a text; what reads like English is of another one where that is known and its words are more."""
    guessed = guess_language(text[:_SAMPLE_LENGTH], may_be_english=True)
    return guessed if words_in(guessed).frames or is_unreadable(text) else _ENGLISH
