"""Where a sentence is cut: each part is a whole statement, and nothing of the cut is left on it."""

from __future__ import annotations

import pytest

from keepsake.domain.reading import read
from tests.support.memories import NOW

TEXTS = [
    ("I'm night blind (since birth) so I cannot drive late", "Is night blind (since birth)"),
    ("I bought a kayak (a red two-seater) and now it has rained for days", "Bought a kayak (a red two-seater)"),
    ("I retired in 2018 and since then my wife Greta and I spend our summers in Crete", "Retired in 2018"),
    ("My uncle Sepp passed in 2020, and since then I've been running the farm", "Uncle Sepp passed in 2020"),
    ("I'm Mirko, 52, in Split with my wife Ana", "Lives in Split"),
    ("My name is Aylin, 27, from Bursa", "Is from Bursa"),
    ("I have two cats (Fig and Olive)", "Has two cats (Fig and Olive)"),
]


@pytest.mark.parametrize("said, text", TEXTS)
def test_a_statement__is_whole_and_ends_where_the_next_begins(said: str, text: str) -> None:
    assert text in [one.text for one in read(said, said_at=NOW).candidates]


@pytest.mark.parametrize("said", ["I work at Brenner, in Munich", "I'm tired, in Rome"])
def test_a_place__is_no_home_where_nobody_introduces_themselves(said: str) -> None:
    assert not [one.text for one in read(said, said_at=NOW).candidates if one.text.startswith("Lives")]
