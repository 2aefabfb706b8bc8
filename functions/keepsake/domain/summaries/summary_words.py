"""The words that a summary without a model has of its own, in the language of what was said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache, lru_cache

from keepsake.domain.context.outline import Joint
from keepsake.domain.english.patterns.pattern_file import read_toml
from keepsake.domain.evidence.speaker_words import guess_language, speaker_words
from keepsake.domain.evidence.text_forms import fold, folded_words
from keepsake.domain.reading.message import is_unreadable

_ENGLISH = "en"
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

    def asks(self, sentence: str) -> bool:
        """Whether a sentence without a question mark begins as a question or a request does."""
        first = next(iter(folded_words(sentence)), "")
        return self._lists("asks", first.partition("'")[0])

    def is_article(self, word: str) -> bool:
        """Whether a subject may begin with a word: "the", "my"."""
        is_mine = any(kind == "my" for kind, _ in speaker_words(self.language).senses(fold(word)))
        return is_mine or self._lists("articles", word)

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
