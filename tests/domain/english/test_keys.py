"""What memories are kept under, where the form of a word decides."""

from __future__ import annotations

import pytest

from keepsake.domain.reading.statements.extract import extract
from keepsake.domain.reading.statements.key_of_text import key_of


@pytest.mark.parametrize(
    "said, key",
    [
        ("I love shoes.", "fact|person|self|likes|shoe"),
        ("I like wolves.", "fact|person|self|likes|wolf"),
        ("I love series.", "fact|person|self|likes|series"),
        ("I have a mouse.", "relationship|person|self|pet|mouse"),
        ("I have two mice.", "relationship|person|self|pet|mouse"),
        ("I enjoy taping.", "fact|person|self|likes|tape"),
        ("I enjoy tapping.", "fact|person|self|likes|tap"),
        ("I hate managing people.", "fact|person|self|likes|manage_person"),
        ("I love Las Vegas.", "fact|person|self|likes|las_vegas"),
        ("I love my kids.", "fact|person|self|likes|child"),
        ("I love my children.", "fact|person|self|likes|child"),
        ("I quit smoking.", "pattern|person|self|habit|smoke"),
    ],
)
def test_extract__keys(said: str, key: str) -> None:
    (found,) = extract(said)
    assert found.key == key


@pytest.mark.parametrize("said", ["I light candles every night."])
def test_extract__a_habit_is_told_in_the_present(said: str) -> None:
    (found,) = extract(said)
    assert found.text == "Lights candles every night"
    assert found.key == "pattern|person|self|habit|light_candle"
    assert key_of(found.text) == (found.key, found.value)


def test_extract__a_habit_of_another_time_stays_in_the_past() -> None:
    found = extract("Back in college, I ate ramen every night.")
    assert [candidate.text for candidate in found if candidate.text.startswith("Eats")] == []
