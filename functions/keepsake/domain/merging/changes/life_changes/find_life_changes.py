"""Finds the memories of the part of the author's life that a sentence says has changed, in whatever words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from keepsake.domain.english.similarity import content_words
from keepsake.domain.memory import Memory
from keepsake.domain.merging.changes.change_statement import ChangeStatement
from keepsake.domain.merging.changes.endings.names_of_memory import MAX_TARGETS, names_of_memory, words_of_memory
from keepsake.domain.merging.changes.endings.other_things import without_other_things
from keepsake.domain.merging.changes.life_changes.life_change_classifier import MIN_PROBABILITY
from keepsake.domain.merging.changes.life_changes.life_sentences import begins_with_pronoun
from keepsake.domain.merging.may_change import happened_since, may_change
from keepsake.domain.merging.parts_of_life import parts_of
from keepsake.domain.text import word_set

_SINGLE_PARTS = word_set("home work study partner name diet")
"""The parts of which a person mostly has one: a sentence need not name it.

In other parts it means only memories that it names, or that the message before made. What is about health, as an
allergy is, has to be named even where it is about diet too: who ate a steak may well be allergic to walnuts.
"""


def find_life_changes(statement: ChangeStatement, memories: Sequence[Memory], said_at: datetime) -> Iterator[Memory]:
    """The memories that may no longer hold after a sentence that says that a part of life has changed.

    Where it names some of that part, it means no others; else those of the message before, if they are of that part.
    """
    if not statement.parts:
        return
    sentence = statement.clause.words
    found = [
        memory
        for memory in memories
        if may_change(memory, said_at)
        and memory.id not in statement.possible_outcomes
        and happened_since(sentence, memory, said_at)
        and _may_mean(sentence, memory, statement.parts, is_last=memory.id in statement.last)
    ]
    named = [memory for memory in found if _is_named(memory, sentence)]
    spoken_of = named or [memory for memory in found if memory.id in statement.last] or found
    if len(spoken_of) <= MAX_TARGETS:
        yield from spoken_of


def _may_mean(sentence: str, memory: Memory, changed: Mapping[str, float], *, is_last: bool) -> bool:
    parts = parts_of(memory)
    if sum(changed.get(part, 0.0) for part in parts) < MIN_PROBABILITY:
        return False
    if _is_named(memory, sentence):
        return True
    if begins_with_pronoun(sentence):
        return is_last
    has_one = "health" not in parts and not parts.isdisjoint(_SINGLE_PARTS)
    return has_one or (is_last and names_of_memory(memory).isdisjoint(content_words(sentence)))


def _is_named(memory: Memory, sentence: str) -> bool:
    """Whether a sentence has a word that names the memory, and not another thing whose name has it."""
    said = content_words(without_other_things(sentence, words_of_memory(memory)))
    return not names_of_memory(memory).isdisjoint(said)
