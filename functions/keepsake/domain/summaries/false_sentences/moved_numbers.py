"""Numbers of a sentence that its texts give to something else: another number stands beside the same words.

A number of weeks is also none of days.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from keepsake.domain.english.kinship import kinship_of
from keepsake.domain.english.word_groups import NUMBER_WORDS, TENS
from keepsake.domain.evidence.written_dates import find_dates
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.summaries.false_sentences.clauses import content
from keepsake.domain.text import stem

_TOKEN = re.compile(r"(?<![\d.,:])\d+(?:[.,:]\d+)*(?!\d|st\b|nd\b|rd\b|th\b)|[^\W\d_][\w'-]*")
_ENGLISH = frozenset({"en"})
_VALUES = {word: index for index, word in enumerate(NUMBER_WORDS)} | {
    word: (index + 2) * 10 for index, word in enumerate(TENS)
}
_SCALES = {"hundred": 100, "thousand": 1000}
_TWENTY = 20
_TIMES = frozenset(map(stem, ("minute", "hour", "day", "week", "month", "year")))
_WINDOW = 6
"""Words on either side of a number that say what it is of."""
_MAX_OWN = 3
"""Words that a number shares with its own at most, where it is taken from another of the same thing."""
_MARGIN = 2
"""Words of a sentence that another number has more than its own, where it is not of the same thing."""


@dataclass(frozen=True, slots=True)
class _Number:
    value: str
    words: frozenset[str]
    """Those of meaning around it."""
    thing: str
    """The stem of the word after it, a relation where it names one ("kids"); empty where that has no meaning."""


def find_moved_number(sentence: str, texts: Sequence[str], names: frozenset[str]) -> str | None:
    """A number of a sentence, where the texts have another one of the same thing or clearly among the same words."""
    known = [one for text in texts for one in _numbers(text)]
    for said in _numbers(sentence):
        same = [one for one in known if one.value == said.value]
        others = [one for one in known if one.value != said.value]
        own = _nearness(said, same, names)
        is_counted = any(one.thing == said.thing != "" for one in others) and own <= _MAX_OWN
        is_of_unit = bool(same) and said.thing in _TIMES and all(one.thing in _TIMES - {said.thing} for one in same)
        is_of_other = is_counted and all(one.thing != said.thing for one in same)
        if is_of_unit or is_of_other or (same and _nearness(said, others, names) >= own + _MARGIN):
            return said.value
    return None


def _nearness(said: _Number, known: Sequence[_Number], names: frozenset[str]) -> int:
    """How many words one of the known numbers shares with that of the sentence, at most."""
    return max((len(one.words & said.words - names) for one in known), default=0)


def _numbers(text: str) -> list[_Number]:
    """The numbers of a text but for those of days; "two hundred people" has 200 of people."""
    tokens = [token.casefold() for token in _TOKEN.findall(_without_days(text))]
    found: list[_Number] = []
    value: int | str | None = None
    for place, token in enumerate([*tokens, ""]):
        number = _VALUES.get(token)
        if isinstance(value, int) and token in _SCALES:
            value *= _SCALES[token]
        elif isinstance(value, int) and number is not None and value >= _TWENTY and not value % 10:
            value += number
        elif number is not None or token[:1].isdigit():
            value = number if number is not None else int(token) if token.isdecimal() else token
        elif value is not None:
            near = " ".join(tokens[max(0, place - 1 - _WINDOW) : place + _WINDOW])
            thing = "" if token in STOPWORDS else kinship_of(token) or stem(token)
            found.append(_Number(str(value), content(near), thing))
            value = None
    return found


def _without_days(text: str) -> str:
    for one in find_dates(text, _ENGLISH, is_statement=True):
        if one.month is not None:  # a year alone is a number, too: "a course in 2022"
            text = text[: one.start] + " " * (one.end - one.start) + text[one.end :]
    return text
