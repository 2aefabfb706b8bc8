"""Finds the memories that a sentence says are over, or may have changed with a part of the author's life.

Whether it plainly says that one is over, a classifier tells by its words, and by where it names the thing. That is
blanked, so that "sold the Fiat" and "sold my violin" are the same words; those before and after it say most. Of what
somebody must not eat or will not, other words tell an end than of anything else: whoever "gave up lactose" eats none.
``bench/training/ending_model.py`` trains the weights.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from keepsake.domain.english.classifiers import load_weights
from keepsake.domain.english.kinship import PARTNERS, is_family, kinship_of
from keepsake.domain.english.similarity import content_words
from keepsake.domain.memory import Memory
from keepsake.domain.memory_key import parse_key
from keepsake.domain.merging.changes.names_of_memory import RESTRICTIONS, names_of_memory, said_names
from keepsake.domain.merging.may_change import happened_since, may_change, names_only_years_since
from keepsake.domain.merging.memory_kinds import is_of_self, kinds_of
from keepsake.domain.merging.parts_of_life import parts_of
from keepsake.domain.reading.changes import BIAS, MIN_PROBABILITY, ChangeStatement, begins_with_another, stems_of
from keepsake.domain.text import word_set, words

_SINGLE_PARTS = word_set("home work study partner name diet")
"""The parts of which a person mostly has one: a sentence need not name it.

