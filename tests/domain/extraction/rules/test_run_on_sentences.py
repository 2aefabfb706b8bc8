"""Where a sentence goes on with another one, as in what people dictate; what belongs together stays together."""

from __future__ import annotations

import pytest

from keepsake.domain.extraction.rules.clauses.run_on_sentences import split_points
from keepsake.domain.extraction.rules.extract import extract


@pytest.mark.parametrize(
    "text",
    [
        "my name is kate | I am a single mom",
        "I started dating a nurse | his name is Marcus | he's a runner",
        "Ben is allergic to nuts | I carry an epipen",
        "I moved yesterday evening ago | I am so tired",
        "I have three boys | Liam is twelve | Noah is nine",
        "we got a puppy | the boys named him Taco",
        "yo im mo | i work in a bank",
        "in the summer we go to Maine | I have a boat there",
    ],
)
def test_sentence__ends_where_another_one_begins(text: str) -> None:
    parts = text.split(" | ")
    starts = [len(" ".join(parts[:index])) + 1 for index in range(1, len(parts))]
    assert list(split_points(" ".join(parts))) == starts


@pytest.mark.parametrize(
    "text",
    [
        "I love the city we live in",
        "the guy we met at the bar was nice",
        "I think he's a cook",
        "my mum says she's a witch",
        "everything I am is a lie",
        "the day I got a job I cried",
        "the only time I have a coffee is at noon",
        "I was in Rome and now I live in Porto",
        "if I had a million I have a chef",
        "I have a rash what can I use for it",
        "I'm glad I work in a bank",
        "my son Liam is twelve",
        "I told Ana I am allergic to cats",
        "I love it when my brother he's a clown",
        "in the summer I live in Maine",
        "every other march I have a party",
    ],
)
def test_sentence__that_is_one_stays_one(text: str) -> None:
    assert split_points(text) == ()


def test_what_was_dictated__makes_one_memory_for_each_statement() -> None:
    text = "okay so my name is kate I am a single mom of three boys Liam is twelve and I work as a nurse at Mount Sinai"
    assert [one.text for one in extract(text)][:3] == [
        "Name is Kate",
        "Is a single mom of three boys",
        "Works as a nurse at Mount Sinai",
    ]


@pytest.mark.parametrize("text", ["in the summer I live in Maine", "In the summer I live in Maine."])
def test_opening__says_when_the_statement_holds(text: str) -> None:
    assert [one.text for one in extract(text)] == ["Lives in Maine in the summer"]
