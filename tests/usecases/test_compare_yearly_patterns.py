"""A month beside the same month of the year before: from stored summaries, made once, never from what is forgotten."""

from __future__ import annotations

import json
from typing import Any

import pytest

from keepsake.errors import NotFound
from keepsake.infra.settings import Settings
from keepsake.usecases.compare_yearly_patterns import MonthChoice, YearlyComparison, compare_yearly_patterns
from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer
from tests.support.summaries import add_month, remember

OCTOBER = MonthChoice(2024, 10)
GROWTH = "In both months: Running."
MODEL_GROWTH = "They moved from Acme to Lisbon."
CITED_GROWTH = "They moved from Acme to Lisbon [1]."


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    """A model that only compares; tests without it leave its name away."""
    return with_model(settings, model, openai_extraction_model=None, openai_summary_models="year=scripted")


@pytest.fixture
def _by_rules(scene: Scene, model: ModelServer) -> None:
    """The model is away."""
    model.down()


async def compare(scene: Scene, choice: MonthChoice | None = OCTOBER) -> YearlyComparison:
    """Ada's comparison."""
    return await compare_yearly_patterns(scene.resources, user_id=scene.ada.user_id, choice=choice)


def live(scene: Scene) -> Any:
    """Two Octobers; the memory behind the later one."""
    old = remember(scene, "2023-10-10", "Works at Acme")
    new = remember(scene, "2024-10-10", "Lives in Lisbon", importance=2)
    add_month(scene, 2023, ["running", "Acme"], memory_ids=[old])
    add_month(scene, 2024, ["Lisbon", "Running"], memory_ids=[new], cognitive_summary="New: “Lives in Lisbon”.")
    return new


def cached(scene: Scene) -> list[dict[str, Any]]:
    """The stored comparisons."""
    return scene.db.all("select * from public.user_memory_yearly_comparisons")


@pytest.mark.usefixtures("_by_rules")
async def test_two_months__are_put_side_by_side_with_the_memories_behind_them(scene: Scene) -> None:
    live(scene)
    found = await compare(scene, None)
    assert (found.status, found.year, found.month, found.generator) == ("compared", 2024, 10, "rules")
    assert found.comparison is not None
    assert found.comparison.growth == GROWTH
    assert (found.comparison.stayed, found.comparison.appeared) == (["Works at Acme"], ["Lives in Lisbon"])
    assert found.comparison.changed == []
    assert found.earlier is not None
    assert found.later is not None
    assert [one.text for one in found.earlier.memories] == ["Works at Acme"]
    assert (found.later.themes, [one.text for one in found.later.memories]) == (
        ["Lisbon", "Running"],
        ["Lives in Lisbon"],
    )
    assert len(cached(scene)) == 1


async def test_without_the_year_before__it_says_what_is_missing(scene: Scene) -> None:
    add_month(scene, 2024, ["running"])
    found = await compare(scene)
    assert (found.status, found.comparison) == ("insufficient_history", None)
    (missing,) = found.missing
    assert (missing.year, missing.month) == (2023, 10)
    assert missing.backfill == (
        f"POST /functions/v1/generate-monthly-summaries?action=backfill&year=2023&month=10&user_id={scene.ada.user_id}"
    )


async def test_without_any_summary__nothing_is_compared(scene: Scene) -> None:
    assert (await compare(scene, None)).status == "insufficient_history"
    assert len((await compare(scene)).missing) == 2


async def test_without_a_primary_profile__it_is_not_found(scene: Scene) -> None:
    scene.db.run("update public.user_profile_list set is_primary = false")
    with pytest.raises(NotFound):
        await compare(scene)


async def test_the_comparison__is_made_once_until_a_summary_changes(scene: Scene, model: ModelServer) -> None:
    live(scene)
    reply = {
        "growth": f"{CITED_GROWTH} Quintus left [1].",
        "stayed": ["Running [1]"],
        "changed": ["From Acme [1]"],
        "appeared": ["Narnia"],
    }
    model.script.always({"content": json.dumps(reply)})
    found = [await compare(scene) for _ in range(3)][-1]
    assert found.generator == "llm"
    assert found.comparison is not None
    assert (found.comparison.growth, found.comparison.appeared) == (MODEL_GROWTH, [])
    assert len(model.script.chats) == 2  # what the texts do not say goes back once
    scene.db.run("update public.user_memory_monthly_summaries set version = version + 1 where year = 2023")
    assert cached(scene) == []
    await compare(scene)
    assert len(model.script.chats) == 4


async def test_a_model_that_refuses__is_asked_once(scene: Scene, model: ModelServer) -> None:
    """Opening the page again waits for no model, and costs nothing."""
    live(scene)
    model.script.always("refusal")
    found = [await compare(scene) for _ in range(3)]
    assert [one.generator for one in found] == ["rules"] * 3
    assert len(model.script.chats) == 1


