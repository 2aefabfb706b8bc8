"""One call of the model a day for everybody who spoke in a shared conversation, and each reads their own part alone."""

from __future__ import annotations

import asyncio
import json
from datetime import date, timedelta
from typing import Any

import pytest

from keepsake.domain.summaries.periods import Level, Period
from keepsake.infra.settings import Settings
from keepsake.store.summaries import ProfilePeriod
from keepsake.usecases.generate_daily_summaries import generate_daily_summaries
from keepsake.usecases.summaries.ask_about_period import lease_shared_day
from keepsake.usecases.summaries.write_due_summaries import summarize_profile
from tests.fixtures.model import with_model
from tests.fixtures.people import Account
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer
from tests.support.summaries import forget_waiting, remember, rows, waiting

DAY = "2024-10-31"


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    """A model writes days."""
    return with_model(settings, model, openai_extraction_model=None, openai_summary_models="day=scripted")


@pytest.fixture
def bob(scene: Scene, model: ModelServer) -> Account:
    """Ada and Bob told of their lives in a shared conversation."""
    model.script.always({"content": json.dumps(reply())})
    bob = scene.people.person("Bob")
    shared = scene.people.conversation(scene.ada, bob)
    forget_waiting(scene)
    remember(scene, DAY, "Plays the xqzcello", conversation_id=shared)
    remember(scene, DAY, "Keeps an xqzboat", person=bob, conversation_id=shared, hour=13)
    return bob


def reply() -> dict[str, Any]:
    """What the model makes of two people, whoever is the first: what both said, mixed up in both parts."""
    mixed = "The person plays the xqzcello [{0}]. The person keeps an xqzboat [{0}]."
    themes = [["xqzcello [1]", "xqzboat [1]"], ["xqzcello [2]", "xqzboat [2]"]]
    return {
        "summary_a": mixed.format(1),
        "key_themes_a": themes[0],
        "summary_b": mixed.format(2),
        "key_themes_b": themes[1],
    }


async def run(scene: Scene) -> None:
    """One run of cron."""
    await generate_daily_summaries(scene.resources, max_seconds=300)


def of_day(model: ModelServer) -> list[dict[str, Any]]:
    """The prompts about a day, without the sentences that went back because the texts do not say them."""
    shown = [json.loads(chat["messages"][1]["content"].split("\n")[1]) for chat in model.script.chats]
    return [one for one in shown if "sentences" not in one]


async def test_shared_conversation__is_one_call_and_a_row_for_each(
    scene: Scene, bob: Account, model: ModelServer
) -> None:
    await run(scene)
    (call,) = of_day(model)
    assert len(call["people"]) == 2
    people = {"xqzcello": scene.ada, "xqzboat": bob}
    for own, person in people.items():
        (row,) = rows(scene, "daily", person)
        (other,) = set(people) - {own}
        assert other not in str(row)
        assert own in row["summary"]
    assert {row["generator"] for person in people.values() for row in rows(scene, "daily", person)} == {"llm"}
    assert all(row["level"] != "day" for row in waiting(scene))


async def test_jobs_at_once__make_one_call(scene: Scene, bob: Account, model: ModelServer) -> None:
    waiting(scene)
    model.script.latency = 0.5
    await asyncio.gather(
        *(
            summarize_profile(scene.resources, user_id=one.user_id, profile_id=one.profile_id, level=Level.DAY)
            for one in (scene.ada, bob)
        )
    )
    assert len(of_day(model)) == 1
    assert [len(rows(scene, "daily", one)) for one in (scene.ada, bob)] == [1, 1]


async def test_day_that_is_not_over__is_one_call_too_and_is_read_once(
    scene: Scene, bob: Account, model: ModelServer
) -> None:
    scene.db.run("delete from public.user_memory")
    forget_waiting(scene)
    scene.db.run("delete from keepsake.due_contexts")
    scene.clock.at = scene.clock.now().replace(hour=10, minute=30) + timedelta(days=1)
    today = scene.clock.now().date().isoformat()
    chat = scene.db.value("select id from public.conversations where id <> %s", (scene.chat,))
    remember(scene, today, "Plays the xqzcello", conversation_id=chat, hour=9)
    remember(scene, today, "Keeps an xqzboat", person=bob, conversation_id=chat, hour=10)
    await run(scene)
    (call,) = of_day(model)
    assert len(call["people"]) == 2
    for person, own, other in ((scene.ada, "xqzcello", "xqzboat"), (bob, "xqzboat", "xqzcello")):
        (row,) = rows(scene, "daily", person)
        assert (row["generator"], own in row["summary"], other in str(row)) == ("llm", True, False)
    scene.clock.advance(minutes=61)
    await run(scene)
    assert len(of_day(model)) == 1
    assert scene.db.value("select count(leased_until) from keepsake.summary_periods") == 0


async def test_own_conversations__are_a_call_each(scene: Scene, model: ModelServer) -> None:
    model.script.always({"content": json.dumps({"summary": "Plays the cello [1].", "key_themes": []})})
    cara = scene.people.person("Cara")
    forget_waiting(scene)
    remember(scene, DAY, "Plays the cello", conversation_id=scene.chat)
    remember(scene, DAY, "Plays the cello", person=cara, conversation_id=scene.people.conversation(cara))
    await run(scene)
    assert ["people" in call for call in of_day(model)] == [False, False]


async def test_model_away__everybody_has_the_rules_form_and_is_asked_about_together_later(
    scene: Scene, bob: Account, model: ModelServer
) -> None:
    model.script.always("error_503")
    await run(scene)
    assert [rows(scene, "daily", one)[0]["generator"] for one in (scene.ada, bob)] == ["rules", "rules"]
    model.script.always({"content": json.dumps(reply())})
    before = len(model.script.chats)
    scene.clock.advance(hours=1)
    await run(scene)
    assert len(model.script.chats) == before + 2
    assert [rows(scene, "daily", one)[0]["generator"] for one in (scene.ada, bob)] == ["llm", "llm"]


async def test_lease__of_a_worker_that_died_ends_by_itself(scene: Scene, bob: Account, model: ModelServer) -> None:
    waiting(scene)
    scene.db.run("update keepsake.summary_periods set leased_until = %s", (scene.clock.now(),))
    scene.db.run(
        "update keepsake.summary_periods set leased_until = leased_until + interval '10 minutes' where level = 'day'"
    )
    await run(scene)
    assert of_day(model) == []
    scene.clock.advance(minutes=11)
    await run(scene)
    assert len(of_day(model)) == 1
    assert len(rows(scene, "daily", bob)) == 1


@pytest.mark.usefixtures("bob")
async def test_lease__of_a_day_that_another_job_wrote_holds_nobody_elses(scene: Scene) -> None:
    """The days of the others stay free for the jobs of their people."""
    waiting(scene)
    scene.db.run("delete from keepsake.summary_periods where user_id = %s", (scene.ada.user_id,))
    period = Period(Level.DAY, date.fromisoformat(DAY))
    target = ProfilePeriod(scene.ada.user_id, scene.ada.profile_id, period)
    assert await lease_shared_day(scene.resources, target, is_over=True) == []
    assert scene.db.value("select count(leased_until) from keepsake.summary_periods") == 0
