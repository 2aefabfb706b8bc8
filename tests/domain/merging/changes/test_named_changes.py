"""A sentence that names what is remembered beside words by which anything ends casts doubt on it, and on no more."""

from __future__ import annotations

from datetime import timedelta

import pytest

from keepsake.domain.merging.changes.find_changes import find_changes
from keepsake.domain.merging.changes.read_change_statements import read_changes
from tests.support.memories import NOW, stated_memory


def doubted(memory: str, message: str, *, minutes: int = 5) -> bool:
    """Whether the memory may no longer hold, or is over, after the message."""
    stored, said_at = stated_memory(memory), NOW + timedelta(minutes=minutes)
    found = find_changes(read_changes(message, said_at=said_at, recent=[stored]), [stored], said_at=said_at)
    return stored.id in found.doubted or stored.id in found.ended


@pytest.mark.parametrize(
    "memory, message",
    [
        ("Drives a lorry for a haulage firm in Daventry", "turned in the lorry keys this morning"),
        ("Has an allotment by the canal", "handed back the allotment, knees said no"),
        ("I'm a nurse at St Thomas", "three weeks out of nursing and I can finally sleep"),
        ("Is a cofounder of a startup, Haulr", "we're winding Haulr down at the end of the month"),
        ("I live in a converted van", "the van had its day. Parked me in a cabin for good"),
        ("I'm studying law in Groningen", "law was not for me"),
        ("I'm learning the violin", "the violin went back to the shop"),
        ("We have two dogs", "down to one dog since the weekend, poor old thing"),
        ("I keep rabbits", "the rabbits live with a family in Tilburg now"),
        ("I drive an old Volvo", "the Volvo failed its inspection and went to the scrapyard"),
        ("my boyfriend Tom is a chef", "tom and i called it a day"),
        ("Is going to Lourdes with the parish in May", "cant go to Lourdes now, Dad had a fall"),
        ("Has a holiday house at Lake Simcoe", "the cottage on Simcoe went to a young family"),
    ],
)
def test_a_named_memory_beside_an_ending__is_doubted(memory: str, message: str) -> None:
    assert doubted(memory, message)


@pytest.mark.parametrize(
    "memory, message",
    [
        ("Drives a lorry for a haulage firm in Daventry", "stuck behind another lorry, out of patience"),
        ("Has an allotment by the canal", "handed a bag of courgettes from the allotment to everyone I know"),
        ("Works at the bakery on Elm Street", "the bakery is shut on mondays so I have time today"),
        ("Drives an old Volvo", "the Volvo passed its inspection, good old girl"),
        ("Sings in a choir on wednesdays", "choir was cancelled this week"),
        ("Wears glasses", "lost my glasses, found them on my head"),
        ("Has a Skoda", "sold my sister's old Skoda for her"),
        ("Swims every morning before work", "no swim today, pool closed for cleaning"),
        ("Wants to open a dance studio", "I won't quit on my dance studio"),
        ("Lives in Turin", "if we ever left Turin my kids would never forgive me"),
        ("Has a dog called Bruno", "dreamt that Bruno was gone"),
        ("Plays bass in a wedding band", "is the wedding band over?"),
        ("Runs on Fridays", "last Friday I finished the slides"),
    ],
)
def test_a_named_memory_that_holds__is_not_doubted(memory: str, message: str) -> None:
    assert not doubted(memory, message)


def test_a_pronoun__means_what_the_message_before_said_a_short_time_ago() -> None:
    assert doubted("Has a bike from the seventies", "well, I sold it")
    assert not doubted("Has a bike from the seventies", "well, I sold it", minutes=90)


def test_a_sentence_that_names_many_memories__ends_none() -> None:
    known = [stated_memory(f"Has a {what} guitar")._replace(text=f"Has a {what} guitar") for what in "abcdef"]
    said_at = NOW + timedelta(minutes=5)
    found = find_changes(read_changes("handed back the guitar", said_at=said_at), known, said_at=said_at)
    assert not found.doubted
