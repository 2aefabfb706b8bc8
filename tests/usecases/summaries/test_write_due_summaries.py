"""A summary is written once, when its period is over where the person lives, and follows what it rests on."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from keepsake.domain.summaries.periods import Level
from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from keepsake.usecases.summaries.write_due_summaries import summarize_profile
from tests.fixtures.scene import Scene
from tests.support.summaries import forget_waiting, on, remember, rows, summarize, waiting


def live_in(scene: Scene, timezone: str | None) -> None:
    """Move Ada."""
    scene.db.run("update public.user_profile_list set timezone = %s", (timezone,))


@pytest.fixture(autouse=True)
def _berlin(scene: Scene) -> None:
    """Ada has always lived in Berlin, and only the periods of a test are waiting."""
    live_in(scene, "Europe/Berlin")
    scene.db.run("delete from keepsake.timezone_changes")
    forget_waiting(scene)


async def test_a_memory__is_in_the_summaries_of_its_day_week_and_month(scene: Scene) -> None:
    memory = remember(scene, "2024-10-31", "Lives in Graz", conversation_id=scene.chat)
    assert await summarize(scene) == 3
    ((day,), (week,), (month,)) = (rows(scene, level) for level in ("daily", "weekly", "monthly"))
    assert (str(day["summary_date"]), day["summary"]) == ("2024-10-31", "Lives in Graz.")
    assert (week["year"], week["week_number"], str(week["week_start_date"])) == (2024, 44, "2024-10-28")
    assert (month["year"], month["month"], month["weekly_summaries_used"]) == (2024, 10, 0)
    for row in (day, week, month):
        assert (row["generator"], row["version"], row["previous"]) == ("rules", 1, None)
        assert (row["memory_ids"], row["conversation_count"]) == ([memory], 1)
    assert month["source_ids"] == [memory]
    assert waiting(scene) == []


async def test_the_local_midnight__decides_to_which_day_a_memory_belongs(scene: Scene) -> None:
    """Half past midnight in Berlin is the evening before in UTC."""
    remember(scene, "2024-10-30", "Lives in Graz", hour=23)
    await summarize(scene, Level.DAY)
    assert [str(row["summary_date"]) for row in rows(scene, "daily")] == ["2024-10-31"]


async def test_a_period_that_is_not_over__waits_for_its_end(scene: Scene) -> None:
    now = scene.clock.now()
    scene.people.memory(scene.ada, "Lives in Graz", source="rule_extraction", valid_from=now)
    assert await summarize(scene) == 0
    assert {row["level"] for row in waiting(scene)} == {"day", "week", "month"}
    assert all(row["due_at"] > now for row in waiting(scene))
    scene.clock.advance(days=40)
    assert await summarize(scene) == 3


async def test_a_person_who_moves_east__has_the_week_end_earlier(scene: Scene) -> None:
    now = scene.clock.now()
    live_in(scene, "Pacific/Pago_Pago")
    scene.people.memory(scene.ada, "Lives in Graz", source="rule_extraction", valid_from=now)
    west = {(row["level"], row["first_date"]): row["due_at"] for row in waiting(scene)}
    live_in(scene, "Pacific/Kiritimati")
    await summarize(scene)
    east = {(row["level"], row["first_date"]): row["due_at"] for row in waiting(scene)}
    assert east.keys() <= west.keys()
    assert all(due <= west[key] for key, due in east.items())
    scene.clock.advance(days=40)
    await summarize(scene)
    assert [len(rows(scene, level)) for level in ("daily", "weekly", "monthly")] == [1, 1, 1]


async def test_nothing_new__makes_no_new_version(scene: Scene) -> None:
    remember(scene, "2024-10-31", "Lives in Graz")
    await summarize(scene)
    scene.db.run("select keepsake.mark_summaries(user_id, profile_id, array[valid_from]) from public.user_memory")
    assert await summarize(scene) == 0
    assert [row["version"] for row in rows(scene, "weekly")] == [1]


async def test_a_late_memory__makes_a_new_version_that_keeps_the_one_before(scene: Scene) -> None:
    remember(scene, "2024-10-31", "Lives in Graz")
    await summarize(scene)
    remember(scene, "2024-10-30", "Likes ramen")
    await summarize(scene)
    (week,) = rows(scene, "weekly")
    assert week["version"] == 2
    assert week["summary"] == "Ada likes ramen and lives in Graz."
    assert (week["previous"]["version"], week["previous"]["summary"]) == (1, "Ada lives in Graz.")


async def test_a_forgotten_memory__leaves_the_summaries_and_comes_back_with_undo(scene: Scene) -> None:
    remember(scene, "2024-10-31", "Lives in Graz")
    secret = remember(scene, "2024-10-31", "Likes ramen")
    await summarize(scene)
    both = [rows(scene, level)[0]["key_themes"] for level in ("daily", "weekly", "monthly")]
    before = rows(scene, "weekly")[0]["summary"]
    with scene.db.as_person(scene.ada.user_id) as person:
        done = person.execute("select public.forget_memory(%s) ->> 'operation_id' as id", (secret,)).fetchone()
    await summarize(scene)
    assert "ramen" not in rows(scene, "weekly")[0]["summary"]
    assert done is not None
    with scene.db.as_person(scene.ada.user_id) as person:
        person.execute("select public.undo_operation(%s)", (done["id"],))
    await summarize(scene)
    assert rows(scene, "weekly")[0]["summary"] == before
    assert [rows(scene, level)[0]["key_themes"] for level in ("daily", "weekly", "monthly")] == both


async def test_when_everything_in_it_is_forgotten__the_summary_goes(scene: Scene) -> None:
    memory = remember(scene, "2024-10-31", "Lives in Graz")
    await summarize(scene)
    scene.db.run("update public.user_memory set status = 'deleted' where id = %s", (memory,))
    await summarize(scene)
    assert [rows(scene, level) for level in ("daily", "weekly", "monthly")] == [[], [], []]


async def test_an_erased_memory__takes_the_summaries_along_and_the_rest_is_written_again(scene: Scene) -> None:
    remember(scene, "2024-10-31", "Lives in Graz")
    secret = remember(scene, "2024-10-31", "Likes ramen")
    await summarize(scene)
    request = EraseRequest(memory_ids=[str(secret)])
    erased = await erase_memories(scene.resources, scene.ada.identity, request)
    assert erased.erased["public.user_memory_weekly_summaries"] == 1
    assert [rows(scene, level) for level in ("daily", "weekly", "monthly")] == [[], [], []]
    await summarize(scene)
    (week,) = rows(scene, "weekly")
    assert (week["summary"], week["version"], week["previous"]) == ("Ada lives in Graz.", 1, None)


async def test_what_the_person_erased__is_never_written_again(scene: Scene) -> None:
    remember(scene, "2024-10-31", "Lives in Graz")
    await summarize(scene)
    await erase_memories(scene.resources, scene.ada.identity, EraseRequest(everything=True))
    assert waiting(scene) == scene.db.all("select * from keepsake.timezone_changes") == []
    await summarize(scene)
    assert [rows(scene, level) for level in ("daily", "weekly", "monthly")] == [[], [], []]


@pytest.mark.parametrize(
    "columns",
    [{"persona_id": "coach"}, {"status": "deleted"}, {"memory_type": "pattern"}],
    ids=["of one persona", "forgotten", "of a type that is not allowed"],
)
async def test_what_not_everybody_may_know__is_not_summarized(scene: Scene, columns: dict[str, Any]) -> None:
    scene.set(allowed_types=["fact", "emotion", "goal", "relationship"])
    remember(scene, "2024-10-31", "Lives in Graz", **columns)
    assert await summarize(scene) == 0
    assert rows(scene, "weekly") == []


async def test_who_allows_fewer_types__has_no_message_told_from_then_on(scene: Scene) -> None:
    """Nobody knows which of their sentences are of which type; all come back with the types."""

    async def told() -> str:
        request = ContextRequest(scene.people.conversation(scene.ada), user_id=scene.ada.user_id, user_message="Hi")
        return (await inject_memory(scene.resources, request)).context

    await scene.tell("Die Vroni hat entbunden!!")
    scene.clock.advance(days=2)
    await summarize(scene, Level.DAY)
    assert "Vroni" in await told()
    scene.set(allowed_types=["fact"])
    assert "Vroni" not in await told()
    await summarize(scene, Level.DAY)
    assert rows(scene, "daily") == []
    scene.set(allowed_types=["fact", "emotion", "goal", "pattern", "relationship"])
    await summarize(scene, Level.DAY)
    assert "Vroni" in await told()


async def test_while_memory_is_off__nothing_is_written(scene: Scene) -> None:
    remember(scene, "2024-10-31", "Lives in Graz")
    scene.set(enabled=False)
    assert await summarize(scene) == 0
    scene.set(enabled=True)
    scene.clock.advance(days=2)
    assert await summarize(scene) == 3


async def test_many_at_once__write_each_summary_once(scene: Scene) -> None:
    for day in range(10, 29):
        remember(scene, f"2024-10-{day}", f"Likes dish number {day}")
    await asyncio.gather(*(summarize(scene) for _ in range(6)))
    assert {row["version"] for row in rows(scene, "daily")} == {1}
    assert len(rows(scene, "daily")) == 19
    assert {row["level"] for row in waiting(scene)} <= {"month"}


async def test_a_job_whose_time_is_over__leaves_the_rest_to_the_next(scene: Scene) -> None:
    """So no two jobs ask a slow model about the same periods of a profile with many of them."""
    for day in ("2024-10-01", "2024-10-02", "2024-10-03"):
        remember(scene, day, f"Saw a film on {day}")
    waiting(scene)
    user_id, profile_id = scene.ada.user_id, scene.ada.profile_id
    assert (
        await summarize_profile(scene.resources, user_id=user_id, profile_id=profile_id, level=Level.DAY, max_seconds=0)
        == 1
    )
    assert await summarize(scene, Level.DAY) == 2


async def test_what_others_say_in_a_shared_conversation__is_in_nobody_elses_summary(scene: Scene) -> None:
    bob = scene.people.person("Bob")
    scene.people.join(scene.chat, bob)
    remember(scene, "2024-10-31", "Lives in Graz", conversation_id=scene.chat)
    remember(scene, "2024-10-31", "Keeps a marker", person=bob, conversation_id=scene.chat)
    await summarize(scene)
    for period in Level:
        await summarize_profile(scene.resources, user_id=bob.user_id, profile_id=bob.profile_id, level=period)
    for level in ("daily", "weekly", "monthly"):
        assert "marker" not in str(rows(scene, level))
        assert "marker" in str(rows(scene, level, bob))


async def test_a_changed_statement__is_told_with_its_date(scene: Scene) -> None:
    old = remember(scene, "2024-10-01", "Lives in Graz", status="superseded", valid_to=on("2024-10-31"))
    remember(scene, "2024-10-31", "Lives in Vienna", supersedes_id=old)
    await summarize(scene)
    (month,) = rows(scene, "monthly")
    assert month["cognitive_summary"] == "Ada lives in Vienna instead of Graz (written on 31 October)."


async def test_the_summaries_of_a_new_profile__are_its_own(scene: Scene) -> None:
    """A summary belongs to the profile of its memories; a profile that goes takes it along."""
    remember(scene, "2024-10-31", "Lives in Graz")
    await summarize(scene)
    scene.db.run("delete from public.user_profile_list where id = %s", (scene.ada.profile_id,))
    assert [rows(scene, level) for level in ("daily", "weekly", "monthly")] == [[], [], []]
    assert waiting(scene) == []


async def test_the_end_of_the_week__is_sunday_night_in_berlin(scene: Scene) -> None:
    """Also in the week in which the clock is set back, which has 169 hours."""
    remember(scene, "2024-10-27", "Lives in Graz", hour=22)  # 23:00 on Sunday
    remember(scene, "2024-10-27", "Likes ramen", hour=23)  # 00:00 on Monday
    await summarize(scene, Level.WEEK)
    by_number = {row["week_number"]: row["summary"] for row in rows(scene, "weekly")}
    assert by_number == {43: "Ada lives in Graz.", 44: "Ada likes ramen."}


def test_the_due_time__is_the_end_of_the_period_where_the_person_lives(scene: Scene) -> None:
    remember(scene, "2024-10-31", "Lives in Graz")
    due = {row["level"]: row["due_at"] for row in waiting(scene)}
    assert due == {
        "day": on("2024-10-31", 23),
        "week": on("2024-11-03", 23),
        "month": on("2024-10-31", 23),
    }
    assert due["week"] - due["day"] == timedelta(days=3)


@pytest.mark.parametrize("zone", ["UTC+2", "europe/berlin", "CET", "Middle-earth/Shire"])
@pytest.mark.parametrize("hour", [1, 22.5, 23.5])
async def test_a_zone_that_postgres_reads_otherwise__costs_no_summary(scene: Scene, zone: str, hour: float) -> None:
    eve = scene.people.person("Eve", timezone=zone)
    said = on("2024-07-31") + timedelta(hours=hour - 12)
    scene.people.memory(eve, "Lives in Graz", source="rule_extraction", created_at=said, valid_from=said)
    waiting(scene)
    for level in Level:
        await summarize_profile(scene.resources, user_id=eve.user_id, profile_id=eve.profile_id, level=level)
    assert [len(rows(scene, level, eve)) for level in ("daily", "weekly", "monthly")] == [1, 1, 1]
