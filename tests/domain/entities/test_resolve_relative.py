"""Close people: one slot for each of them, told by name or not, and never one for two."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from keepsake.domain.entities.parse_relative import parse_relative
from keepsake.domain.memory import Candidate, Memory, MemoryType
from keepsake.domain.merging.decisions import Insert, Reinforce, Supersede
from keepsake.domain.merging.merge import decide, merge
from keepsake.domain.reading.statements.extract import extract
from tests.support.memories import NOW, memory

LATER = NOW + timedelta(minutes=5)


def said(message: str, recent: tuple[Memory, ...] = ()) -> Candidate:
    return extract(message, recent=recent)[-1]


def stored(message: str) -> Memory:
    candidate = said(message)
    return memory(
        candidate.text,
        key=candidate.key,
        value=candidate.value,
        type=candidate.type,
        subtype=candidate.subtype,
        entity_refs=candidate.entity_refs,
        entity_label=candidate.entity_label,
    )


@pytest.mark.parametrize(
    "first, second, text",
    [
        ("My daughter Emma is 5", "my daughter is 6", "Daughter Emma is 6 years old"),
        ("My daughter is 5", "My daughter Emma is 6", "Daughter Emma is 6 years old"),
        ("My brother Tom lives in Oslo", "My brother lives in Bergen", "Brother Tom lives in Bergen"),
    ],
)
def test_decide__a_relation_is_the_only_known_relative(first: str, second: str, text: str) -> None:
    old = stored(first)
    decision = decide(said(second), [old], said_at=LATER)
    assert isinstance(decision, Supersede), decision
    assert (decision.old_id, decision.candidate.text) == (old.id, text)
    assert decision.candidate.entity_refs[0].removeprefix("person:") in ("emma", "tom")


def test_decide__the_same_said_without_the_name_reinforces() -> None:
    assert isinstance(decide(said("my daughter is 5"), [stored("My daughter Emma is 5")], said_at=LATER), Reinforce)


def test_decide__a_name_told_apart_names_the_slot() -> None:
    decision = decide(said("my daughter is 6"), [stored("My daughter's name is Emma")], said_at=LATER)
    assert isinstance(decision, Insert)
    assert decision.candidate.key == "relationship|person|daughter|emma|age"


def test_decide__with_two_relatives_neither_is_superseded() -> None:
    both = [stored("My daughter Emma is 5"), stored("My daughter Lily is 3")]
    assert isinstance(decide(said("my daughter is 6"), both, said_at=LATER), Insert)
    assert isinstance(decide(said("My daughter Lily is 4"), both, said_at=LATER), Supersede)


@pytest.mark.parametrize(
    "first, second",
    [
        ("My daughter Emma is 5", "My daughter Lily is 3"),
        ("I have a brother called Tom", "I have a brother called Femi"),
        ("my daughter is called Ida", "my other daughter is called Runa"),
        ("My sister Anna lives in Berlin", "My sister Ines lives in Porto"),
        ("My best friend is Anneke", "My best friend is Rashida"),
    ],
)
def test_merge__two_of_a_kind_stay_apart(first: str, second: str) -> None:
    decisions = merge(extract(second), [stored(first)], said_at=LATER)
    assert [type(decision) for decision in decisions] == [Insert]


@pytest.mark.parametrize(
    "first, second, text, value",
    [
        ("My name is Bill", "It's Bob, not Bill", "Name is Bob", "bob"),
        ("My choir rehearsal is on Tuesday", "Sorry, it's on Thursday, not Tuesday", "Choir rehearsal is on Thursday",
         "on_thursday"),
        ("My sister's wedding is on July 12th", "Actually it's on July 19th", "Sister's wedding is on July 19th",
         "on_july_19th"),
        ("My daughter Emma is 5", "Sorry, she's 6", "Daughter Emma is 6 years old", "6"),
    ],
)  # fmt: skip
def test_extract__a_correction_fills_the_same_slot(first: str, second: str, text: str, value: str) -> None:
    old = stored(first)
    correction = said(second, recent=(old,))
    assert (correction.text, correction.value) == (text, value)
    decision = decide(correction, [old], said_at=LATER)
    assert isinstance(decision, Supersede)


def test_extract__a_date_is_corrected_by_a_date_alone() -> None:
    rehearsal = stored("My choir rehearsal is on Tuesday")
    assert extract("Sorry, it's loud in here", recent=(rehearsal,)) == []


def test_decide__another_relative_of_the_kind_takes_nobodys_place() -> None:
    old = memory("Sister is 30", key="relationship|person|sister|age", value="30", type=MemoryType.RELATIONSHIP)
    other = replace(said("My sister is 25"), key="relationship|person|sister|other|age", text="Other sister is 25")
    assert isinstance(decide(other, [old], said_at=LATER), Insert)
    known = memory(other.text, key=other.key, value="25", type=MemoryType.RELATIONSHIP)
    decision = decide(said("My sister is 31"), [old, known], said_at=LATER)
    assert isinstance(decision, Supersede), decision
    assert (decision.old_id, decision.candidate.text) == (old.id, "Sister is 31 years old")


@pytest.mark.parametrize(
    "description", ["husband रोहित", "रोहित (husband)", "रोहित, my husband", "husband named रोहित"]
)
def test_parse_relative__a_name_has_its_combining_marks(description: str) -> None:
    assert parse_relative(description).key("occupation") == "husband|रोहित|occupation"
