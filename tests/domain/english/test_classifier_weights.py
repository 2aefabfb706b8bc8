"""The weights of the classifiers over words are what training makes of the data and the features that are here."""

from __future__ import annotations

import pytest

from bench.training import screening_model
from bench.training.classifiers import CLASSIFIERS
from bench.training.weights_file import hash_rows, read_cards
from keepsake.domain.english.classifiers import load_weights


@pytest.mark.parametrize("name", CLASSIFIERS)
def test_card__has_the_hash_of_data_and_features(name: str) -> None:
    """Where this fails, data or features have changed: run ``python -m bench.training.classifiers``."""
    assert hash_rows(CLASSIFIERS[name]().rows) == read_cards()[name]["rows_sha256"]


def test_card__is_stale_once_a_feature_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(screening_model._FEATURES, "claim", lambda text: text.lower().split())
    assert hash_rows(CLASSIFIERS["claim"]().rows) != read_cards()["claim"]["rows_sha256"]


@pytest.mark.parametrize("name", read_cards())
def test_card__counts_the_weights(name: str) -> None:
    assert read_cards()[name]["features"] == len(load_weights(name)) > 1000
