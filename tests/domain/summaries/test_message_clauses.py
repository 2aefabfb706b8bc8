"""Clauses of messages that a summary without a model tells alone, and what it leaves out."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from keepsake.domain.memory import MemoryType
from keepsake.domain.summaries.message_clauses import find_message_clauses
from keepsake.domain.summaries.names_in_messages import names_in
from keepsake.domain.summaries.said import SaidMessage


def told(*texts: str, labels: tuple[str, ...] = ("Rosa",)) -> list[str]:
    """What is told of messages of Tuesday 8 October 2024."""
    noon = datetime(2024, 10, 8, 12, tzinfo=UTC)
    messages = [SaidMessage(uuid4(), uuid4(), noon, text) for text in texts]
    return [one.text for one in find_message_clauses(messages, names_in(messages, labels), "Ada")]


@pytest.mark.parametrize(
    "said, text",
    [
        ("Sold the boat. Feels odd.", "Sold the boat"),
        ("Called Rosa and said no", None),  # a denial
        ("i handed in my thesis, the dean smiled", "Handed in their thesis"),
        ("Missed my train yesterday", "Missed their train on Monday 7 October"),
        ("I was calm and then on the stairs I felt afraid", None),  # half of it
        ("I left the keys at home like a fool", "Left the keys at home"),
        ("I designed bridges", None),  # what one used to do
        ("I have to build a shed and paint it", "Has to build a shed"),
        ("my aunt broke her arm. rosa drove me to the lake today", "Rosa drove Ada to the lake on Tuesday 8 October"),
        ("Rosa is 9 today", "Rosa is 9"),
        ("Dr. Rosa Lima ordered a scan", "Dr Rosa Lima ordered a scan"),
    ],
)
def test_what_can_be_told_alone(said: str, text: str | None) -> None:
    assert told(said) == ([text] if text else [])


@pytest.mark.parametrize(
    "said",
    [
        "Did Rosa buy the house?",
        "If Rosa sold the house I would cry",
        "Rosa said the house is sold",
        "Met her at the station",
        "There is a new boss. Worked at the docks for years",
        "Rosa almost bought a horse",
        "Rosa came on the 19th",
        "Rosa left last week",
        "Left hind leg",
        "“Rosa sold the house”",
        "Ich kaufte gestern ein neues rotes Fahrrad",
    ],
)
def test_what_hangs_on_something_else_or_did_not_happen__is_left_out(said: str) -> None:
    assert told(said) == []


def test_feelings__are_feelings() -> None:
    message = SaidMessage(uuid4(), uuid4(), datetime(2024, 10, 8, tzinfo=UTC), "I felt sad about the house")
    (one,) = find_message_clauses([message], frozenset())
    assert (one.type, one.day.day, one.text) == (MemoryType.EMOTION, 8, "Felt sad about the house")


def test_no_more_than_eight_words_are_copied() -> None:
    assert told("I painted the old kitchen table with the blue paint from the cellar") == [
        "Painted the old kitchen table"
    ]


def test_what_was_to_be_done__is_left_out_once_it_is_spoken_of_again() -> None:
    assert told("I have to paint a fence", "The fence is half painted") == []
