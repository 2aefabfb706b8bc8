"""Fills a first context with what the days, weeks and the month of late were about, each thing said once.

What the message asks for and what must not be missed comes first, then the periods, then who else there is and what
else is known. What a longer text tells too is left out of the shorter one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from keepsake.domain.context.block import Block
from keepsake.domain.context.context_sections import Section, SectionKind
from keepsake.domain.context.life_topics import is_restriction
from keepsake.domain.context.limits import TokenCounter
from keepsake.domain.context.outline import Sentence
from keepsake.domain.context.passed_plans import NOTICE
from keepsake.domain.context.selection import SelectedMemory, is_always_shown
from keepsake.domain.context.told_periods import tell, tell_people
from keepsake.domain.context.told_words import ToldWords
from keepsake.domain.text import split_at_sentences

_MOSTLY = 0.5
"""How much of a memory is said where it needs no line of its own."""

_PASSES = 3

Room = Callable[[Sequence[Section], Sequence[SelectedMemory]], int]
"""The tokens that sections and memories leave."""


class Filled(NamedTuple):
    """The sections, the memories with a line of their own, and those that the sections tell."""

    sections: list[Section]
    lines: list[SelectedMemory]
    told: list[SelectedMemory]


def needs_line(one: SelectedMemory) -> bool:
    """Whether a memory comes before the periods: it was asked for, or must not be missed."""
    return one.is_requested or is_always_shown(one.memory)


def fill_with_periods(
    block: Block, sections: Sequence[Section], needed: Sequence[SelectedMemory], *, room: Room, count: TokenCounter
) -> Filled:
    """Add the periods to sections and memories that fit, and what else has room."""
    shown, periods, told = list(sections), list[Section](), ToldWords()
    lines = firm = [one for one in needed if _is_firm(one)]
    for _ in range(_PASSES):  # what one text tells makes room for more of another
        told = ToldWords.of([*_texts(shown, SectionKind.TODO), *(one.memory.text for one in firm)])
        periods = tell(block.periods, told, today=block.now.date(), room=room(shown, lines), count=count)
        shown = list(_without_told(sections, told))
        for text in _texts(shown):
            told.add(text)
        lines = [one for one in needed if one in firm or not told.has(one.memory.text, _MOSTLY)]
    everything = [*shown, *periods]
    lines, left = [], [*lines, *(one for one in block.chosen if one not in lines)]
    told_elsewhere = [one for one in left if one not in firm and told.has(one.memory.text, _MOSTLY)]
    for one in left:
        if one not in told_elsewhere and room(everything, [*lines, one]) >= 0:
            lines.append(one)
    everything += tell_people(block.people, block.periods, room=room(everything, lines), count=count)
    return Filled(everything, lines, told_elsewhere)


def _is_firm(one: SelectedMemory) -> bool:
    return one.is_requested or one.memory.pinned or is_restriction(one.memory) or one.memory.doubted_at is not None


def _texts(sections: Sequence[Section], kind: SectionKind | None = None) -> list[str]:
    return [one.content.text for one in sections if one.content and kind in {None, one.kind}]


def _without_told(sections: Sequence[Section], told: ToldWords) -> Iterator[Section]:
    """The sections without sentences that are told, but for to-dos."""
    for section in sections:
        content = section.content
        if content is None or section.kind is SectionKind.TODO:
            yield section
            continue
        kept = [left for one in content.sentences if (left := _left(one, told)).text]
        if kept or content.parts:
            yield replace(section, content=replace(content, sentences=kept))


def _left(sentence: Sentence, told: ToldWords) -> Sentence:
    if sentence.items:
        items = [one for one in sentence.items if not told.has(one.text)]
        return replace(sentence, items=items, opening=sentence.opening if items else "")
    kept = (one for one in split_at_sentences(sentence.opening) if not told.has(one.replace(NOTICE, "")))
    return replace(sentence, opening=" ".join(kept))
