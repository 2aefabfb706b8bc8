"""What a model reads for a period, and that it writes nothing from what changed or was erased meanwhile."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from keepsake.domain.summaries.periods import Level
from keepsake.infra.settings import Settings
from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.fixtures.until import until
from tests.model_server.running import ModelServer
from tests.support.summaries import forget_waiting, on, remember, rows, summarize

TEXT = "Ada lives in Graz."
CITED = "Ada lives in Graz [1]."
GOOD = {
    "summary": CITED,
    "emotional_summary": CITED,
    "cognitive_summary": CITED,
    "key_themes": [],
    "dominant_patterns": [],
    "energy_shifts": [],
}


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    """Rules write days, a model weeks and months."""
    return with_model(
        settings, model, openai_extraction_model=None, openai_summary_models="week=scripted,month=scripted"
    )


@pytest.fixture(autouse=True)
def _graz(scene: Scene, model: ModelServer) -> None:
    """Ada said one thing."""
    model.script.always({"content": json.dumps(GOOD)})
    forget_waiting(scene)
    remember(scene, "2024-10-31", "Lives in Graz")


def data(model: ModelServer) -> dict[str, Any]:
    """What the model was last shown to write from: a review follows."""
    content: str = model.script.chats[-2]["messages"][1]["content"]
    shown: dict[str, Any] = json.loads(content.split("\n")[1])
    return shown


def texts(model: ModelServer) -> list[tuple[str, str]]:
    """The kinds and words of the texts that the model was shown last."""
    return [(one.get("kind", "said"), one["text"]) for one in data(model)["texts"]]


async def test_a_week__reads_what_the_person_said_with_its_day(scene: Scene, model: ModelServer) -> None:
    scene.clock.at = on("2024-10-30")
    await scene.tell("I took the train to Graz, and it was late.")
    scene.clock.at = on("2024-11-10")
    await summarize(scene, Level.WEEK)
    [text] = data(model)["texts"]
    assert text == {
        "n": 1,
        "day": "Wednesday 30 October 2024",
        "time": "12:01",
        "text": "I took the train to Graz, and it was late.",
    }
    (week,) = rows(scene, "weekly")
    message = scene.db.value("select id from public.messages")
    assert (week["generator"], week["summary"], week["message_ids"]) == ("llm", TEXT, [message])


@pytest.mark.parametrize(
    "corrected, kept",
    [
        ([], "Ada took the train to Graz. It was on time."),
        ([{"number": 2, "text": "It was late [1]."}], "Ada took the train to Graz. It was late."),
        ([{"number": 2, "text": ""}], "Ada took the train to Graz."),
        (None, "Ada took the train to Graz. It was on time."),
    ],
)
async def test_a_week__is_reviewed_by_the_model(
    scene: Scene, model: ModelServer, corrected: list[dict[str, Any]] | None, kept: str
) -> None:
    """A review that cannot be read changes nothing."""
    scene.clock.at = on("2024-10-30")
    await scene.tell("I took the train to Graz, and it was late.")
    scene.clock.at = on("2024-11-10")
    written = GOOD | {"summary": "Ada took the train to Graz [1]. It was on time [1].", "emotional_summary": ""}
    model.script.then({"content": json.dumps(written)})
    model.script.then({"content": "Fine!" if corrected is None else json.dumps({"corrected": corrected})})
    await summarize(scene, Level.WEEK)
    assert rows(scene, "weekly")[0]["summary"] == kept
    assert len(model.script.chats) == 2


async def test_a_week_without_messages__reads_its_memories(scene: Scene, model: ModelServer) -> None:
    await summarize(scene, Level.WEEK)
    assert texts(model) == [("fact", "Lives in Graz")]


async def test_a_month_without_messages__reads_its_weeks(scene: Scene, model: ModelServer) -> None:
    await summarize(scene, Level.WEEK)
    await summarize(scene, Level.MONTH)
    assert texts(model) == [("week", f"{TEXT} {TEXT}")]
    assert rows(scene, "monthly")[0]["weekly_summaries_used"] == 1


async def test_a_written_week__stays_when_what_it_tells_has_ended(scene: Scene, model: ModelServer) -> None:
    """Only the period in which it ended tells so."""
    scene.clock.at = on("2024-10-30")
    await scene.tell("I am learning to play the piano in Graz.")
    scene.clock.at = on("2024-11-10")
    await summarize(scene, Level.WEEK)
    before, calls = rows(scene, "weekly"), len(model.script.chats)
    scene.db.run("update public.user_memory set status = 'superseded', valid_to = %s", (on("2024-11-09"),))
    await summarize(scene, Level.WEEK)
    assert [row for row in rows(scene, "weekly") if row["week_number"] == 44] == before
    assert len(model.script.chats) <= calls + 2  # those of the week in which it ended


async def test_what_changed_while_the_model_thought__is_not_lost(scene: Scene, model: ModelServer) -> None:
    model.script.is_thinking = True
    writing = asyncio.create_task(summarize(scene, Level.WEEK))
    await until(lambda: model.script.at_once == 1)
    remember(scene, "2024-10-30", "Likes ramen")
    model.script.is_thinking = False
    await writing
    (week,) = rows(scene, "weekly")
    assert (week["generator"], week["summary"]) == ("rules", "Ada likes ramen and lives in Graz.")
    model.script.always({"content": json.dumps(GOOD).replace("[1]", "[2]")})
    await summarize(scene, Level.WEEK)
    assert texts(model) == [("fact", "Likes ramen"), ("fact", "Lives in Graz")]
    assert rows(scene, "weekly")[0]["generator"] == "llm"


async def test_what_was_erased_while_the_model_thought__is_not_written(scene: Scene, model: ModelServer) -> None:
    model.script.is_thinking = True
    writing = asyncio.create_task(summarize(scene, Level.WEEK))
    await until(lambda: model.script.at_once == 1)
    await erase_memories(scene.resources, scene.ada.identity, EraseRequest(everything=True))
    model.script.is_thinking = False
    await writing
    assert rows(scene, "weekly") == []


async def test_a_forgotten_memory__is_in_no_text_and_the_rest_of_its_message_stays(
    scene: Scene, model: ModelServer
) -> None:
    scene.clock.at = on("2024-10-30")
    await scene.tell("My sister Noor lives in Oslo. The train to Graz was late again.")
    scene.clock.at = on("2024-11-10")
    await summarize(scene, Level.WEEK)
    assert "Noor" in texts(model)[0][1]
    scene.db.run(
        "update public.user_memory set status = 'deleted', deleted_at = %s where memory_text like '%%Noor%%'",
        (scene.clock.now(),),
    )
    assert scene.db.value("select count(*) from public.user_memory where status = 'deleted'") > 0
    await summarize(scene, Level.WEEK)
    assert texts(model) == [("said", "The train to Graz was late again.")]
    scene.db.run("update public.user_memory set status = 'active', deleted_at = null where status = 'deleted'")
    await summarize(scene, Level.WEEK)
    assert "Noor" in texts(model)[0][1]


async def test_an_erased_memory__stays_out_of_what_is_written_later(scene: Scene, model: ModelServer) -> None:
    scene.clock.at = on("2024-10-30")
    await scene.tell("My sister Noor lives in Oslo. The train to Graz was late again.")
    await scene.tell("Noor called me.")
    scene.clock.at = on("2024-11-10")
    await erase_memories(scene.resources, scene.ada.identity, EraseRequest(subject="Noor"))
    await summarize(scene, Level.WEEK)
    assert "Noor" not in str(data(model))
    assert "train" in str(data(model))
    assert "noor" not in str(scene.db.all("select * from keepsake.forgotten_statements")).lower()
