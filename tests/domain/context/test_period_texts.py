"""A first context tells of the days, weeks and the month of late, each thing once, within its room."""

from __future__ import annotations

from typing import Any

import pytest

from keepsake.domain.context.block import Block
from keepsake.domain.context.identity_line import IdentityLine
from keepsake.domain.context.outline import Outline
from keepsake.domain.context.period_texts import PeriodText
from keepsake.domain.context.render import Rendered, render
from keepsake.domain.context.selection import SelectedMemory
from keepsake.infra.models.token_counter import load_token_counter
from tests.support.memories import NOW, memory

COUNT = load_token_counter()
WEEK = PeriodText(
    "Week 2026-11-09 to 2026-11-15", ["Ada was happy.", "Ada got the job in Graz on 12 November. Ben gave in."]
)
MONTH = PeriodText(
    "October 2026",
    ["Ada felt guilty about Mia.", "Ada applied for the job in Graz. Ada swims on Mondays. Ada has a cat named Miso."],
)


def shown(*chosen: SelectedMemory, budget: int = 1200, **block: Any) -> Rendered:
    return render(Block(now=NOW, identity=IdentityLine(name="Ada"), chosen=chosen, **block), COUNT, budget=budget)


def chosen(text: str, **columns: Any) -> SelectedMemory:
    is_requested = columns.pop("is_requested", False)
    return SelectedMemory(memory(text, **columns), 1.0, "important", None, is_requested)


def test_periods__are_told_from_the_newest_back() -> None:
    *_, week, month, _ = shown(periods=[WEEK, MONTH]).context.splitlines()
    assert week == (
        'Week 2026-11-09 to 2026-11-15: "Ada was happy. Ada got the job in Graz on 12 November. Ben gave in."'
    )
    assert month == (
        'October 2026: "Ada felt guilty about Mia. Ada applied for the job in Graz. Ada swims on Mondays.'
        ' Ada has a cat named Miso."'
    )


def test_room__ends_at_a_sentence_and_each_text_keeps_its_beginning() -> None:
    whole = shown(periods=[WEEK, MONTH])
    less = shown(periods=[WEEK, MONTH], budget=whole.token_count - 1)
    assert "Ada felt guilty about Mia. Ada applied for the job in Graz." in less.context
    assert "Miso" not in less.context
    assert less.token_count < whole.token_count


def test_what_is_told_twice__is_left_out_of_the_older_and_of_the_shorter_text() -> None:
    month = PeriodText("October 2026", ["", "On 12 November Ada got the job in Graz. Ada swims on Mondays."])
    merged = Outline.of_text("Ada got the job in Graz. Ada lives in Linz.")
    context = shown(periods=[WEEK, month], merged_context=merged).context
    assert context.count("job in Graz") == 1
    assert 'October 2026: "Ada swims on Mondays."' in context
    assert 'About this person: "Ada lives in Linz."' in context


@pytest.mark.parametrize("ended, is_shown", [("Has a cat named Miso", True), ("Goes to Lima with Mia in June", False)])
def test_what_ended_later__is_not_told(ended: str, *, is_shown: bool) -> None:
    month = PeriodText("October 2026", ["Ada goes to Lima with her Mia in June. Ada swims."], ended=[ended])
    context = shown(periods=[month]).context
    assert "Ada swims." in context
    assert ("Lima" in context) is is_shown


def test_a_digest__adds_what_no_other_text_tells() -> None:
    digest = PeriodText("Recently", ["Ada has the job at last, in Graz. Ada repairs clocks."], is_digest=True)
    assert 'Recently: "Ada repairs clocks."' in shown(periods=[WEEK, digest]).context


def test_a_memory__has_a_line_of_its_own_where_it_is_not_told() -> None:
    told = chosen("Got the job in Graz on 2026-11-12", importance=3)
    other = chosen("Lives in Linz", importance=3)
    asked = chosen("Swims on Mondays", is_requested=True)
    out = shown(told, other, asked, periods=[WEEK, MONTH])
    assert list(out.memory_ids) == [other.memory.id, asked.memory.id]
    assert "Ada swims on Mondays" not in out.context


def test_an_allergy__has_its_line_whatever_is_told() -> None:
    allergy = chosen("Is allergic to nuts", importance=3)
    period = PeriodText("October 2026", ["Ada is allergic to nuts. Ada swims."])
    out = shown(allergy, periods=[period])
    assert out.memory_ids == (allergy.memory.id,)
    assert 'October 2026: "Ada swims."' in out.context


def test_memories_that_must_not_be_missed__come_before_the_periods() -> None:
    needed = [chosen(f"Plays instrument number {number} every Sunday", importance=3) for number in range(5)]
    long = PeriodText("October 2026", ["".join(f"Ada saw film number {number}. " for number in range(200))])
    out = shown(*needed, periods=[long], budget=400)
    assert len(out.memory_ids) == len(needed)
    assert 300 < out.token_count <= 400


def test_people__are_named_where_no_period_tells_of_them() -> None:
    people = ["Ben, brother, wants to sell the house", "Zoe, neighbour"]
    context = shown(periods=[WEEK], people=people).context
    assert 'People: "Zoe, neighbour"' in context
    assert "sell the house" not in context


def test_a_listing__keeps_its_memories() -> None:
    told = chosen("Got the job in Graz on 2026-11-12")
    assert shown(told, periods=[WEEK], listed_count=1).memory_ids == (told.memory.id,)
