"""When something was, in a sentence of a summary: on a day on which its message was said, or of which that tells."""

from __future__ import annotations

from datetime import date

import pytest

from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.evidence import Evidence

SAID = [
    (1, "My cousin Ines fixed the boiler. She works every Tuesday at the depot in Vigo"),
    (3, "The choir rehearsal went well, starts at 19:30 from now on"),
    (4, "Signed up for the pottery course tomorrow, it ends on the 26th"),
    (6, "Ines visited us yesterday and repaired the old lamp. We plan a hike next spring"),
]
TEXTS = {
    number: Citable(text, day=f"{date(2027, 2, day):%A} {day} February 2027", on=date(2027, 2, day))
    for number, (day, text) in enumerate(SAID, 1)
}
ADA = Evidence(TEXTS, ["Ada"], "Ada")


@pytest.mark.parametrize(
    "sentence, numbers",
    [
        ("On Monday Ines fixed the boiler.", [1, 2]),
        ("Ines works at the depot on Tuesdays.", [1, 2]),
        ("The choir rehearsal on Wednesday went well.", [2, 3]),
        ("The choir rehearsal starts at 7:30.", [2]),
        ("The pottery course is on Friday, and it ends on 26 February.", [3]),
        ("On Friday Ines came to see them and repaired the old lamp.", [3, 4]),
        ("On Saturday Ada told of a hike planned for next spring.", [4]),
        ("She had a quiet evening on Thursday.", [1, 2]),
    ],
)
def test_a_day_that_the_message_gives__is_kept(sentence: str, numbers: list[int]) -> None:
    assert ADA.find_fault(sentence, numbers) is None


@pytest.mark.parametrize(
    "sentence, numbers, time",
    [
        ("On Wednesday Ines fixed the boiler.", [1, 2], "Wednesday"),
        ("Ines works at the depot on Thursdays.", [1, 3], "Thursday"),
        ("The choir rehearsal on 4 February went well.", [2, 3], "4 February"),
        ("The choir rehearsal starts at 8.", [2], "8"),
        ("Ines repaired the old lamp on Monday.", [1, 4], "Monday"),
        ("A hike is planned for next autumn.", [4], "autumn"),
    ],
)
def test_a_day_that_only_another_message_gives__is_refused(sentence: str, numbers: list[int], time: str) -> None:
    found = ADA.find_fault(sentence, numbers)
    assert found is not None
    assert time in found


def test_a_text_without_a_day__gives_any() -> None:
    assert Evidence({1: Citable("Ines fixed the boiler for us")}).find_fault("On Monday Ines fixed it.", [1]) is None
