"""A first context tells of the days, weeks and the month of late that a model wrote, and of to-dos with their days."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from keepsake.domain.summaries.periods import Level
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from tests.fixtures.scene import Scene
from tests.support.summaries import remember, rows, summarize

TODAY = date(2026, 11, 11)
"""A Wednesday."""


async def first_context(scene: Scene, text: str = "Hello!") -> list[str]:
    """The lines of the context for the first message of a new conversation."""
    message = scene.says(text, chat=scene.people.conversation(scene.ada))
    chat: Any = scene.db.value("select conversation_id from public.messages where id = %s", (message,))
    return (await inject_memory(scene.resources, ContextRequest(chat, message))).context.splitlines()


def write(scene: Scene, table: str, **columns: Any) -> None:
    """Store a row of Ada's."""
    row = {"user_id": scene.ada.user_id, "profile_id": scene.ada.profile_id, **columns}
    marks = ", ".join(f"%({column})s" for column in row)
    statement: Any = f"insert into public.user_memory_{table} ({', '.join(row)}) values ({marks})"
    scene.db.run(statement, row)


def week(scene: Scene, monday: date, summary: str, **more: Any) -> None:
    year, number, _ = monday.isocalendar()
    days = {"week_start_date": monday, "week_end_date": monday + timedelta(days=6)}
    row = {"year": year, "week_number": number, "emotional_summary": "", "summary": summary, "generator": "llm"}
    write(scene, "weekly_summaries", **row | days | more)


@pytest.fixture
def lived(scene: Scene) -> Scene:
    """A model has written Ada's October, two weeks of November and one of October, and two days."""
    scene.clock.at = scene.clock.now().replace(year=TODAY.year, month=TODAY.month, day=TODAY.day, hour=12)
    felt, did = "Ada felt guilty about Mia.", "Ada lost her keys in October."
    month = {"emotional_summary": felt, "cognitive_summary": did, "generator": "llm"}
    write(
        scene, "monthly_summaries", year=2026, month=9, **month | {"cognitive_summary": "Ada sold her September boat."}
    )
    write(scene, "monthly_summaries", year=2026, month=10, **month)
    week(scene, date(2026, 10, 19), "Ada went to a fair.")
    week(scene, date(2026, 10, 26), "Ada bought pumpkins.")
    week(scene, date(2026, 11, 2), "Ada got the job.")
    for day, text in ((date(2026, 11, 8), "Ada slept."), (TODAY - timedelta(days=1), "Ada told her boss.")):
        write(scene, "daily_summaries", summary_date=day, summary=text, generator="llm")
    return scene


async def test_days_weeks_and_month__are_periods_backwards_and_each_once(lived: Scene) -> None:
    lines = await first_context(lived)
    assert [line for line in lines if line.startswith(("On ", "Week ", "October", "September"))] == [
        'On 2026-11-10: "Ada told her boss."',
        'Week 2026-11-02 to 2026-11-08: "Ada got the job."',
        'Week 2026-10-26 to 2026-11-01: "Ada bought pumpkins."',
        'October 2026: "Ada felt guilty about Mia. Ada lost her keys in October."',
    ]


async def test_what_rests_on_a_forgotten_memory__is_not_told(lived: Scene) -> None:
    memory = lived.people.memory(lived.ada, "Got the job", status="deleted", deleted_at=lived.clock.now())
    lived.db.run("update public.user_memory_weekly_summaries set memory_ids = array[%s]::uuid[]", (memory,))
    assert not [line for line in await first_context(lived) if line.startswith("Week")]


@pytest.mark.parametrize(
    "zone, ended_at, is_shown",
    [
        ("UTC", "2026-10-20", True),
        ("UTC", "2026-11-09", False),
        ("Pacific/Auckland", "2026-10-31T18:00Z", False),
        ("Pacific/Honolulu", "2026-11-01T06:00Z", True),
    ],
)
async def test_what_ended_after_the_month__is_not_told_as_if_it_held(
    lived: Scene, zone: str, ended_at: str, *, is_shown: bool
) -> None:
    """What ended within the month of the person's time zone was known to whoever wrote of it."""
    lived.db.run("update public.user_profile_list set timezone = %s", (zone,))
    ended = {"status": "superseded", "valid_from": date(2026, 10, 2), "valid_to": ended_at}
    memory = lived.people.memory(lived.ada, "Goes to Lima with Mia in June", **ended)
    lived.db.run(
        "update public.user_memory_monthly_summaries set memory_ids = array[%s]::uuid[], cognitive_summary = %s"
        " where month = 10",
        (memory, "Ada lost her keys. In June Ada goes to Lima with Mia."),
    )
    [line] = [line for line in await first_context(lived) if line.startswith("October")]
    assert ("Lima" in line) is is_shown
    assert "lost her keys" in line


