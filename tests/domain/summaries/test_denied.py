"""A sentence of a summary affirms nothing that its text denies or has ended, and denies nothing that it affirms."""

from __future__ import annotations

import pytest

from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.evidence import Evidence

SAID = [
    "I gave up coffee in spring. Rafa can't have nuts",
    "Bela hates thunder, so we stayed in",
    "I'm not telling Rafa about the surprise party",
    "Ines sings in the gospel choir and I envy her",
    "Said the kids get no dog before the move",
    "My new boss drives me up the wall, I hate the meetings",
]
TEXTS = dict(enumerate(map(Citable, SAID), 1))
ADA = Evidence(TEXTS, ["Ada", "Rafa", "Bela", "Ines"], "Ada")


@pytest.mark.parametrize(
    "sentence, numbers",
    [
        ("Ada quit coffee in spring.", [1]),
        ("Rafa has to do without nuts.", [1]),
        ("Bela fears thunder.", [2]),
        ("Ines sings in a gospel choir.", [4]),
        ("A dog has to wait until the move.", [5]),
        ("The meetings annoy Ada.", [6]),
    ],
)
def test_the_same_in_other_words__is_kept(sentence: str, numbers: list[int]) -> None:
    assert ADA.find_fault(sentence, numbers) is None


@pytest.mark.parametrize(
    "sentence, numbers",
    [
        ("Ada still drinks coffee.", [1]),
        ("Bela loves thunder.", [2]),
        ("Ada told Rafa about the surprise party.", [3]),
        ("Ines does not sing in the gospel choir.", [4]),
        ("Ada enjoys the meetings.", [6]),
    ],
)
def test_the_opposite__is_refused(sentence: str, numbers: list[int]) -> None:
    assert "denies" in (ADA.find_fault(sentence, numbers) or "")
