"""The day or period that a memory is about stands in a column of its own, and is what its end and questions go by."""

from __future__ import annotations

from typing import Any

import pytest

from keepsake.infra.settings import Settings
from keepsake.usecases.archive_old_memories import archive_old_memories
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer
from tests.support.summaries import remember
from tests.support.transfer import bring, erase, export, stored, undo
from tests.usecases.extraction.test_believed_model import read, statement


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    return with_model(settings, model, openai_extraction_verdict="good")


def row_of(scene: Scene, text: str) -> dict[str, Any]:
    """The memory with a text, in any state."""
    (row,) = (one for one in stored(scene) if one["memory_text"] == text)
    return row


async def test_a_plan__is_over_with_its_period_in_any_language(scene: Scene, model: ModelServer) -> None:
    year = scene.clock.now().year + 1
    said = f"Im Mai {year} fliege ich nach Lissabon"
    text = f"Fliegt im Mai {year} nach Lissabon"
    told = statement(text, said, attribute="trip", value="Lissabon", when=f"{year}-05")
    await read(scene, model, said, told, message_language="de")
    row = row_of(scene, text)
    assert (row["period"], row["expires_at"].date().isoformat()) == (f"{year}-05", f"{year}-06-01")
    scene.clock.advance(days=600)
    await archive_old_memories(scene.resources, max_seconds=60)
    assert row_of(scene, text)["status"] == "expired"


@pytest.mark.parametrize(
    "when, more",
    [
        ("2031-05", {"attribute": "studies", "value": "law"}),
        ("2031-05", {"attribute": "degree course", "value": "law", "importance": 2}),
        ("2031-05", {"attribute": "degree course", "value": "law", "type": "goal"}),
        ("2021-05", {"attribute": "degree course", "value": "law"}),
    ],
)
async def test_what_lasts_or_is_past__has_no_end(
    scene: Scene, model: ModelServer, when: str, more: dict[str, Any]
) -> None:
    said = f"i read law from may {when[:4]}"
    await read(scene, model, said, statement(f"Reads law from May {when[:4]}", said, when=when, **more))
    assert [(row["period"], row["expires_at"]) for row in stored(scene)[-1:]] == [(when, None)]


@pytest.mark.parametrize("when", ["2026-13", "next week", "2026-02-30", "2026-05/2026-04", "1871-01-18"])
async def test_what_is_no_period_or_was_not_said__is_left_out(scene: Scene, model: ModelServer, when: str) -> None:
    said = "i collect stamps"
    await read(scene, model, said, statement("Collects stamps", said, when=when))
    assert row_of(scene, "Collects stamps")["period"] is None


async def test_rules__keep_the_date_that_they_resolve(scene: Scene, model: ModelServer) -> None:
    model.script.then({"status": 400})
    await scene.tell("I have a dentist appointment on 4 December 2031.")
    assert [row["period"] for row in stored(scene)[-1:]] == ["2031-12-04"]


async def test_an_edit_of_the_text__clears_the_period_and_undo_brings_it_back(scene: Scene, model: ModelServer) -> None:
    said = "the recital is on 3 may 2031"
    await read(scene, model, said, statement("Has a recital on 2031-05-03", said, when="2031-05-03"))
    memory_id = stored(scene)[-1]["id"]
    with scene.db.as_person(scene.ada.user_id) as connection:
        connection.execute("update public.user_memory set memory_text = 'Has a recital' where id = %s", (memory_id,))
    assert row_of(scene, "Has a recital")["period"] is None
    operation = scene.db.value("select operation_id from keepsake.changes order by seq desc limit 1")
    undo(scene, operation)
    assert row_of(scene, "Has a recital on 2031-05-03")["period"] == "2031-05-03"


async def test_a_period__goes_with_an_export_and_comes_back(scene: Scene, model: ModelServer) -> None:
    said = "the recital is on 3 may 2031"
    await read(scene, model, said, statement("Has a recital on 2031-05-03", said, when="2031-05-03"))
    exported = await export(scene)
    await erase(scene)
    assert b"2031-05-03" not in await export(scene)
    await bring(scene, exported)
    assert row_of(scene, "Has a recital on 2031-05-03")["period"] == "2031-05-03"


async def test_an_import_of_others__may_say_a_period_or_its_text_does(scene: Scene) -> None:
    rows = [
        {"memory_text": "Plays in a concert", "period": "2031-05-03/2031-05-04"},
        {"memory_text": "Meets Ines on 7 June 2031"},
        {"memory_text": "Sings", "period": "soon"},
    ]
    report = await bring(scene, rows)
    assert [problem.reason for problem in report.problems] == ["not_a_period"]
    assert row_of(scene, "Plays in a concert")["period"] == "2031-05-03/2031-05-04"
    assert row_of(scene, "Meets Ines on 7 June 2031")["period"] == "2031-06-07"


async def test_a_question_about_a_period__finds_what_is_about_it(scene: Scene) -> None:
    remember(scene, "2024-08-02", "Ran the harbor marathon", period="2024-10-13", importance=2)
    remember(scene, "2024-08-03", "Works as a baker", period="2024", importance=2)
    asked = ContextRequest(scene.chat, scene.says("How was my October 2024?"))
    context = (await inject_memory(scene.resources, asked)).context
    assert "harbor marathon" in context
    assert "baker" not in context