In other parts it means only memories that it names, or that the message before made. What is about health, as an
allergy is, has to be named even where it is about diet too: who ate a steak may well be allergic to walnuts.
"""
_PLAINLY = 0.8
"""The least probability with which a sentence says that something is over: to end what holds is worse than to ask."""
_OF_UNNAMED = 0.3
"""The least probability that a part of life has changed for a memory of it that the sentence does not name."""
_OF_ONE = 0.1
"""The least share in a change of a part of which a person has one: "sold my bike" ends no home above a bike shop."""
_MAX_TARGETS = 5
"""Words that may mean more memories than this mean none of them."""
_OF_ANOTHER = word_set("he him his she her hers he's he'd he'll she's she'd she'll")
"""Somebody whom only another sentence names: "we let him go" may be of a dog."""
CLASSIFIER = "ending"
_THING, _RELATIVE = "*", "kin"
_WITHOUT, _OF_OTHERS, _TASTE = "!", "~", "?"
_NEGATIONS = word_set("not never cannot")
_AROUND = 4
"""How many words before and after the thing may tell that it is over."""


class LifeChange(NamedTuple):
    """A memory that a sentence means, how likely it says that it is over, and whether it names it."""

    memory: Memory
    end: float
    is_named: bool
    is_over: bool = False


def find_life_changes(
    statement: ChangeStatement, memories: Sequence[Memory], said_at: datetime
) -> Iterator[LifeChange]:
    """The memories that may no longer hold after a sentence, or are over.

    Where it names some, it means no others; else those of the message before, if they are of the part of life that has
    changed. One that it does not name is over only where it means no other.
    """
    if not statement.parts:
        return
    found = [
        change
        for memory in memories
        if may_change(memory, said_at)
        and not _is_name_in_family(memory)
        and memory.id not in statement.possible_outcomes
        and (change := _read(statement, memory)) is not None
        and _is_new(statement.clause.words, change, said_at)
    ]
    named = [one for one in found if one.is_named]
    targets = named or [one for one in found if one.memory.id in statement.last] or found
    is_of_one = len(targets) == 1 and _OF_ANOTHER.isdisjoint(words(statement.clause.words))
    if len(targets) <= _MAX_TARGETS:
        for one in targets:
            is_clear = one.is_named or is_of_one
            yield one._replace(is_over=is_clear and one.end >= _PLAINLY)


def _is_name_in_family(memory: Memory) -> bool:
    """Whether it names somebody of the family but a partner, which nothing that happens to them ends."""
    key = parse_key(memory.key)
    return is_family(key.relation) and key.relation not in PARTNERS and key.last == "name"


def _read(statement: ChangeStatement, memory: Memory) -> LifeChange | None:
    """What a sentence may say of the memory, if it means it."""
    sentence, changed = statement.clause.words, statement.parts
    if parse_key(memory.key).attribute in RESTRICTIONS and is_of_self(memory) and begins_with_another(sentence):
        return None  # "my boy outgrew his egg allergy" says nothing of the author's
    change = sum(changed.values())
    names = said_names(memory, sentence)
    if not names and change < _OF_UNNAMED:  # as of most memories
        return None
    parts = parts_of(memory)
    of_memory = sum(changed.get(part, 0.0) for part in parts)
    if not names and of_memory < _OF_UNNAMED:
        return None
    end = _end_probability(sentence, names, memory)
    if not names:
        is_likely = change >= MIN_PROBABILITY or end >= _PLAINLY
        return LifeChange(memory, end, is_named=False) if is_likely and _may_mean(statement, memory) else None
    if (of_memory if _changes_with_its_part_only(memory) else change) < MIN_PROBABILITY and end < _PLAINLY:
        return None
    is_of_another_part = not parts.isdisjoint(_SINGLE_PARTS) and of_memory < _OF_ONE * change
    return LifeChange(memory, 0.0 if is_of_another_part else end, is_named=True)


def _may_mean(statement: ChangeStatement, memory: Memory) -> bool:
    """Whether a sentence that does not name the memory may mean it."""
    sentence, parts, is_last = statement.clause.words, parts_of(memory), memory.id in statement.last
    if begins_with_another(sentence):
        return is_last
    has_one = "health" not in parts and not parts.isdisjoint(_SINGLE_PARTS)
    return has_one or (is_last and names_of_memory(memory).isdisjoint(content_words(sentence)))


def _is_new(sentence: str, change: LifeChange, said_at: datetime) -> bool:
    """Whether what the sentence tells happened after the memory was said; what is plainly over, in no other year."""
    is_in_time = change.end >= _PLAINLY and names_only_years_since(sentence, change.memory, said_at)
    return is_in_time or happened_since(sentence, change.memory, said_at)


def ending_features(sentence: str, names: frozenset[str], memory: Memory | None = None) -> list[str]:
    """The features of a sentence, in which words with these stems name the memory, each once."""
    said = [*_blanked(sentence, names)]
    found = [BIAS, *said, *(f"{one}_{other}" for one, other in pairwise((BIAS, *said, "$")))]
    if kind := _kind(memory) if memory else "":
        found += [f"{kind}{one}" for one in found]
    if _THING in said:
        at = said.index(_THING)
        before, after = said[max(0, at - _AROUND) : at], said[at + 1 : at + 1 + _AROUND]
        found += [*(f"<{one}" for one in before), *(f">{one}" for one in after)]
        found += [f"<<{'_'.join(before[-2:])}", f">>{'_'.join(after[:2])}"]
    return list(dict.fromkeys(found))


def _end_probability(sentence: str, names: frozenset[str], memory: Memory) -> float:
    """How likely it is that the sentence says that the memory is over."""
    weights = load_weights(CLASSIFIER)
    score = sum(weights.get(one, 0.0) for one in ending_features(sentence, names, memory))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


def _changes_with_its_part_only(memory: Memory) -> bool:
    """Whether a change of another part leaves the memory as it is: who quits a club may still love climbing."""
    return _kind(memory) != ""


def _kind(memory: Memory) -> str:
    """What other words end than what the author has or does: what they go without or like, and what others do."""
    is_denied = not _NEGATIONS.isdisjoint(words(memory.text)) or "no longer" in memory.text.casefold()
    if is_denied or parse_key(memory.key).attribute in RESTRICTIONS:
        return _WITHOUT
    if not is_of_self(memory):
        return _OF_OTHERS
    return _TASTE if "taste" in kinds_of(memory) else ""


def _blanked(sentence: str, names: frozenset[str]) -> Iterator[str]:
    """The stems of the words, those that name the thing as one sign, and those of relatives as another."""
    last = ""
    for word, stem in stems_of(sentence):
        is_thing = not names.isdisjoint(content_words(word))
        relation = kinship_of(word)
        said = _THING if is_thing else _RELATIVE if relation and relation not in PARTNERS else stem
        if said != last or said != _THING:
            yield said
        last = said
