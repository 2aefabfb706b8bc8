"""The sentences that a classifier may be asked about: statements of the author's own life, no questions or wishes."""

from __future__ import annotations

import pytest

from keepsake.domain.reading.changes.read_changes import (
    begins_with_another,
    read_life_sentences,
)


@pytest.mark.parametrize(
    "message",
    [
        "farewell card signed, cake eaten",
        "until further notice I'm at my brother's",
        "we let it go too late for a refund",
    ],
)
def test_statement__may_tell_a_change(message: str) -> None:
    assert message in read_life_sentences(message)


def test_what_a_sentence_begins_with__may_tell_it_alone() -> None:
    message = "I stopped swimming, my knee hurts"
    assert read_life_sentences(message) == (message, "I stopped swimming")


@pytest.mark.parametrize(
    "message",
    [
        "should I sell the car?",
        "if they cut my hours I'm gone",
        "I might move to Hull",
        "joined a chess club too",
        "my other sister is in Perth",
        "I still walk to work",
        "at my mum's for the weekend",
        "you must be so proud",
        "no swim today, pool closed",
        "> I sold my house last week",
        "wir sind nach Graz gezogen und haben jetzt einen Garten",
        "!!!",
    ],
)
def test_what_tells_no_change__is_not_asked_about(message: str) -> None:
    assert read_life_sentences(message) == ()


def test_sentences__are_asked_about_one_by_one_and_two_short_ones_together() -> None:
    assert read_life_sentences("toast!!! two slices") == ("toast!!!", "two slices", "toast!!! two slices")
    assert read_life_sentences("They let me go. What now?") == ("They let me go.",)
    assert len(read_life_sentences("It is gone. " * 30)) == 4


def test_beginning__of_others_and_of_pronouns() -> None:
    assert begins_with_another("haha, she packed her bags")
    assert begins_with_another("my cousin quit")
    assert not begins_with_another("my wife left")
    assert not begins_with_another("packed her bags")
