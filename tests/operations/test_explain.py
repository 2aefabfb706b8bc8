"""``keepsake explain`` says of a memory where it is from, and of a message what became of it; again stores nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from keepsake.cli import main
from keepsake.errors import InvalidInput, NotFound
from keepsake.operations.explain import Question, explain_question
from keepsake.usecases.import_memories import import_memories
from keepsake.usecases.undo_operation import undo_operation
from tests.fixtures.db import Clone
from tests.fixtures.people import Account
from tests.fixtures.scene import Scene

SECRET = "hunter2-Xk93"


async def answer(scene: Scene, person: Account | None = None, **question: Any) -> str:
    """The lines of the answer as one text."""
    return "\n".join(await explain_question(scene.resources, Question(**question), person.user_id if person else None))


def stored(db: Clone) -> list[dict[str, Any]]:
    """All that an extraction writes."""
    tables = (
        "public.user_memory",
        "keepsake.changes",
        "keepsake.extractions",
        "keepsake.model_days",
        "keepsake.counters",
    )
    return [row for table in tables for row in db.all(f"select to_jsonb(t) as row from {table} as t order by 1")]


async def test_memory__says_its_words_message_mechanism_and_reason(scene: Scene) -> None:
    message = scene.says("I live in Graz.")
    found = await scene.extract(message)
    said = await answer(scene, scene.ada, memory=found.memories[0].ref)
    assert said == await answer(scene, memory=str(found.memories[0].id))
    for part in (
        "Lives in Graz",
        "“I live in Graz”",
        f"keepsake explain {message}",
        "it was new: nothing that is remembered said it yet",
        "a fixed rule for sentences about home and work recognizes it",
        "done by  the rules, which read the message without a language model",
    ):
        assert part in said


async def test_ended_memory__names_the_message_and_what_took_its_place(scene: Scene) -> None:
    found = await scene.tell("I live in Graz.")
    message = scene.says("I moved to Linz.")
    await scene.extract(message)
    said = await answer(scene, memory=str(found.memories[0].id))
    for part in (
        "status     ended, and kept as history",
        f"the person said “I moved to Linz.” (message {message})",
        "the person later said something else about what M-",
        "“Lives in Linz” took its place",
        "used       not yet: it was neither shown to the assistant nor said again",
    ):
        assert part in said


async def test_doubted_memory__names_the_message_without_its_secrets(scene: Scene) -> None:
    found = await scene.tell("I live in Leeds.")
    message = scene.says(f"moved again lol, my password is {SECRET}")
    await scene.extract(message)
    said = await answer(scene, memory=str(found.memories[0].id))
    assert "status     in doubt since" in said
    assert "the person said “moved again lol" in said
    assert str(message) in said
    assert SECRET not in said


async def test_memory__says_which_way_it_came_about(scene: Scene) -> None:
    """One origin, not a list of possible ones."""
    await scene.extract(scene.says("I love jazz."))
    with scene.db.as_person(scene.ada.user_id) as ada:
        ada.execute("update public.user_memory set memory_text = 'Loves live jazz' where memory_text = 'Loves jazz'")
    await import_memories(scene.resources, scene.ada.identity, b'[{"memory_text": "Plays the cello"}]')
    by_application = scene.people.memory(scene.ada, "Prefers trains", source="user", confidence_score=1)
    ids = {row["memory_text"]: row["id"] for row in scene.db.all("select id, memory_text from public.user_memory")}
    jazz = await answer(scene, memory=str(ids["Loves live jazz"]))
    assert "origin     The person said it in a chat; the rules read it, without a language model. On " in jazz
    assert "the person changed its text, from “Loves jazz”." in jazz
    assert "origin     It stood in a file" in await answer(scene, memory=str(ids["Plays the cello"]))
    assert "origin     The application stored it" in await answer(scene, memory=str(by_application))


async def test_memory_that_an_undo_brought_back__names_the_message_that_was_undone(scene: Scene) -> None:
    found = await scene.tell("I live in Graz.")
    message = scene.says("I moved to Linz.")
    await scene.extract(message)
    row = scene.row(message)
    assert row is not None
    await undo_operation(scene.resources, scene.ada.identity, row["operation_id"])
    said = await answer(scene, memory=str(found.memories[0].id))
    assert "status     in use again" in said
    assert f"the person undid what “I moved to Linz.” (message {message}) had done" in said


async def test_forgotten_memory__shows_no_words(scene: Scene) -> None:
    found = await scene.tell("I live in Graz.")
    scene.db.run("update public.user_memory set status = 'deleted' where id = %s", (found.memories[0].id,))
    said = await answer(scene, memory=str(found.memories[0].id))
    assert "status     forgotten" in said
    assert "Graz" not in said


async def test_feeling__says_how_long_it_lasts(scene: Scene) -> None:
    found = await scene.tell("I feel so lonely today.")
    scene.clock.advance(minutes=7 * 60)
    assert "status     over: a feeling is taken to last 6 hours" in await answer(
        scene, memory=str(found.memories[0].id)
    )


async def test_memory_of_somebody_else__is_not_found_by_its_number(scene: Scene) -> None:
    await scene.tell("I live in Graz.")
    ben = scene.people.person("Ben")
    with pytest.raises(NotFound):
        await answer(scene, ben, memory="M-77")
    with pytest.raises(InvalidInput, match="among the memories of one person"):
        await answer(scene, memory="M-1")
    with pytest.raises(InvalidInput, match="neither"):
        await answer(scene, memory="the one about Graz")


async def test_message__says_what_was_stored_and_what_was_refused_without_its_text(scene: Scene) -> None:
    message = scene.says(f"I live in Graz and my password is {SECRET}.")
    await scene.extract(message)
    said = await answer(scene, message_id=message)
    assert "Lives in Graz" in said
    assert "read by    the rules" in said
    assert SECRET not in said
    assert SECRET not in str(stored(scene.db))


async def test_message_that_the_guard_refuses__says_why(scene: Scene) -> None:
    scene.set(building=False)
    message = scene.says("I live in Graz.")
    await scene.extract(message)
    said = await answer(scene, message_id=message)
    assert "was not read: the person has paused or turned off memory" in said
    assert "now        would not be read: the person has paused or turned off memory" in said
    scene.clock.advance(minutes=1)
    scene.set(building=True)
    said = await answer(scene, message_id=scene.says("I live in Linz."))
    assert "now        may be read" in said


async def test_message_that_nobody_has_read__says_so(scene: Scene) -> None:
    said = await answer(scene, message_id=scene.says("I live in Graz."))
    assert "has not begun" in said
    with pytest.raises(NotFound):
        await answer(scene, message_id=uuid4())


async def test_undone__says_when(scene: Scene) -> None:
    message = scene.says("I live in Graz.")
    found = await scene.extract(message)
    operation = scene.db.value("select operation_id from keepsake.extractions where id = %s", (found.extraction_id,))
    await undo_operation(scene.resources, scene.ada.identity, operation)
    assert ", undone " in await answer(scene, message_id=message)


async def test_again__shows_each_statement_and_stores_nothing(scene: Scene) -> None:
    message = scene.says("I live in Graz and I love ramen.")
    before = stored(scene.db)
    said = await answer(scene, message_id=message, again=True)
    assert stored(scene.db) == before
    assert "- Lives in Graz" in said
    assert "decision   store “Loves ramen”: nothing stored says this yet" in said
    await scene.extract(message)
    before = stored(scene.db)
    said = await answer(scene, message_id=message, again=True)
    assert stored(scene.db) == before
    assert "decision   store nothing new: M-" in said


async def test_text__is_read_as_of_somebody_not_known_yet(scene: Scene) -> None:
    before = stored(scene.db)
    said = await answer(scene, text="I moved to Linz last week.")
    assert "decision   store “Lives in Linz”" in said
    assert stored(scene.db) == before


def test_command__explains_a_text_without_a_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["keepsake", "explain", "--text", "I moved to Linz last week."])
    monkeypatch.setattr("keepsake.infra.resources._current", None)
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    assert "store “Lives in Linz”" in capsys.readouterr().out
