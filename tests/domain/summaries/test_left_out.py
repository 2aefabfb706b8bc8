"""What was forgotten leaves the messages that say it: sentence by sentence, and the rest stays."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID

import pytest

from keepsake.domain.summaries.left_out import ForgottenStatement, ForgottenStatements, word_hashes
from tests.fixtures.db import Clone

ADA = UUID(int=1)
NOW = datetime(2026, 11, 1, tzinfo=UTC)


def forgotten(text: str, name: str = "") -> ForgottenStatements:
    """Ada has forgotten this statement, about somebody of whom nothing else is known."""
    statement = ForgottenStatement(word_hashes(ADA, text), word_hashes(ADA, name), NOW)
    return ForgottenStatements(ADA, [statement])


def kept(text: str, statements: ForgottenStatements, *, is_source: bool = False) -> str:
    """What may still be told of a message from before."""
    return statements.without(text, NOW - timedelta(days=1), is_source=is_source)


@pytest.mark.parametrize(
    "said",
    ["I am allergic to peanuts.", "im allergic to peanuts!!", "Peanuts could kill me.", "no peanuts for me, allergy."],
)
def test_a_sentence_that_states_it__is_left_out_however_it_is_said(said: str) -> None:
    told = kept(f"The train was late. {said} See you on Monday.", forgotten("Is allergic to peanuts"))
    assert told == "The train was late. See you on Monday."


def test_a_sentence_that_names_the_subject__is_left_out_too() -> None:
    statements = forgotten("Sister Noor lives in Oslo", "Noor")
    assert kept("Noor called. I live in Graz. My neighbor's in Oslo.", statements) == "I live in Graz."
    assert kept("Norway is cold.", statements) == "Norway is cold."


def test_a_source_in_which_no_sentence_states_it__is_left_out_whole() -> None:
    assert kept("She is gone.", forgotten("Grandmother died"), is_source=True) == ""
    assert kept("She is gone.", forgotten("Grandmother died")) == "She is gone."


def test_what_is_said_afterwards__is_told_again() -> None:
    statements = forgotten("Is allergic to peanuts")
    assert statements.without("I am allergic to peanuts.", NOW + timedelta(days=1), is_source=False)


def test_the_hashes__say_nothing_about_another_person_and_are_those_of_the_database(db: Clone) -> None:
    text = "Sister Noor’s café — in ÅLESUND, “3 rooms” and a dog"
    assert not word_hashes(ADA, text) & word_hashes(UUID(int=2), text)
    made = db.value("select keepsake.word_hashes(%s, %s)", (ADA, text))
    assert set(made) == word_hashes(ADA, text)
