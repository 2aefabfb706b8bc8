"""Tells of days, weeks and months within the room that a context has for them.

Each sentence of these texts stands by itself: what has no room is left out by the sentence, and so is what another text
says, and what is no longer so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from keepsake.domain.context.context_sections import Section
from keepsake.domain.context.escaping import quote_text
from keepsake.domain.context.limits import TokenCounter
from keepsake.domain.context.outline import Outline, Sentence
from keepsake.domain.context.passed_plans import mark_text
from keepsake.domain.context.said_words import MOSTLY, SAME, SaidWords, key_words
from keepsake.domain.context.summary_ref import SummaryRef
from keepsake.domain.text import split_outside_quotes

_SHARE_OF_ENDED = 0.7
_SPARE = 3
"""Tokens that a line may have more than its parts."""
_HEAD = re.compile(r"[,:;(（、，：；–—]")
"""Where the name of a person ends, and what is said of them begins."""


@dataclass(frozen=True, slots=True)
class PeriodText:
    """The summary of a day, a week or a month; ``ended`` are memories in it that others replaced later."""

    title: str
    texts: Sequence[str]
    refs: tuple[SummaryRef, ...] = ()
    ended: Sequence[str] = ()
    day: str = ""
    """Its date, where it is a day: its sentences say what was on that day."""
    is_digest: bool = False
    """Whether it tells in other words of days that have texts of their own: then only what these do not tell."""
    yields: bool = False
    """Whether memories tell better what it tells too, as where it has few words but those of messages."""

    @property
    def sentences(self) -> list[list[str]]:
        """The sentences of each text, without those that tell mostly what is no longer so."""
        ended = [key_words(text) for text in self.ended]

        def is_over(sentence: str) -> bool:
            keys = key_words(sentence)
            return any(len(keys & one) >= _SHARE_OF_ENDED * len(keys) for one in ended)

        return [[one for one in split_outside_quotes(text) if not is_over(one)] for text in self.texts]


def fit_periods(
    periods: Sequence[PeriodText], said: SaidWords, *, today: date, room: int, count: TokenCounter
) -> list[Section]:
    """The sections with as many sentences as ``room`` tokens hold; ``said`` is noted of what they say."""
    sections: list[Section] = []
    for one in periods:
        parts, taken = one.sentences, dict[tuple[int, int], str]()
        left = room - count(f'{one.title}: ""\n') - _SPARE
        for place in _in_turn(parts):
            sentence = parts[place[0]][place[1]]
            shown = mark_text(sentence, today)
            cost = count(f" {quote_text(shown, None)[1:-1]}")
            if cost <= left and not said.has(sentence, MOSTLY if one.is_digest else SAME):
                taken[place] = shown
                said.add(f"{one.day} {sentence}")
                left -= cost
        if taken:
            text = " ".join(taken[place] for place in sorted(taken))
            sections.append(Section(one.title, Outline([Sentence(text)], refs=one.refs), limit=None))
            room = left
    return sections


def fit_people(
    people: Sequence[str], periods: Sequence[PeriodText], *, room: int, count: TokenCounter
) -> list[Section]:
    """Who else there is, as many as fit: of whom a period tells, an older text may say what is no longer so."""
    said = SaidWords.of(text for one in periods for text in one.texts)
    left, shown = room - count('People: ""\n') - _SPARE, list[str]()
    for one in people:
        cost = count(f"; {quote_text(one, None)[1:-1]}")
        if cost <= left and not said.has_names(_HEAD.split(one, maxsplit=1)[0]):
            shown.append(one)
            left -= cost
    return [Section("People", Outline.of_text("; ".join(shown)), limit=None)] if shown else []


def _in_turn(parts: Sequence[Sequence[str]]) -> Iterator[tuple[int, int]]:
    """The places of the sentences, the parts in proportion: each tells the great before the small."""
    places = [(index / len(part), number, index) for number, part in enumerate(parts) for index in range(len(part))]
    return ((number, index) for _, number, index in sorted(places))
