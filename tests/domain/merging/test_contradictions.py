"""Statements that cannot both hold: the later one closes the earlier, whatever words each came in."""

from __future__ import annotations

from datetime import timedelta

import pytest

from keepsake.domain.memory import Memory, Source
from keepsake.domain.merging.decisions import Decision, Drop, Retract, Supersede
from keepsake.domain.merging.merge import merge
from keepsake.domain.reading.statements.extract import extract
from tests.support.memories import NOW, memory

LATER = NOW + timedelta(minutes=5)


def stored(message: str, **more: object) -> Memory:
    candidate = extract(message)[-1]
    return memory(
        candidate.text,
        key=candidate.key,
        value=candidate.value,
        type=candidate.type,
        subtype=candidate.subtype,
        entity_label=candidate.entity_label,
        **more,
    )


def decided(message: str, *known: Memory) -> list[Decision]:
    return merge(extract(message, recent=known), known, said_at=LATER)


def closed(decisions: list[Decision]) -> set[object]:
    return {decision.old_id for decision in decisions if isinstance(decision, Retract | Supersede)}


@pytest.mark.parametrize(
    "first, second",
    [
        ("I drink cocoa every night.", "I don't drink cocoa."),
        ("I drink goat milk.", "I stopped drinking goat milk."),
        ("I go to the pool every week", "I stopped going to the pool"),
        ("I live alone.", "I live with my girlfriend now."),
        ("I have a cat called Tib.", "I don't have a cat any more."),
        ("I have a cat", "I no longer have a cat"),
        ("My dog's name is Rolo.", "No wait, my dog's name is Milo."),
        ("I drive a Seat.", "I sold the Seat, now I drive a Fiat."),
        ("I want to learn Danish.", "I don't want to learn Danish any more."),
        ("I'm training for a duathlon.", "I gave up training for the duathlon."),
        ("I'm married to Mira.", "Mira and I are divorced."),
        ("My pronouns are she/her.", "My pronouns are they/them now."),
        ("I'm allergic to bees.", "I'm not allergic to bees after all, the test came back."),
        ("I'm a waiter.", "I became a nurse."),
    ],
)
def test_merge__a_contradiction_retracts_the_earlier_memory(first: str, second: str) -> None:
    old = stored(first)
    assert closed(decided(second, old)) == {old.id}


@pytest.mark.parametrize(
    "first, second",
    [
        ("I drink cocoa every night.", "I don't drink coffee."),
        ("I live with my girlfriend.", "I live with my two cats."),
        ("I have a cat called Tib.", "I don't have a car any more."),
        ("My dog's name is Rolo.", "My cat's name is Milo."),
        ("I have a dog named Rolo.", "I have a dog named Milo."),
        ("I drive a Seat.", "I sold the bike."),
        ("I go to the pool every week", "I stopped going to the office"),
        ("I'm training for a duathlon.", "I gave up training for the regatta."),
        ("I eat fish.", "I don't like fishing any more."),
    ],
)
def test_merge__an_apparent_contradiction_changes_nothing(first: str, second: str) -> None:
    assert closed(decided(second, stored(first))) == set()


def test_merge__a_corrected_name_retracts_neither_of_two_dogs() -> None:
    known = (stored("I have a dog named Rolo."), stored("I have a dog named Milo."))
    assert closed(decided("No wait, my dog's name is Bo.", *known)) == set()


def test_merge__a_remark_does_not_override_what_the_person_confirmed() -> None:
    confirmed = stored("I drink cocoa every night.", source=Source.USER, confidence=1.0)
    decisions = decided("I don't drink cocoa.", confirmed)
    assert closed(decisions) == set()
    assert not any(isinstance(decision, Drop) for decision in decisions)
