"""Which memories a sentence means that says that a part of the author's life has changed."""

from __future__ import annotations

from datetime import timedelta

import pytest

from keepsake.domain.memory import Memory
from keepsake.domain.merging.changes.find_changes import find_changes
from keepsake.domain.merging.changes.life_changes import parts_of_unnamed
from keepsake.domain.reading.changes.life_change_classifier import MIN_PROBABILITY, changed_parts
from keepsake.domain.reading.changes.read_changes import ChangeStatement
from keepsake.domain.reading.clauses.split_clauses import Clause
from tests.support.memories import NOW, memory, stated_memory


def statement(sentence: str, part: str, *, probability: float = 0.9, last: tuple[Memory, ...] = ()) -> ChangeStatement:
    """A sentence that says with this probability that a part of life has changed."""
    ids = tuple(one.id for one in last)
    return ChangeStatement(Clause(words=sentence, quote=sentence), parts={part: probability}, last=ids)


def doubted(change: ChangeStatement, *memories: Memory) -> set[str]:
    """The texts of the memories that the change casts doubt on."""
    found = find_changes([change], memories, said_at=NOW + timedelta(minutes=5))
    assert not found.ended
    return {one.text for one in memories if one.id in found.doubted}


def test_what_one_has_one_of__needs_no_word_in_common() -> None:
    work, home = stated_memory("I work at Tesco"), stated_memory("I live in Leeds")
    assert doubted(statement("farewell cake eaten", "work"), work, home) == {"Works at Tesco"}


def test_an_allergy_of_somebody_else__is_not_the_authors() -> None:
    walnuts = stated_memory("I'm allergic to walnuts")
    assert doubted(statement("my son outgrew his egg allergy", "diet"), walnuts) == set()
    own = find_changes([statement("outgrew the walnut allergy", "diet")], [walnuts], said_at=NOW + timedelta(minutes=5))
    assert own.ended.keys() == {walnuts.id}


def test_what_one_has_several_of__is_named_or_was_said_just_before() -> None:
    dog, cat = stated_memory("I have a dog named Bella"), stated_memory("I have a cat named Mochi")
    assert doubted(statement("scattered the ashes by the reservoir", "pet"), dog, cat) == set()
    assert doubted(statement("scattered Bella by the reservoir", "pet"), dog, cat) == {dog.text}
    assert doubted(statement("scattered her by the reservoir", "pet", last=(cat,)), dog, cat) == {cat.text}


@pytest.mark.parametrize(
    "sentence", ["my brother got the sack", "our neighbour got divorced", "got a budgie", "joined a choir"]
)
def test_what_happens_to_others__or_is_added_changes_no_part_of_a_life(sentence: str) -> None:
    assert not changed_parts(sentence)


def test_a_pronoun__changes_nothing_of_the_author() -> None:
    assert doubted(statement("she packed her bags", "work"), stated_memory("I work at Tesco")) == set()


def test_pronoun__means_the_memory_of_the_message_before() -> None:
    partner = stated_memory("my girlfriend is named Tasha")
    assert doubted(statement("she packed her bags", "partner"), partner) == set()
    assert doubted(statement("she packed her bags", "partner", last=(partner,)), partner) == {partner.text}


def test_an_unlikely_change__is_none() -> None:
    work = stated_memory("I work at Tesco")
    assert doubted(statement("farewell cake eaten", "work", probability=MIN_PROBABILITY - 0.01), work) == set()


def test_several_parts__count_together_for_a_memory_of_both() -> None:
    change = ChangeStatement(Clause(words="the peanut test was wrong", quote=""), parts={"health": 0.4, "diet": 0.4})
    allergy = stated_memory("I'm allergic to peanuts")
    assert doubted(change, allergy, stated_memory("I work at Tesco")) == {allergy.text}


def test_a_change_of_diet__leaves_an_allergy_that_it_does_not_name() -> None:
    diet = stated_memory("I'm a vegetarian")
    allergy = stated_memory("I'm allergic to walnuts")
    assert doubted(statement("ate a steak last night", "diet"), diet, allergy) == {diet.text}


def test_many_memories__are_none_of_them_meant() -> None:
    jobs = [memory(f"Works at shop {number}", key=f"fact|person|self|work|{number}") for number in range(6)]
    assert doubted(statement("farewell cake eaten", "work"), *jobs) == set()
    assert len(doubted(statement("farewell cake eaten", "work"), *jobs[:5])) == 5


def test_a_change_to_come__changes_nothing_yet() -> None:
    work = stated_memory("I work at Tesco")
    assert doubted(statement("last day is on 24 December 2027", "work"), work) == set()


@pytest.mark.parametrize(
    "parts, read",
    [
        ({}, set()),
        ({"work": 0.2, "home": 0.05}, set()),
        ({"work": 0.6, "home": 0.1, "pet": 0.1}, {"work"}),
        ({"partner": 0.2, "relative": 0.2}, {"relative"}),
    ],
)
def test_memories_that_a_sentence_does_not_name__are_read_of_parts_that_are_likely_enough(
    parts: dict[str, float], read: set[str]
) -> None:
    change = ChangeStatement(Clause(words="handed my apron in", quote="handed my apron in"), parts=parts)
    assert parts_of_unnamed(change) == read
