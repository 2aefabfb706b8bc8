"""A reason in a sentence of a summary is one that the person gave."""

from __future__ import annotations

import pytest

from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.evidence import Evidence

SAID = [
    "The boiler broke again, so the kids slept at their aunt's. Ines found a cracked valve",
    "I turned the promotion down. Three hours on the road every day is not for me",
    "My knee is swollen after the hike",
    "No football until March, says the doctor",
]
TEXTS = dict(enumerate(map(Citable, SAID), 1))
ADA = Evidence(TEXTS, ["Ada"], "Ada")


@pytest.mark.parametrize(
    "sentence, numbers",
    [
        ("The kids slept at their aunt's because the boiler broke.", [1]),
        ("The boiler broke because of a cracked valve.", [1]),
        ("Ada turned the promotion down because she would spend three hours on the road.", [2]),
        ("The doctor allows no football until March because Ada's knee is swollen.", [3, 4]),
        ("Ada turned the promotion down, and the boiler broke.", [1, 2]),
    ],
)
def test_a_reason_that_was_given__is_kept(sentence: str, numbers: list[int]) -> None:
    assert ADA.find_fault(sentence, numbers) is None


@pytest.mark.parametrize(
    "sentence, numbers",
    [
        ("The boiler broke because nobody had serviced it.", [1]),
        ("The boiler broke due to the frost.", [1]),
        ("Ada turned the promotion down so that she can study.", [2]),
        ("Ada turned the promotion down because her knee hurts.", [2, 3]),
    ],
)
def test_an_invented_reason__is_refused(sentence: str, numbers: list[int]) -> None:
    assert "as a reason" in (ADA.find_fault(sentence, numbers) or "")
