"""The classifier of changed parts of life, by the words of a sentence."""

from __future__ import annotations

import pytest

from keepsake.domain.english.classifiers import load_class_weights
from keepsake.domain.merging.parts_of_life import kinds_of_parts
from keepsake.domain.reading.changes.life_change_classifier import (
    BIAS,
    CLASSIFIER,
    MIN_PROBABILITY,
    changed_parts,
    word_features,
)
from tests.support.effort import count_calls

_PARTS = load_class_weights(CLASSIFIER)[BIAS].keys()


def test_weights__are_of_parts_that_memories_have() -> None:
    assert {part for row in load_class_weights(CLASSIFIER).values() for part in row} == _PARTS
    assert _PARTS - {"none"} >= {"home", "work", "partner", "pet", "health", "name"}
    assert all(kinds_of_parts([part]) for part in _PARTS - {"none", "health", "name"})


@pytest.mark.parametrize(
    "sentence, part",
    [
        ("handed my notice in on friday", "work"),
        ("moved out of my parents place", "home"),
        ("had to have him put to sleep yesterday", "pet"),
    ],
)
def test_words__say_which_part_has_changed(sentence: str, part: str) -> None:
    found = changed_parts(sentence)
    assert MIN_PROBABILITY <= sum(found.values()) <= 1
    assert max(found, key=lambda one: found[one]) == part


@pytest.mark.parametrize(
    "sentence", ["", "made pancakes for the kids", "what a lovely morning", "ünïcode ☕ 12345 !!!"]
)
def test_words_of_an_ordinary_day__say_nothing(sentence: str) -> None:
    assert changed_parts(sentence) == {}


def test_features__keep_tense_and_take_not_out_of_contractions() -> None:
    assert {"moved", "not", "do_not", "0"} <= {*word_features("I don\u2019t like 42, moved")}
    assert "moved" not in word_features("moving")


def test_a_long_sentence__is_read_in_linear_time() -> None:
    short, long = (count_calls(changed_parts, "we moved out of the flat and " * times) for times in (25, 200))
    assert short <= long < 12 * short
