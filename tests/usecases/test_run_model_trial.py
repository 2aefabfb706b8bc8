"""A model without a verdict is tried by itself, in the background: once, turn by turn, and no person waits for it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest

from bench.extraction.recordings import RECORDED, read_recording
from keepsake.domain.extraction.prompt_version import prompt_version
from keepsake.domain.extraction.trial_turns import trial_turns
from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.operations.check_model_verdict import HOW_TO_CHECK, check_model_verdict, has_verdict
from keepsake.usecases.run_due_jobs import run_due_jobs
from keepsake.usecases.run_model_trial import run_model_trial
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.fixtures.until import until
from tests.model_server.running import ModelServer
from tests.usecases.extraction.test_believed_model import read, statement

TURNS = len(trial_turns())
CALLS = TURNS + 2
"""The week is asked about twice: its summary is reviewed."""
WEEK = {"content": '{"summary": "Marit got the job on Thursday and starts on 1 April [5]."}'}
SAID = ("my wife's a surgeon so i do all the cooking", "Cooks every meal at home", "i do all the cooking")


@pytest.fixture
def settings(settings: Settings, model: ModelServer, request: pytest.FixtureRequest) -> Settings:
    given: dict[str, Any] = getattr(request, "param", {})
    return with_model(settings, model, **{"model_trial": True, **given})


@pytest.fixture
def capable(model: ModelServer) -> ModelServer:
    """The scripted model, which has the replies of a capable one to the trial."""
    model.script.then(*replies(), WEEK, WEEK)
    return model


def replies() -> list[Any]:
    """What a capable model replied to the turns."""
    return [{"content": text or ""} for [(text, _)] in read_recording(RECORDED / "capable.json").replies]


@pytest.fixture
async def another(scene: Scene) -> AsyncIterator[Resources]:
    """The resources of another process."""
    built = Resources.build(scene.resources.settings, clock=scene.clock)
    yield replace(built, readers=scene.resources.readers)
    await built.close()


async def run(scene: Scene) -> None:
    """One run of cron, and what it leaves to the workers."""
    await run_due_jobs(scene.resources, max_seconds=300)
    if jobs(scene, "todo"):
        await work(scene)


async def work(scene: Scene) -> None:
    """Run the queue; on a slow machine the trial takes more than one job."""
    await scene.resources.queue.run_until_idle(300)
    while jobs(scene, "todo"):
        await scene.resources.queue.run_until_idle(300)


def verdict(scene: Scene) -> str | None:
    rows = scene.db.all("select verdict from keepsake.model_verdicts where prompt_version = %s", (prompt_version(),))
    return rows[0]["verdict"] if rows else None


def trial(scene: Scene) -> dict[str, Any]:
    [row] = scene.db.all("select * from keepsake.model_trials")
    return row


def jobs(scene: Scene, *status: str) -> int:
    """How many jobs of trials there are, of one status or of any."""
    rows = scene.db.all("select status from keepsake.procrastinate_jobs where task_name = 'run_model_trial'")
    return sum(not status or row["status"] in status for row in rows)


def described(scene: Scene) -> str:
    """What the doctor says of the verdict."""
    finding = next(check_model_verdict(scene.resources.settings, scene.db.owner_url))
    return f"{finding.result} {finding.remedy}"


async def test_a_capable_model__is_believed_without_anybody_doing_anything(scene: Scene, model: ModelServer) -> None:
    said, text, quote = SAID
    await read(scene, model, said, statement(text, quote))
    assert scene.told() == [], "each word is checked"
    assert "its trial is queued" in described(scene)
    model.script.then(*replies(), WEEK, WEEK)
    await work(scene)
    assert verdict(scene) == "good"
    assert len(model.script.chats) == 1 + CALLS
    assert described(scene).startswith("scripted is good")
    await read(scene, model, said, statement(text, quote))
    assert scene.told() == [text]
    scene.clock.advance(days=3)
    await run(scene)
    assert len(model.script.chats) == 2 + CALLS, "it is tried once"


async def test_cron_alone__tries_it_before_anybody_speaks(scene: Scene, capable: ModelServer) -> None:
    await run(scene)
    assert verdict(scene) == "good"
    [day] = scene.db.all("select calls, input_tokens + output_tokens as tokens from keepsake.model_days")
    assert day["calls"] == CALLS
    assert day["tokens"] > 0
    assert scene.db.all("select from keepsake.counters where name = 'model_tokens'") == [], "no person pays for it"


async def test_turns__queue_it_once_and_wait_for_nothing(scene: Scene, model: ModelServer) -> None:
    for _ in range(2):
        await scene.tell("I live in Graz.")
    assert (jobs(scene), len(model.script.chats)) == (1, 2)
    assert scene.told() == ["Lives in Graz"]


async def test_two_workers__make_one_trial(scene: Scene, capable: ModelServer, another: Resources) -> None:
    await asyncio.gather(run(scene), run_due_jobs(another, max_seconds=60), scene.tell("I live in Graz."))
    await run(scene)
    assert verdict(scene) is not None
    asked = [json.dumps(chat["messages"]) for chat in capable.script.chats]
    assert len(set(asked)) == len(asked) >= TURNS, "nothing is asked twice"


async def test_stopped_in_the_middle__goes_on_where_it_was(scene: Scene, model: ModelServer) -> None:
    await scene.tell("I live in Graz.")
    model.script.forget()
    model.script.then(*replies()[:3], "hang")
    step = asyncio.create_task(run_model_trial(scene.resources))
    await until(lambda: len(model.script.chats) == 4)
    step.cancel()
    await asyncio.gather(step, return_exceptions=True)
    model.script.forget()
    assert (verdict(scene), len(trial(scene)["results"])) == (None, 3)
    assert f"(3 of {TURNS} turns)" in described(scene)
    await run_model_trial(scene.resources)
    assert model.script.chats == [], "another worker may still be at it"
    scene.clock.advance(minutes=5)
    model.script.then(*replies()[3:], WEEK, WEEK)
    await run(scene)
    assert verdict(scene) == "good"
    assert len(model.script.chats) == CALLS - 3


async def test_endpoint_down__is_tried_again_ever_more_rarely(scene: Scene, model: ModelServer) -> None:
    model.script.always("error_503")
    for _ in range(48):
        await run(scene)
        scene.clock.advance(minutes=30)
    assert verdict(scene) is None
    assert 3 <= len(model.script.chats) <= 8
    assert "its last trial failed" in described(scene)


async def test_endpoint_back__the_trial_goes_on(scene: Scene, capable: ModelServer) -> None:
    capable.down()
    await run(scene)
    await run(scene)
    assert trial(scene)["failures"] == 1
    capable.up()
    scene.clock.advance(minutes=6)
    await run(scene)
    assert verdict(scene) == "good"


@pytest.mark.parametrize("settings", [{"model_deadline_seconds": 0.2}], indirect=True)
async def test_a_model_that_is_too_slow__gets_no_verdict(scene: Scene, model: ModelServer) -> None:
    model.script.always("hang")
    for _ in range(4):
        await run(scene)
    row = trial(scene)
    assert (verdict(scene), row["results"], row["failures"], row["failure"]) == (None, [], 1, "deadline")
    assert len(model.script.chats) <= 3


async def test_a_verdict_of_another_prompt__is_replaced(scene: Scene, capable: ModelServer) -> None:
    scene.db.run(
        "insert into keepsake.model_verdicts (model, verdict, prompt_version, checked_at)"
        " values (%s, 'rules', 'x', now())",
        (f"scripted at {capable.url}",),
    )
    await run(scene)
    assert verdict(scene) == "good"


@pytest.mark.parametrize("settings", [{"model_trial": False}], indirect=True)
async def test_switched_off__nobody_tries_it(scene: Scene, model: ModelServer) -> None:
    await scene.tell("I live in Graz.")
    await run(scene)
    assert (len(model.script.chats), scene.db.all("select from keepsake.model_trials")) == (1, [])
    assert HOW_TO_CHECK in described(scene)
    assert not has_verdict(scene.resources.settings, scene.db.owner_url)


@pytest.mark.parametrize("settings", [{"openai_extraction_verdict": "usable"}], indirect=True)
async def test_a_verdict_by_setting__is_not_tried(scene: Scene, model: ModelServer) -> None:
    await scene.tell("I live in Graz.")
    await run(scene)
    assert (len(model.script.chats), scene.db.all("select from keepsake.model_trials")) == (1, [])


@pytest.mark.parametrize("settings", [{"model_tokens_per_day": 3}], indirect=True)
async def test_the_budget_of_the_day__ends_it_until_the_next(scene: Scene, capable: ModelServer) -> None:
    await run(scene)
    assert (len(capable.script.chats), trial(scene)["failure"]) == (1, "over_budget")
    assert len(trial(scene)["results"]) == 1


@pytest.mark.parametrize("settings", [{"model_requests_per_minute": 60_000}], indirect=True)
async def test_the_rate_of_calls__holds_for_it(scene: Scene, capable: ModelServer) -> None:
    await run(scene)
    assert verdict(scene) == "good"
    [circuit] = scene.db.all("select next_call_at from keepsake.model_circuits")
    assert (circuit["next_call_at"] - scene.clock.now()).total_seconds() == pytest.approx((TURNS + 1) / 1000)


async def test_a_model_that_cannot_be_read__gets_its_verdict_and_is_not_set_aside(
    scene: Scene, model: ModelServer
) -> None:
    model.script.always({"content": "What a lovely day!"})
    await run(scene)
    assert verdict(scene) == "rules"
    assert scene.db.all("select from keepsake.model_circuits where opened_at is not null") == []


@pytest.mark.parametrize("settings", [{"model_deadline_seconds": 10}], indirect=True)
async def test_a_week_that_takes_too_long__leaves_the_verdict_on_the_turns(scene: Scene, model: ModelServer) -> None:
    model.script.then(*replies(), "hang")
    await run(scene)
    assert verdict(scene) == "good"
    [row] = scene.db.all("select figures from keepsake.model_verdicts")
    assert row["figures"]["week_told"] == 0


async def test_a_result_that_cannot_be_stored__is_asked_for_ever_more_rarely(scene: Scene, model: ModelServer) -> None:
    scene.db.run(
        "create function keepsake.fail() returns trigger language plpgsql as $$ begin raise 'no room'; end $$;"
        " create trigger fail before update on keepsake.model_trials for each row"
        " when (new.results <> old.results) execute function keepsake.fail()"
    )
    for _ in range(96):
        await run(scene)
        scene.clock.advance(minutes=15)
    assert 3 <= len(model.script.chats) <= 8


@pytest.mark.parametrize("results", ['[{"is_read": "what?"}]', "other turns", "more turns"])
async def test_results_of_another_release__are_asked_for_anew(scene: Scene, model: ModelServer, results: str) -> None:
    await scene.tell("I live in Graz.")
    model.script.then(*replies()[:1], "hang")
    step = asyncio.create_task(run_model_trial(scene.resources))
    await until(lambda: len(model.script.chats) == 3)
    step.cancel()
    await asyncio.gather(step, return_exceptions=True)
    [kept] = trial(scene)["results"]
    match results:
        case "other turns":
            results = json.dumps([{**kept, "message": "Another message."}])
        case "more turns":
            results = json.dumps([kept] * (TURNS + 1))
    scene.db.run("update keepsake.model_trials set results = %s", (results,))
    model.script.forget()
    model.script.then(*replies(), WEEK, WEEK)
    scene.clock.advance(minutes=20)
    await run(scene)
    scene.clock.advance(minutes=20)
    await run(scene)
    assert verdict(scene) == "good"
    assert len(model.script.chats) == CALLS
