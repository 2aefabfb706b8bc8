"""What a sentence of a summary tells as done was done, and not only planned, offered or wished for."""

from __future__ import annotations

import pytest

from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.evidence import Evidence

SAID = [
    "thinking about a welding certificate, haven't signed up",
    "Ines offered to paint the fence",
    "I want to swim the river race in July but my shoulder hurts",
    "They asked me to run the night shift. Said no",
    "I might sell the van",
    "Sold the boat yesterday, finally",
    "The plumber can come on Friday",
]
TEXTS = dict(enumerate(map(Citable, SAID), 1))
ADA = Evidence(TEXTS, ["Ada"], "Ada")


@pytest.mark.parametrize(
    "sentence, numbers",
    [
        ("Ada thought about a welding certificate.", [1]),
        ("Ines offered to paint the fence.", [2]),
        ("Ada hoped to swim the river race in July.", [3]),
        ("They asked Ada to run the night shift, and she said no.", [4]),
        ("Ada sold the boat.", [5, 6]),
        ("A visit from the plumber is due on Friday.", [7]),
    ],
)
def test_a_plan_told_as_one__is_kept(sentence: str, numbers: list[int]) -> None:
    assert ADA.find_fault(sentence, numbers) is None


@pytest.mark.parametrize(
    "sentence, numbers",
    [
        ("Ada finished the welding certificate.", [1]),
        ("Ines painted the fence.", [2]),
        ("Ada swam the river race.", [3]),
        ("Ada sold the van.", [5, 6]),
        ("The plumber came on Friday.", [7]),
    ],
)
def test_a_plan_told_as_done__is_refused(sentence: str, numbers: list[int]) -> None:
    assert "as a plan" in (ADA.find_fault(sentence, numbers) or "")
