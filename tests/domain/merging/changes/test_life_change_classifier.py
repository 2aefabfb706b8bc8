"""The classifier of changed parts of life, by words and vectors, those of the embedding model of the extra."""

from __future__ import annotations

import time

import pytest

from keepsake.domain.english.load_word_lists import load_pairs
from keepsake.domain.merging import changes
from keepsake.domain.merging.changes.life_change_classifier import MIN_PROBABILITY, MODEL, changed_parts
from keepsake.domain.merging.changes.life_change_words import BIAS, load_weights, word_features
from keepsake.domain.merging.parts_of_life import kinds_of_parts
from keepsake.infra.models.model_folder import BUNDLED_MODEL

_DIMENSIONS = 384
_LINES = load_pairs("life_change_weights", changes.__name__)


def test_weights__are_of_the_bundled_model_and_of_parts_that_memories_have() -> None:
    assert MODEL == BUNDLED_MODEL
    assert {len(line.split()) for line in _LINES.values()} == {_DIMENSIONS + 1}
    assert load_weights()[BIAS].keys() == _LINES.keys()
    assert {part for row in load_weights().values() for part in row} == _LINES.keys()
    assert _LINES.keys() - {"none"} >= {"home", "work", "partner", "pet", "health", "name"}
    assert all(kinds_of_parts([part]) for part in _LINES.keys() - {"none", "health", "name"})


def test_a_vector_along_the_weights_of_a_part__says_that_it_has_changed() -> None:
    weights = [int(number) for number in _LINES["pet"].split()[1:]]
    length = sum(number * number for number in weights) ** 0.5
    found = changed_parts("so", [number / length for number in weights])
    assert max(found, key=lambda part: found[part]) == "pet"
    assert MIN_PROBABILITY <= sum(found.values()) <= 1


def test_a_vector_against_every_part__says_nothing() -> None:
    weights = [int(number) for number in _LINES["none"].split()[1:]]
    length = sum(number * number for number in weights) ** 0.5
    assert changed_parts("so", [number / length for number in weights]) == {}


@pytest.mark.parametrize(
    "sentence, part",
    [
        ("handed my notice in on friday", "work"),
        ("moved out of my parents place", "home"),
        ("had to have him put to sleep yesterday", "pet"),
    ],
)
def test_words_alone__say_which_part_has_changed(sentence: str, part: str) -> None:
    found = changed_parts(sentence)
    assert max(found, key=lambda one: found[one]) == part


@pytest.mark.parametrize(
    "sentence", ["", "made pancakes for the kids", "what a lovely morning", "ünïcode ☕ 12345 !!!"]
)
def test_words_of_an_ordinary_day__say_nothing(sentence: str) -> None:
    assert changed_parts(sentence) == {}


def test_a_vector__can_outweigh_the_words() -> None:
    weights = [int(number) for number in _LINES["none"].split()[1:]]
    length = sum(number * number for number in weights) ** 0.5
    assert changed_parts("handed my notice in on friday", [3 * number / length for number in weights]) == {}


def test_features__keep_tense_and_take_not_out_of_contractions() -> None:
    assert {"moved", "not", "do_not", "0"} <= {*word_features("I don\u2019t like 42, moved")}
    assert "moved" not in word_features("moving")


def test_a_long_sentence__is_read_in_linear_time() -> None:
    started = time.perf_counter()
    for _ in range(100):
        changed_parts("we moved out of the flat and " * 200)
    assert time.perf_counter() - started < 1
