"""Each fault of the model while sessions, conversations, spines, contexts and comparisons are written.

Days, weeks and months are in ``test_summary_model.py``; the rolling summary is that of the conversation.
"""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from keepsake.infra.settings import Settings
from keepsake.usecases.compare_yearly_patterns import MonthChoice, compare_yearly_patterns
from keepsake.usecases.generate_daily_summaries import generate_daily_summaries
from keepsake.usecases.run_due_jobs import run_due_jobs
from tests.faults.test_model_away import BUSY, LOCKED_OUT
from tests.faults.test_summary_model import REFUSALS, UNREADABLE
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer
from tests.support.summaries import add_month, remember

TEXTS = ("I live in Graz.", "My sister is called Anna.", "I want to run a marathon.", "I love ramen.")
TEXT = "Ada lives in Graz and loves ramen [1, 2, 3, 4]."
GOOD = {
    "content": json.dumps(
        {
            **dict.fromkeys(("one_liner", "summary", "context", "growth"), TEXT),
            **{name: [] for name in ("what_mattered", "open_loops", "commitments", "people", "projects")},
            **{name: ["ramen [1]"] for name in ("key_themes", "stayed", "changed", "appeared")},
            "profile": [f"lives in Graz [{number}]" for number in range(1, 4)],
            "tone": "",
        }
    )
}
LEVELS = "session=scripted,conversation=scripted,spine=scripted,context=scripted,year=scripted"
NEWEST = {
    "session": "select generator from public.user_memory_session_summaries",
    "rolling": "select generator from public.user_memory_session_state",
    "spine": "select generator from public.user_memory_spine order by version desc limit 1",
    "year": "select generator from public.user_memory_yearly_comparisons",
}
EVERYTHING = {*NEWEST, "context"}


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    """Rules extract, and the model writes these levels."""
    return with_model(settings, model, openai_extraction_model=None, openai_summary_models=LEVELS)


@pytest.fixture
async def lived(scene: Scene) -> Scene:
    """Ada told of a day before, and now of enough for a spine; two months of hers can be compared."""
    scene.clock.at = (scene.clock.now() - timedelta(days=1)).replace(hour=11)
    remember(scene, f"{scene.clock.now() - timedelta(days=1):%Y-%m-%d}", "Loves ramen in Graz")
    for year in (2022, 2023):
        about = remember(scene, f"{year}-10-10", "Lives in Graz and loves ramen")
        add_month(scene, year, ["ramen"], memory_ids=[about])
    for number in range(20):
        await scene.tell(TEXTS[number] if number < len(TEXTS) else "Hm, okay.")
    scene.clock.advance(minutes=31)
    return scene


async def write(scene: Scene) -> None:
    """Everything that is due, as cron and the person have it written."""
    await run_due_jobs(scene.resources, max_seconds=300)
    await generate_daily_summaries(scene.resources, max_seconds=300)
    await compare_yearly_patterns(scene.resources, user_id=scene.ada.user_id, choice=MonthChoice(2023, 10))


async def write_later(scene: Scene, *, at_most: int) -> None:
    """The same, until the model has written everything: a call after a lock-out only finds out that it is back."""
    for _ in range(at_most):
        scene.clock.advance(hours=2)
        await write(scene)
        if written(scene, "llm") == EVERYTHING:
            return


def written(scene: Scene, generator: str) -> set[str]:
    """The levels whose newest row a generator wrote."""
    found = {level for level, statement in NEWEST.items() if scene.db.value(statement) == generator}
    merged = bool(scene.db.value("select count(*) from keepsake.context_cache"))
    return found | ({"context"} if merged == (generator == "llm") else set())


async def test_a_good_model__writes_every_level(lived: Scene, model: ModelServer) -> None:
    model.script.always(GOOD)
    await write(lived)
    assert written(lived, "llm") == EVERYTHING


@pytest.mark.parametrize("fault", [*BUSY, *LOCKED_OUT])
async def test_while_the_model_is_away__every_level_has_what_exists_and_is_completed(
    lived: Scene, model: ModelServer, fault: str
) -> None:
    model.script.always(fault)
    await write(lived)
    assert written(lived, "rules") == EVERYTHING
    model.script.always(GOOD)
    await write_later(lived, at_most=4)
    assert written(lived, "llm") == EVERYTHING


@pytest.mark.parametrize("fault", [*UNREADABLE, *REFUSALS])
async def test_what_cannot_be_used__leaves_every_level_to_the_rules(
    lived: Scene, model: ModelServer, fault: str
) -> None:
    model.script.always(fault)
    await write(lived)
    await write_later(lived, at_most=2)  # every later round asks as much as the one before
    assert written(lived, "rules") == EVERYTHING
    assert "Graz" in lived.db.value("select rolling_summary from public.user_memory_session_state")
