"""``keepsake explain`` says of a memory where it is from, and of a message what became of it; again stores nothing."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from keepsake.cli import main
from keepsake.domain.explanation.sentences import moment
from keepsake.domain.lifecycle.lifetimes import FEELING_TTL
from keepsake.errors import InvalidInput, NotFound
from keepsake.operations.explain import Question, explain_question
from keepsake.usecases.import_memories import import_memories
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
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


Explain = Callable[..., Awaitable[str]]
"""Runs the command with options, and returns what it prints as one line."""


@pytest.fixture
def explained(scene: Scene, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Explain:
    """``keepsake explain`` on the database of the scene."""
    monkeypatch.setenv("DATABASE_URL", scene.db.api_url)
    monkeypatch.setenv("SUPABASE_JWT_SECRET", "nobody signs in here, memories are explained")
    monkeypatch.setenv("LOG_LEVEL", "warning")

    def run() -> None:
        with pytest.raises(SystemExit) as ended:
            main()
        assert not ended.value.code

    async def explain(*options: object) -> str:
        monkeypatch.setattr("sys.argv", ["keepsake", "explain", *map(str, options)])
        monkeypatch.setattr("keepsake.infra.resources._current", None)
        await asyncio.to_thread(run)
        return " ".join(capsys.readouterr().out.split())

    return explain


def without_support(said: str) -> str:
    """What is said to the person."""
    return said.partition("For support:")[0]


async def test_memory__says_its_message_why_it_was_kept_and_that_it_counts(scene: Scene, explained: Explain) -> None:
    scene.db.run(
        "update public.user_profile_list set timezone = 'Europe/Vienna' where user_id = %s", (scene.ada.user_id,)
    )
    message = scene.says("I live in Graz.", created_at=datetime(2026, 7, 1, 10, tzinfo=UTC))
    found = await scene.extract(message)
    said = await explained("--memory", found.memories[0].ref, "--user", scene.ada.user_id)
    assert said == await explained("--memory", found.memories[0].id)
    for part in (
        "“Lives in Graz” (M-",
        "All times are those of Europe/Vienna.",
        "You wrote in a chat on 1 Jul 2026 at 12:00: “I live in Graz”. Keepsake read this and stored the memory on ",
        "A built-in rule, not a language model, recognized your sentence as one about your home.",
        "It was new: none of your memories said it yet.",
        "What has changed it since? Nothing.",
        "Yes. In this form it has counted since 1 Jul 2026 at 12:00, with no end date.",
        "So far the assistant has not been shown it.",
        "70 %, because a sentence can be misread. Where there is room for only a few memories, surer ones come first.",
        "In the memory panel you can correct it",
        f"For support: memory {found.memories[0].id}, person {scene.ada.user_id}, message {message}",
    ):
        assert part in said
    for noise in (str(message), "statement_kinds", "operation"):
        assert noise not in without_support(said)


async def test_ended_memory__names_the_message_and_what_took_its_place(scene: Scene, explained: Explain) -> None:
    found = await scene.tell("I live in Graz.")
    newer = await scene.tell("I moved to Linz.")
    said = await explained("--memory", found.memories[0].id)
    linz = f"“Lives in Linz” ({newer.memories[0].ref})"
    assert f"you wrote: “I moved to Linz”. So {linz} took its place. A built-in rule decided this." in said
    assert "No. It counted from " in said
    assert "How sure" not in said
    assert "bring it back" not in said
    said = await explained("--memory", newer.memories[0].id)
    assert f"It took the place of “Lives in Graz” ({found.memories[0].ref}), which is older and says" in said


async def test_doubted_memory__quotes_the_message_that_raised_the_doubt_without_its_secrets(
    scene: Scene, explained: Explain
) -> None:
    found = await scene.tell("I live in Leeds.")
    message = scene.says(f"moved again lol, my password is {SECRET}")
    await scene.extract(message)
    said = await explained("--memory", found.memories[0].id)
    assert "you wrote: “moved again lol" in said
    assert "So this may no longer be true. You did not say what is true instead" in said
    assert "A program that has learnt from examples decided this: it takes such words as news of a change." in said
    assert "Only partly. " in said
    assert "No longer sure, because it is in doubt; before that 70 %." in said
    assert "you can say that it is still true, or no longer true" in said
    assert SECRET not in said


async def test_memory__says_which_way_it_came_about(scene: Scene, explained: Explain) -> None:
    await scene.extract(scene.says("I love jazz."))
    with scene.db.as_person(scene.ada.user_id) as ada:
        ada.execute("update public.user_memory set memory_text = 'Loves live jazz' where memory_text = 'Loves jazz'")
    rows = b'[{"memory_text": "Plays the cello"}]'
    await import_memories(scene.resources, scene.ada.identity, rows, file_name="old\n assistant.json")
    await import_memories(scene.resources, scene.ada.identity, b'[{"memory_text": "Plays chess"}]')
    scene.people.memory(scene.ada, "Prefers trains", source="user", confidence_score=1)
    ids = {row["memory_text"]: row["id"] for row in scene.db.all("select id, memory_text from public.user_memory")}
    jazz = await explained("--memory", ids["Loves live jazz"])
    assert "You wrote in a chat on " in jazz
    assert "you changed its text yourself, from “Loves jazz” to “Loves live jazz”." in jazz
    assert "Fully, because you wrote this text yourself." in jazz
    cello = await explained("--memory", ids["Plays the cello"])
    assert "in a file that you imported on " in cello
    assert ": old assistant.json. The file said: “Plays the cello”." in cello
    assert "Because you imported it." in cello
    assert "Keepsake was not told its name" in await explained("--memory", ids["Plays chess"])
    assert "The application stored it on " in await explained("--memory", ids["Prefers trains"])
    assert "It is from your profile" in await explained("--memory", ids["Name is Ada"])


async def test_memory_that_was_asked_for__says_so(scene: Scene, explained: Explain) -> None:
    message = scene.says("Remember that my locker is number 41.")
    await inject_memory(scene.resources, ContextRequest(scene.chat, message))
    memory = scene.db.value("select id from public.user_memory where source_message_id = %s", (message,))
    said = await explained("--memory", memory)
    assert "You asked in a chat on " in said
    assert "Because you asked Keepsake to remember it." in said
    assert "It was new" not in said
    assert "Fully, because you asked for it to be remembered." in said


async def test_memory_that_an_undo_brought_back__says_what_became_of_the_other(
    scene: Scene, explained: Explain
) -> None:
    found = await scene.extract(scene.says("I live in Graz.", created_at=datetime(2026, 7, 1, 10, tzinfo=UTC)))
    message = scene.says("I moved to Linz.")
    newer = await scene.extract(message)
    row = scene.row(message)
    assert row is not None
    await undo_operation(scene.resources, scene.ada.identity, row["operation_id"])
    said = await explained("--memory", found.memories[0].id)
    linz = f"“Lives in Linz” ({newer.memories[0].ref})"
    assert "you undid what your message of " in said
    assert f"had done. So this memory counts again. {linz} is no longer among your memories." in said
    changed_at = "select max(created_at) from keepsake.changes where row_id = %s"
    undone_at = scene.db.value(changed_at, (found.memories[0].id,))
    assert f"In this form it has counted since {moment(undone_at)}" in said


async def test_forgotten_memory__shows_no_words(scene: Scene, explained: Explain) -> None:
    found = await scene.tell("I live in Graz.")
    with scene.db.as_person(scene.ada.user_id) as ada:
        ada.execute("select public.forget_memory(%s)", (found.memories[0].id,))
    said = await explained("--memory", found.memories[0].id)
    assert "forgotten: its text is not shown" in said
    assert "you had it forgotten, in the memory panel or through the application." in said
    assert "You can bring it back until " in said
    assert "Graz" not in said


async def test_feeling_that_was_over_when_it_was_read__says_why_it_was_stored(scene: Scene, explained: Explain) -> None:
    said_at = scene.clock.now() - timedelta(hours=9)
    found = await scene.extract(scene.says("I feel so lonely today.", created_at=said_at))
    said = await explained("--memory", found.memories[0].id)
    assert "A feeling is taken to last 6 hours from when you wrote of it." in said
    assert "No. It never counted: its time was over on " in said
    assert timedelta(hours=6) == FEELING_TTL


async def test_sensitive_memory__says_why_it_is_held_for_less_certain(scene: Scene, explained: Explain) -> None:
    found = await scene.tell("I'm allergic to peanuts.")
    assert "40 %. It is about health or money" in (said := await explained("--memory", found.memories[0].id))
    assert "as one about your allergies." in said


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
    assert "was not read: you have paused or turned off memory" in said
    assert "now        would not be read: you have paused or turned off memory" in said
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
    assert "You undid this on " in await answer(scene, message_id=message)


async def test_again__shows_each_statement_and_stores_nothing(scene: Scene) -> None:
    message = scene.says("I live in Graz and I love ramen.")
    before = stored(scene.db)
    said = await answer(scene, message_id=message, again=True)
    assert stored(scene.db) == before
    assert "- Lives in Graz" in said
    assert "decision   store “Loves ramen”: nothing that was remembered said it yet" in said
    await scene.extract(message)
    before = stored(scene.db)
    said = await answer(scene, message_id=message, again=True)
    assert stored(scene.db) == before
    assert "decision   store nothing new: “Lives in Graz” (M-" in said


async def test_text__is_read_as_of_somebody_not_known_yet(scene: Scene) -> None:
    before = stored(scene.db)
    said = await answer(scene, text="I moved to Linz last week.")
    assert "decision   store “Lives in Linz”" in said
    assert stored(scene.db) == before


@pytest.mark.parametrize("text", ["On Thursday I have my driving test.", "My driving test is this week."])
async def test_text__is_shown_with_the_date_that_would_be_stored(scene: Scene, text: str) -> None:
    said = await answer(scene, text=text)
    assert re.search(r"decision   store “.*test (is )?(on Thursday|in the week of) \d{1,2} \w+ \d{4}”", said), said


def test_command__explains_a_text_without_a_database(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "environ", dict(os.environ))  # the command sets its own
    monkeypatch.setattr("sys.argv", ["keepsake", "explain", "--text", "I moved to Linz last week."])
    monkeypatch.setattr("keepsake.infra.resources._current", None)
    with pytest.raises(SystemExit) as ended:
        main()
    assert not ended.value.code
    assert "store “Lives in Linz”" in capsys.readouterr().out