async def test_while_the_model_is_away__the_rules_compare_and_the_model_later(scene: Scene, model: ModelServer) -> None:
    live(scene)
    model.script.then("error_503")
    assert (await compare(scene)).generator == "rules"
    reply = {"growth": CITED_GROWTH, "stayed": [], "changed": [], "appeared": []}
    model.script.always({"content": json.dumps(reply)})
    scene.clock.advance(hours=1)
    assert (await compare(scene)).generator == "llm"
    assert len(cached(scene)) == 1


@pytest.mark.usefixtures("_by_rules")
async def test_a_forgotten_memory__is_in_no_comparison(scene: Scene) -> None:
    new = live(scene)
    await compare(scene)
    scene.db.run("update public.user_memory set status = 'deleted' where id = %s", (new,))
    assert (await compare(scene)).status == "insufficient_history"


@pytest.mark.usefixtures("_by_rules")
async def test_an_erased_memory__takes_the_comparison_along(scene: Scene) -> None:
    new = live(scene)
    await compare(scene)
    erased = await erase_memories(scene.resources, scene.ada.identity, EraseRequest(memory_ids=[str(new)]))
    assert erased.erased["public.user_memory_yearly_comparisons"] == 1
    assert cached(scene) == []


@pytest.mark.usefixtures("_by_rules")
async def test_what_took_the_place_of_a_memory__is_compared_until_it_changes(scene: Scene) -> None:
    live(scene)
    acme = scene.db.value("select id from public.user_memory where memory_text = 'Works at Acme'")
    between = remember(scene, "2024-02-10", "Works at Initech", supersedes_id=acme, status="superseded")
    bakery = remember(scene, "2024-06-10", "Works in a bakery", supersedes_id=between)
    remember(scene, "2024-12-10", "Works on a farm", supersedes_id=bakery)
    found = await compare(scene)
    assert found.comparison is not None
    assert found.comparison.changed == ["Works in a bakery instead of at Acme"]
    assert bakery in cached(scene)[0]["memory_ids"]
    scene.db.run("update public.user_memory set reference_count = 3 where id = %s", (bakery,))
    assert len(cached(scene)) == 1
    scene.db.run("update public.user_memory set memory_text = 'Works in a café' where id = %s", (bakery,))
    assert cached(scene) == []
    found = await compare(scene)
    assert found.comparison is not None
    assert found.comparison.changed == ["Works in a café instead of at Acme"]
    scene.db.run("delete from public.user_memory where id = %s", (bakery,))
    assert cached(scene) == []


@pytest.mark.usefixtures("_by_rules")
async def test_another_person__has_their_own(scene: Scene) -> None:
    live(scene)
    bob = scene.people.person("Bob")
    for year in (2023, 2024):
        add_month(scene, year, ["sailing"], person=bob)
    found = await compare_yearly_patterns(scene.resources, user_id=bob.user_id)
    assert found.comparison is not None
    assert found.comparison.stayed == ["sailing"]
    assert "Lisbon" not in str(found)


@pytest.mark.usefixtures("_by_rules")
async def test_the_last_evening_of_a_month__counts_to_it_in_the_time_zone_of_the_person(scene: Scene) -> None:
    """What Nora changes on 31 October in New York is no longer so in her October, though it is November in UTC."""
    nora = scene.people.person("Nora", timezone="America/New_York")
    old = remember(scene, "2023-10-10", "Lives in Austin", person=nora)
    new = remember(scene, "2024-11-01", "Lives in Lisbon", person=nora, hour=1, supersedes_id=old)
    scene.db.run(
        "update public.user_memory set status = 'superseded', valid_to = '2024-11-01 01:00+00' where id = %s", (old,)
    )
    for year, memory_ids in ((2023, [old]), (2024, [old, new])):
        add_month(scene, year, [], memory_ids=memory_ids, person=nora)
    found = await compare_yearly_patterns(scene.resources, user_id=nora.user_id, choice=OCTOBER)
    assert found.comparison is not None
    assert found.comparison.stayed == []
    assert found.comparison.changed == ["Lives in Lisbon instead of Austin"]


@pytest.mark.usefixtures("_by_rules")
async def test_what_is_doubted__has_not_stayed(scene: Scene) -> None:
    """Also where it is doubted after the comparison has been made."""
    old = remember(scene, "2023-10-10", "Husband Paul is allergic to cats")
    for year in (2023, 2024):
        add_month(scene, year, [], memory_ids=[old])
    first = await compare(scene)
    assert first.comparison is not None
    assert first.comparison.stayed == ["Husband Paul is allergic to cats"]
    scene.db.run("update public.user_memory set doubted_at = now() where id = %s", (old,))
    second = await compare(scene)
    assert second.comparison is not None
    assert second.comparison.stayed == []
