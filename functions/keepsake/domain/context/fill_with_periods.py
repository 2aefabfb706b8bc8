"""Fills a first context with what the days, weeks and the month of late were about, each thing said once.

What the message asks for and what must not be missed comes first, then the periods, then who else there is and what
else is known. What a longer text tells too is left out of the shorter one. Where rules wrote of all periods, they come
after the memories, but for those that rules read without knowing what they are about: the periods quote the same words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from keepsake.domain.context.block import Block
from keepsake.domain.context.context_sections import Section, SectionKind
from keepsake.domain.context.life_topics import is_restriction
from keepsake.domain.context.limits import TokenCounter
from keepsake.domain.context.outline import Outline, Sentence
from keepsake.domain.context.passed_plans import NOTICE
from keepsake.domain.context.period_texts import fit_people, fit_periods
from keepsake.domain.context.said_words import MOSTLY, SaidWords
from keepsake.domain.context.selection import SelectedMemory, is_always_shown
from keepsake.domain.context.unasked_statements import is_unclear
from keepsake.domain.text import split_outside_quotes

_PASSES = 5

_NOTHING = (Section("", Outline()),)
"""Stands for the first section: with it comes what is said of them all."""

Room = Callable[[Sequence[Section], Sequence[SelectedMemory]], int]
"""The tokens that sections and memories leave."""


class Filled(NamedTuple):
    """The sections, and the memories with a line of their own, in their order."""

    sections: list[Section]
    lines: list[SelectedMemory]


def fill_with_periods(block: Block, sections: Sequence[Section], room: Room, count: TokenCounter) -> Filled:
    """Add the periods to sections that fit: after what the message asks for and what must not be missed."""
    needed: list[SelectedMemory] = []
    yields = block.are_periods_by_rules
    for one in block.chosen:
        is_needed = one.is_requested or is_always_shown(one.memory) or (yields and not is_unclear(one.memory))
        if is_needed and room(sections, [*needed, one]) >= 0:
            needed.append(one)
    shown, periods, said = list(sections), list[Section](), SaidWords()
    lines = firm = [one for one in needed if yields or _is_firm(one)]
    for _ in range(_PASSES):  # what one text tells makes room for more of another
        said = SaidWords.of([*_texts(shown, SectionKind.TODO), *(one.memory.text for one in firm)])
        periods = fit_periods(
            block.periods, said, today=block.now.date(), room=room(shown or _NOTHING, lines), count=count
        )
        shown = list(_without_said(sections, said))
        for text in _texts(shown):
            said.add(text)
        before, lines = lines, [one for one in needed if one in firm or not said.has(one.memory.text, MOSTLY)]
        if len(lines) == len(before) and room([*shown, *periods], lines) >= 0:
            break
    else:  # each memory in its own line, so that none is lost
        said = SaidWords.of(one.memory.text for one in needed)
        lines, shown = list(needed), list(sections)
        periods = fit_periods(
            block.periods, said, today=block.now.date(), room=room(sections or _NOTHING, needed), count=count
        )
    while periods and room([*shown, *periods], lines) < 0:
        periods.pop()
    everything = [*shown, *periods]
    for one in block.chosen:
        is_left = one not in needed and not said.has(one.memory.text, MOSTLY)
        if is_left and room(everything, [*lines, one]) >= 0:
            lines.append(one)
    people = fit_people(block.people, block.periods, room=room(everything or _NOTHING, lines), count=count)
    everything += people if room([*everything, *people], lines) >= 0 else []
    return Filled(everything, [one for one in block.chosen if one in lines])


def _is_firm(one: SelectedMemory) -> bool:
    return one.is_requested or one.memory.pinned or is_restriction(one.memory) or one.memory.doubted_at is not None


def _texts(sections: Sequence[Section], kind: SectionKind | None = None) -> list[str]:
    return [one.content.text for one in sections if one.content and kind in {None, one.kind}]


def _without_said(sections: Sequence[Section], said: SaidWords) -> Iterator[Section]:
    """The sections without sentences that are told, but for to-dos."""
    for section in sections:
        content = section.content
        if content is None or section.kind is SectionKind.TODO:
            yield section
            continue
        kept = [left for one in content.sentences if (left := _left(one, said)).text]
        if kept or content.parts:
            yield replace(section, content=replace(content, sentences=kept))


def _left(sentence: Sentence, said: SaidWords) -> Sentence:
    if sentence.items:
        items = [one for one in sentence.items if not said.has(one.text)]
        return replace(sentence, items=items, opening=sentence.opening if items else "")
    kept = (one for one in split_outside_quotes(sentence.opening) if not said.has(one.replace(NOTICE, "")))
    return replace(sentence, opening=" ".join(kept))
