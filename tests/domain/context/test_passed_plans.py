"""What was planned for a day that is over is marked, and nothing else."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from keepsake.domain.context.outline import Outline
from keepsake.domain.context.passed_plans import NOTICE, is_passed_plan, mark_passed
from keepsake.domain.extraction.period_of_text import with_period
from keepsake.domain.memory import Candidate, MemoryType, Subtype
from tests.support.memories import memory

TODAY = date(2027, 4, 7)


@pytest.mark.parametrize(
    "plan",
    [
        "The surgery is on 6 April",
        "Her mother's surgery is planned for Tuesday 6 April",
        "He is driving to the lake with Dolores on April 3",
        "Walt will call Frank by 17 March 2027",
        "Gene moves in with him on the 5th of April",
    ],
)
def test_a_plan_for_an_earlier_day__is_marked(plan: str) -> None:
    text = f"Ada has a dog. {plan}. She likes figs."
    assert mark_passed(Outline.of_text(text), TODAY).text == f"Ada has a dog. {plan} {NOTICE}. She likes figs."


def test_the_notice__stands_at_the_day() -> None:
    text = "The surgery is on 6 April at the Vale, and her sister Joana takes that week off."
    assert mark_passed(Outline.of_text(text), TODAY).text == text.replace("6 April", f"6 April {NOTICE}")


def test_the_notice__leaves_a_date_whole() -> None:
    text = "Hanna is visiting from Vienna on the weekend of 28 March 2027 and wants cake."
    assert mark_passed(Outline.of_text(text), TODAY).text == text.replace("2027", f"2027 {NOTICE}")


@pytest.mark.parametrize(
    "text",
    [
        "The surgery is on 7 April.",
        "She starts on 3 May at the health centre.",
        "On 27 March he played The Swan.",
        "She got the job on 2 April, and starts on 3 May.",
        "The surgery was planned on a ward; it was on 2 April.",
        "Gene, who had a stroke on 8 March, is in rehab.",
        "Is 69 years old since 4 March.",
        "The wedding is on 6 April 2028.",
        "Her birthday is on 20 December.",
        "It is on 31 February.",
        "Hanna is visiting on the weekend of 6 April.",
        "The retreat is planned for the week of 5 April.",
        "Gene is in rehab and Max came on 5 March.",
        "She is glad that Karen visited on 5 March.",
        "",
    ],
)
def test_everything_else__is_as_it_was(text: str) -> None:
    assert mark_passed(Outline.of_text(text), TODAY).text == text


@pytest.mark.parametrize(
    "text, days",
    [
        ("Hanna is visiting on the weekend of 3 April 2027", [False, False, True]),
        ("Is in Vienna from 3 April 2027 to 4 April 2027", [False, False, True]),
        ("The surgery is on 3 April 2027", [False, True, True]),
    ],
)
def test_a_memory__is_a_passed_plan_from_the_day_after_its_last(text: str, days: list[bool]) -> None:
    candidate = with_period(Candidate(MemoryType.FACT, Subtype.EVENT, text, text, 0.7))
    stored = memory(text, period=candidate.period, valid_from=datetime(2027, 3, 30, tzinfo=UTC))
    found = [is_passed_plan(stored, datetime(2027, 4, day, 12, tzinfo=UTC)) for day in (3, 4, 5)]
    assert found == days
