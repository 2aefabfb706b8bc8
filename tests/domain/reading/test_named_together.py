"""Relatives whose names follow them in a list are known by their names, and a relative's job keeps its place."""

from __future__ import annotations

import pytest

from keepsake.domain.reading.statements.extract import extract


@pytest.mark.parametrize(
    "said, remembered",
    [
        (
            "My wife Ines and I have twins, Ida and Per.",
            ["Twins are called Ida and Per"],
        ),
        ("We've got boys: Ari and Noam.", ["Boys are called Ari and Noam"]),
    ],
)
def test_names__of_relatives_whom_the_author_has(said: str, remembered: list[str]) -> None:
    texts = [candidate.text for candidate in extract(said)]
    assert all(any(text.endswith(one) for text in texts) for one in remembered), texts


@pytest.mark.parametrize(
    "said",
    [
        "My sister has twins, Emil and Klara.",
        "I want to have kids, Emil and Klara would be nice.",
        "I have kids, and Tim is sick.",
        "I have two jobs, Uber and Lyft.",
        "We had twins, Emil and Klara, in our class.",
    ],
)
def test_names__of_nobody_else(said: str) -> None:
    assert not [one.text for one in extract(said) if " named " in one.text]


@pytest.mark.parametrize(
    "said, remembered",
    [
        ("My husband Luis is a chef in Porto.", "Husband Luis is a chef in Porto"),
        ("My cousin is a pilot for Lufthansa.", "Cousin is a pilot for Lufthansa"),
        ("My aunt is a teacher at my school.", "Aunt is a teacher at their school"),
        ("My dad is a plumber by trade.", "Dad is a plumber by trade"),
    ],
)
def test_job__of_a_relative_keeps_its_place(said: str, remembered: str) -> None:
    (candidate,) = extract(said)
    assert (candidate.text, candidate.value) == (remembered, remembered.split()[4 if "Luis" in said else 3])