async def test_without_a_model__weeks_are_told_and_not_the_month_that_quotes_them_again(lived: Scene) -> None:
    for table in ("daily", "weekly", "monthly"):
        statement: Any = f"update public.user_memory_{table}_summaries set generator = 'rules'"
        lived.db.run(statement)
    lines = await first_context(lived)
    told = [line for line in lines if line.startswith(("On ", "Week ", "October"))]
    assert told == [
        'On 2026-11-10: "Ada told her boss."',
        'Week 2026-11-02 to 2026-11-08: "Ada got the job."',
        'Week 2026-10-26 to 2026-11-01: "Ada bought pumpkins."',
        'Week 2026-10-19 to 2026-10-25: "Ada went to a fair."',
    ]


@pytest.mark.parametrize("table", ["daily", "weekly"])
async def test_a_period_that_rules_wrote__takes_nothing_from_those_of_a_model(lived: Scene, table: str) -> None:
    """While a model is asked, or where it writes some levels only, the month is told as it is otherwise."""
    asked = ("Hello!", "How was September?")
    before = ["\n".join(await first_context(lived, text)) for text in asked]
    statement: Any = f"update public.user_memory_{table}_summaries set generator = 'rules'"
    lived.db.run(statement)
    assert ["\n".join(await first_context(lived, text)) for text in asked] == before


async def test_without_a_model__a_week_of_quotes_alone_says_whose_they_are(scene: Scene) -> None:
    await scene.tell("The picnic at the lake was lovely")
    scene.clock.advance(days=8)
    await summarize(scene, Level.WEEK)
    [line] = [line for line in await first_context(scene) if line.startswith("Week")]
    assert "From the messages of Ada:" in line


async def test_without_a_model__what_is_doubted_is_left_out_and_the_rest_is_told(lived: Scene) -> None:
    doubted = lived.people.memory(lived.ada, "Got the job", doubted_at=lived.clock.now())
    lived.db.run(
        "update public.user_memory_weekly_summaries set generator = 'rules', memory_ids = array[%s]::uuid[],"
        " summary = 'Ada got the job. She swam in the lake.' where week_start_date = '2026-11-02'",
        (doubted,),
    )
    [line] = [line for line in await first_context(lived) if line.startswith("Week 2026-11-02")]
    assert "swam in the lake" in line
    assert "got the job" not in line


async def test_without_a_model__what_is_over_is_left_out_of_a_sentence_that_tells_more(scene: Scene) -> None:
    """When it ended is compared with today where that is still to come, or has no end."""
    scene.clock.at = scene.clock.now().replace(year=TODAY.year, month=TODAY.month, day=TODAY.day, hour=12)
    over = [remember(scene, "2026-11-03", text) for text in ("Works at Acme", "Lives in Leeds", "Has a dog named Rex")]
    remember(scene, "2026-11-03", "Plays the cello")
    await summarize(scene)
    [row] = rows(scene, "weekly")
    assert row["summary"] == "Ada works at Acme and lives in Leeds. Ada has a dog named Rex and plays the cello."
    scene.db.run("update public.user_memory set doubted_at = now() where id = %s", (over[0],))
    for over_id, end in zip(over[1:], ("infinity", "20000-01-01"), strict=True):
        scene.db.run("update public.user_memory set status = 'superseded', valid_to = %s where id = %s", (end, over_id))
    [line] = [line for line in await first_context(scene) if line.startswith("Week")]
    assert line == 'Week 2026-11-02 to 2026-11-08: "Ada plays the cello."'


async def test_to_dos__are_shown_with_their_day_and_not_long_after_it(lived: Scene) -> None:
    opened = {"kind": "commitment", "source": "llm_extraction", "opened_at": lived.clock.now() - timedelta(days=20)}
    for text, due in (("Buy skis", None), ("See the bank", 2), ("Call Ben", -1), ("Paint the door", -9)):
        day = None if due is None else TODAY + timedelta(days=due)
        write(lived, "todos", todo_text=text, due_date=day, **opened)
    shown = [line for line in await first_context(lived) if line.startswith("Open to-do")]
    assert shown == [
        'Open to-do: "commitment, for 2026-11-10: Call Ben (that day has passed)"',
        'Open to-do: "commitment, for 2026-11-13: See the bank"',
        'Open to-do: "commitment, since 2026-10-22: Buy skis"',
    ]
    asked = await first_context(lived, "What did I want to do?")
    assert 'Open to-do: "commitment, for 2026-11-02: Paint the door (that day has passed)"' in asked
