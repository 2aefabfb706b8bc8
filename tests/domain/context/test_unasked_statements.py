"""What nobody asked for is told only while time has not made it untrue, and where it says of whom it is."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from keepsake.domain.context.unasked_statements import is_outdated, is_shown_unasked
from keepsake.domain.memory import Memory, Source
from tests.support.memories import NOW, memory

SAID = date(2026, 3, 24)


@pytest.mark.parametrize(
    "text, days",
    [
        ("Brother Ben is 73 years old", 365),
        ("Niece Mia is 9, lives in Bonn", 365),
        ("Is learning to sail", 365),
        ("Aunt Berta wants them to move to Linz", 365),
        ("Uncle Otto still drives by himself", 365),
        ("Is planning to build a boat with Ben this summer", 168),
        ("Wants to see the fair in May", 76),
    ],
)
def test_what_time_makes_untrue__is_outdated_from_then_on(text: str, days: int) -> None:
    assert not is_outdated(text, SAID, SAID + timedelta(days=days - 1))
    assert is_outdated(text, SAID, SAID + timedelta(days=days))


@pytest.mark.parametrize(
    "text",
    [
        "Lives in Graz",
        "Has a brother named Ben",
        "Wants to open a bakery",
        "Birthday is on 5 April",
        "Started the cello in September",
        "Brother Ben is deaf",
        "Is a nurse",
    ],
)
def test_everything_else__is_not(text: str) -> None:
    assert not is_outdated(text, SAID, SAID + timedelta(days=2000))


def test_a_plan_with_a_period__is_told_until_a_week_after_it() -> None:
    for days, expected in ((7, False), (8, True)):
        assert is_outdated("Surgery", SAID, date(2026, 4, 6) + timedelta(days=days), period="2026-04-06") is expected
    assert not is_outdated("Surgery", SAID, date(2027, 4, 6), period="2026-03-20"), "it was over when it was said"


def _of_rules(text: str, key: str | None = None) -> Memory:
    return memory(text, key=key, source=Source.RULE_EXTRACTION)


def test_a_note_of_rules__is_not_told_unasked() -> None:
    for note in ("Surgery on Tuesday 6 April 2027", "Home from another 12h shift", "2 kilos of oranges"):
        assert not is_shown_unasked(_of_rules(note), NOW)
        assert is_shown_unasked(memory(note, source=Source.USER), NOW)
    for text in ("Plays the cello", "Konditorin in Graz", "Coffee with Ada turned into dinner"):
        assert is_shown_unasked(_of_rules(text), NOW)
    long_ago = NOW + timedelta(days=365)
    assert not is_shown_unasked(_of_rules("Aunt Berta lives alone in Linz"), long_ago)
    assert is_shown_unasked(_of_rules("Lives in Linz", key="fact|person|self|home"), long_ago)
    assert is_shown_unasked(memory("Aunt Berta lives alone in Linz", source=Source.USER), long_ago)
    assert is_shown_unasked(_of_rules("Allergic to nuts", key="fact|person|self|allergy|nuts"), NOW)


@pytest.mark.parametrize(
    "text",
    [
        "Mom wants to move to Braga",
        "Dad is in hospice",
        "Sister Tasha is not coming",
        "Brother Ben has not picked up",
        "Has not decided",
    ],
)
def test_what_others_want_or_are_for_now__is_told_unasked_for_a_week(text: str) -> None:
    said = _of_rules(text, "relationship|person|mother")
    assert is_shown_unasked(said, said.last_said_at + timedelta(days=6))
    assert not is_shown_unasked(said, said.last_said_at + timedelta(days=7))
    by_model = memory(text, source=Source.LLM_EXTRACTION)
    assert is_shown_unasked(by_model, by_model.last_said_at + timedelta(days=7))


@pytest.mark.parametrize(
    "text", ["The surgery is two days before", "They want a bridge", "Nearly lost it", "No Niagara"]
)
def test_what_points_at_its_message__is_not_told_unasked(text: str) -> None:
    assert not is_shown_unasked(_of_rules(text), NOW)
