"""A message that says that something has ended casts doubt on the memories that name it, and on no others."""

from __future__ import annotations

from datetime import timedelta

import pytest

from keepsake.domain.memory import Memory
from keepsake.domain.merging.changes.find_changes import after_statements
from keepsake.domain.merging.decisions import Doubt, Retract
from keepsake.domain.merging.merge import merge
from keepsake.domain.reading.statements.extract import extract
from tests.support.changes import changes_of, is_doubted
from tests.support.memories import NOW, memory, stated_memory


@pytest.mark.parametrize(
    "memory, message",
    [
        ("Has a hamster named Pixel", "we had to say goodbye to Pixel yesterday"),
        ("Is an accountant at Deloitte", "last day at deloitte today!!!"),
        ("Boyfriend is named Anton", "anton moved out on friday"),
        ("Works at the aquarium in Genoa", "not at the aquarium any more, long story"),
        ("Is going to run the Hamburg marathon", "tore my calf, doctor says no hamburg for me"),
        ("Lives in Utrecht above a bike shop", "finally out of utrecht"),
        ("Studies law in Leiden", "switched from law to psychology this term"),
        ("Is a member of the climbing gym", "cancelled my climbing gym membership"),
        ("Likes coffee", "I gave up coffee"),
        ("I'm on keto", "keto lasted five weeks"),
        ("Is the treasurer of the rowing club", "stepped down as treasurer at the AGM"),
        ("Has a guitar", "gave the guitar away in the end"),
        ("Is a plumber", "Officially retired!"),
        ("My favorite app is Todoist", "Deleted Todoist"),
        ("Works as a pastry cook in a hotel", "I work as a baker now, in my own shop"),
    ],
)
def test_what_a_message_says_has_ended__is_doubted(memory: str, message: str) -> None:
    assert is_doubted(memory, message)


@pytest.mark.parametrize(
    "memory, message",
    [
        ("Works at the aquarium in Genoa", "my sister quit the aquarium"),
        ("Works at the aquarium in Genoa", "I lost my keys at the aquarium"),
        ("Works at the aquarium in Genoa", "the show at the aquarium was great"),
        ("Loves climbing", "I quit the climbing gym"),
        ("Lives in Utrecht", "a friend moved out of utrecht"),
        ("Has a dog named Rex", "we are out of milk"),
        ("Likes pizza", "no pizza today"),
        ("Lives in Rome", "last day at deloitte today"),
        ("Father died in May", "my father died"),
        ("Does not eat lactose", "I gave up lactose"),
        ("Lives in Oslo", "my brother and I live in different cities"),
        ("Lives in Oslo", "my sister finally moved out of her old flat"),
        ("Works at the food bank", "started driving for the hospice shop as well"),
        ("Has a guitar", "I gave my sister a guitar lesson"),
        ("I usually watch movies", "Thanks a lot. Bye!"),
    ],
)
def test_what_a_message_says_of_something_else__changes_nothing(memory: str, message: str) -> None:
    assert not is_doubted(memory, message)


def test_a_doubted_memory__ends_where_the_message_says_what_holds_instead() -> None:
    memory, said_at = stated_memory("Works as a pastry cook in a hotel"), NOW + timedelta(minutes=5)
    message = "I work as a baker now, in my own shop"
    changes = changes_of(message, [memory], said_at=said_at)
    decisions = after_statements(merge(extract(message), [memory], said_at=said_at), changes)
    assert [decision.old_id for decision in decisions if isinstance(decision, Retract)] == [memory.id]
    assert not any(isinstance(decision, Doubt) for decision in decisions)


def test_whom_somebody_lives_with__does_not_end_where_they_live() -> None:
    memory, said_at = stated_memory("Lives in Porto"), NOW + timedelta(minutes=5)
    message = "I've moved out, living with my friend Sofia for now"
    changes = changes_of(message, [memory], said_at=said_at)
    decisions = after_statements(merge(extract(message), [memory], said_at=said_at), changes)
    assert not any(isinstance(decision, Retract) for decision in decisions)


ALLERGY = memory("Allergic to walnuts since the bakery in Berlin", key="fact|person|self|allergy|walnut", value="yes")
DIET = memory("Is vegan since the bakery in Berlin", key="fact|person|self|diet", value="vegan")


def is_changed(known: Memory, message: str) -> bool:
    said_at = NOW + timedelta(minutes=5)
    found = changes_of(message, [known], said_at=said_at, recent=[known])
    return known.id in found.doubted or known.id in found.ended


@pytest.mark.parametrize("known", [ALLERGY, DIET])
@pytest.mark.parametrize(
    "message", ["I quit the bakery", "I sold the bakery", "the bakery closed", "I moved out of Berlin"]
)
def test_an_allergy_or_a_diet__is_not_ended_by_other_words_of_its_text(known: Memory, message: str) -> None:
    assert not is_changed(known, message)


@pytest.mark.parametrize(
    "known, message",
    [
        (ALLERGY, "I can eat walnuts again"),
        (ALLERGY, "my walnut allergy is gone"),
        (ALLERGY, "I outgrew my walnut allergy"),
        (DIET, "I gave up being vegan"),
        (DIET, "not vegan any more"),
        (DIET, "eating meat again"),
    ],
)
def test_an_allergy_or_a_diet__is_ended_by_what_it_is(known: Memory, message: str) -> None:
    assert is_changed(known, message)
