"""What of a message is searched with."""

from __future__ import annotations

import pytest

from keepsake.domain.context.query import MAX_LENGTH, extract_query
from tests.support.effort import count_calls


@pytest.mark.parametrize(
    "message,subject",
    [
        ("Hello!", "!"),
        ("Good morning, how did my garden do?", ", how did my garden do?"),
        ("Hi there. Thanks so much! Where is Rex?", ".! Where is Rex?"),
        ("Can you please tell me what Anna likes?", "what Anna likes?"),
        ("I’d like to know where I live", "where I live"),
        ("Do you remember my good morning routine?", "my good morning routine?"),
        ("Guten Morgen! Weißt du, wo ich wohne?", "! , wo ich wohne?"),
        ("Anything about hiking", "Anything about hiking"),
        ("Somewhere like Rome, but cheaper", "Somewhere Rome, but cheaper"),
        ("What do I like about Rome?", "What do I like about Rome?"),
        ("Things I really like", "Things I really like"),
    ],
)
def test_query__is_the_message_without_greetings_and_request_phrases(message: str, subject: str) -> None:
    assert "".join(extract_query(message).split()) == "".join(subject.split())


def test_query__a_long_message_is_searched_by_its_beginning_and_its_end() -> None:
    subject = extract_query("ramen " + "x " * 16_000 + "piano")
    assert subject.startswith("ramen")
    assert subject.endswith("piano")
    assert len(subject) <= MAX_LENGTH + 1


@pytest.mark.parametrize("character", ["\n", " ", ".", "hi ", "i ", "\x00", "can you "])
def test_query__no_message_takes_much_work(character: str) -> None:
    short, long = (count_calls(extract_query, character * length) for length in (8_000, 32_000))
    assert long < 6 * max(short, 100)
