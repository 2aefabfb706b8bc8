"""Which statements are about somebody's health or money, by example files and by held-out sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from keepsake.domain.screening.sensitive_topics import is_sensitive_topic

HERE = Path(__file__).parent
MIN_PRECISION, MIN_RECALL = 0.9, 0.95


def lines(name: str) -> list[str]:
    """The sentences of a file."""
    return [line for line in (HERE / name).read_text().splitlines() if line and not line.startswith("#")]


SENSITIVE, ORDINARY = lines("sensitive_topics.txt"), lines("ordinary_topics.txt")


def test_examples__are_many() -> None:
    assert min(len(set(SENSITIVE)), len(set(ORDINARY))) >= 80
    assert not set(SENSITIVE) & set(ORDINARY)


@pytest.mark.parametrize("text", SENSITIVE)
def test_is_sensitive_topic__health_and_money(text: str) -> None:
    assert is_sensitive_topic(text)


@pytest.mark.parametrize("text", ORDINARY)
def test_is_sensitive_topic__everyday_statements(text: str) -> None:
    assert not is_sensitive_topic(text)


def test_is_sensitive_topic__held_out_sentences() -> None:
    held_out = [(line[2:], line.startswith("+ ")) for line in lines("sensitive_topics_holdout.txt")]
    found = [(is_sensitive_topic(text), expected) for text, expected in held_out]
    hits = found.count((True, True))
    assert hits / sum(said for said, _ in found) >= MIN_PRECISION
    assert hits / sum(expected for _, expected in found) >= MIN_RECALL


@pytest.mark.parametrize("text", ["Has asth\u200bma", "Has Crohn\u2019s disease", "\uff28\uff21\uff33 diabetes"])
def test_is_sensitive_topic__sees_what_a_reader_sees(text: str) -> None:
    assert is_sensitive_topic(text)
