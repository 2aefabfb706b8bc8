"""The classifier of changed parts of life, over vectors; its weights are those of the embedding model of the extra."""

from __future__ import annotations

from keepsake.domain.english.load_word_lists import load_pairs
from keepsake.domain.merging import changes
from keepsake.domain.merging.changes.life_change_classifier import MIN_PROBABILITY, MODEL, changed_parts
from keepsake.domain.merging.parts_of_life import kinds_of_parts
from keepsake.infra.models.model_folder import BUNDLED_MODEL

_DIMENSIONS = 384
_LINES = load_pairs("life_change_weights", changes.__name__)


def test_weights__are_of_the_bundled_model_and_of_parts_that_memories_have() -> None:
    assert MODEL == BUNDLED_MODEL
    assert {len(line.split()) for line in _LINES.values()} == {_DIMENSIONS + 1}
    assert _LINES.keys() - {"none"} >= {"home", "work", "partner", "pet", "health", "name"}
    assert all(kinds_of_parts([part]) for part in _LINES.keys() - {"none", "health", "name"})


def test_a_vector_along_the_weights_of_a_part__says_that_it_has_changed() -> None:
    weights = [int(number) for number in _LINES["pet"].split()[1:]]
    length = sum(number * number for number in weights) ** 0.5
    found = changed_parts([number / length for number in weights])
    assert max(found, key=lambda part: found[part]) == "pet"
    assert MIN_PROBABILITY <= sum(found.values()) <= 1


def test_a_vector_against_every_part__says_nothing() -> None:
    weights = [int(number) for number in _LINES["none"].split()[1:]]
    length = sum(number * number for number in weights) ** 0.5
    assert changed_parts([number / length for number in weights]) == {}
