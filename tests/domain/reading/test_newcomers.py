"""What people who do not write as in books say of themselves: apposition, other grammars, places without capitals."""

from __future__ import annotations

import pytest

from keepsake.domain.reading.statements.extract import extract


@pytest.mark.parametrize(
    "message, texts",
    [
        ("I went to the park with my beagle, Duke", ["Has a beagle named Duke"]),
        ("I live alone with my beagle, Duke", ["Lives alone with their beagle, Duke", "Has a beagle named Duke"]),
        ("I have 20 years of experience", ["Has 20 years of experience"]),
        ("im originally from aleppo came to germany in 2015", ["Is from Aleppo"]),
        ("im about 24", []),
        ("Wanda is allergic to peanuts I carry an epipen everywhere",
         ["Wanda is allergic to peanuts", "Carries an epipen everywhere"]),
        ("I'm allergic to penicillin, in case it ever matters", ["Allergic to penicillin"]),
        ("my best friend Lari says i should dump him", ["Best friend is named Lari"]),
        ("first time in Paris for me", []),
        ("Ich gehe im Juli 2027 in Rente.", []),
    ],
)  # fmt: skip
def test_extract__reads_what_newcomers_write(message: str, texts: list[str]) -> None:
    assert [one.text for one in extract(message)] == texts
