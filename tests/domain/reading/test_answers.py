"""An answer to the assistant states something of the author, where it names something and is about them."""

from __future__ import annotations

import pytest

from keepsake.domain.reading.message.previous_messages import PreviousMessage, answered_statement
from keepsake.domain.reading.statements.extract import extract


@pytest.mark.parametrize(
    "question, answer, statement",
    [
        ("Any allergies?", "Nuts and kiwi", "i am allergic to nuts and kiwi"),
        ("Do you have any allergies?", "yeah, peanuts", "i am allergic to peanuts"),
        ("How old is your son?", "7", "my son is 7 years old"),
    ],
)
def test_answer__is_a_statement_of_the_author(question: str, answer: str, statement: str) -> None:
    assert (answered_statement(question, answer) or "").casefold() == statement


@pytest.mark.parametrize("whose", ["your son", "your wife", "your guests", "he", "they"])
def test_answer__about_somebody_else_is_none(whose: str) -> None:
    assert answered_statement(f"Does {whose} have any allergies?", "Eggs") is None


@pytest.mark.parametrize(
    "answer", ["No allergies", "None at all", "nothing", "Sure, go ahead", "a few", "wait a moment", "One is vegan"]
)
def test_answer__that_names_nothing_is_none(answer: str) -> None:
    assert answered_statement("What are you allergic to?", answer) is None
    assert answered_statement("Any allergies?", answer) is None


@pytest.mark.parametrize("question", ["How old is your niece?", "And your dog?", "What is she now?"])
@pytest.mark.parametrize("answer", ["11 in june", "about 11"])
def test_answer__without_the_author_states_nothing_of_them(question: str, answer: str) -> None:
    assert extract(answer, previous=[PreviousMessage("assistant", question)]) == []
