"""The words that a summary without a model has of its own, in the language of what was said."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache

from keepsake.domain.context.outline import Joint
from keepsake.domain.evidence.speaker_words import guess_language, speaker_words
from keepsake.domain.evidence.text_forms import fold, folded_words
from keepsake.domain.extraction.rules.message.language import is_unreadable
from keepsake.domain.extraction.rules.patterns.pattern_file import read_toml

_ENGLISH = "en"
_SAMPLE, _SAMPLE_LENGTH = 25, 1000
"""Texts by whose beginnings a language is guessed, and their characters together."""


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

    def points_back(self, text: str) -> bool:
        """Whether a text begins with a pronoun for somebody whom only an earlier text names: "he's a carpenter"."""
        first = next(iter(folded_words(text)), "")
        return self._has("they", first) or self._has("their", first) or self._lists("points_back", first)

    def _has(self, kind: str, word: str) -> bool:
        return any(one == kind for one, _ in speaker_words(self.language).senses(word))

    def _lists(self, frame: str, word: str) -> bool:
        return word in map(fold, self.say(frame).split())


@cache
def words_in(language: str) -> SummaryWords:
    """The words of a language."""
    return SummaryWords(language, read_toml("data/frames.toml", __package__).get(language, {}))


def words_for(texts: Iterable[str]) -> SummaryWords:
    """The words in the language of what was said, most of the time; those of no language where it cannot be told."""
    said = list(texts)
    chosen = said[:: 1 + len(said) // _SAMPLE]
    text = "\n".join(one[: _SAMPLE_LENGTH // len(chosen)] for one in chosen)
    return words_in(guess_language(text, may_be_english=True) if is_unreadable(text) else _ENGLISH)
