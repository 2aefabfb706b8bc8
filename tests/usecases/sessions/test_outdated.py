"""With the spine a model says which memories a later text overtook: these are doubted, each by itself."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, LiteralString

import pytest

from keepsake.domain.sessions.outdated import OutdatedMemory
from keepsake.domain.sessions.spine_model_form import build_spine_prompt
from keepsake.infra.settings import Settings
from keepsake.operations.explain import Question, explain_question
from keepsake.store import outdated, spine, summary_schedule
from keepsake.store.row_keys import ProfileKey
from keepsake.usecases.generate_daily_summaries import generate_daily_summaries
from keepsake.usecases.run_due_jobs import run_due_jobs
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer
from tests.usecases.sessions.test_sessions import context

DANCE, DANCING = "Wants to learn to dance", "Loves dancing"
TOLD = ("I want to learn to dance.", "I live in Graz.", "I love dancing.")
Relations = Mapping[str, Sequence[str]]
OVER: Relations = {DANCE: [DANCING]}
"""For a text that is outdated, the texts that show it."""


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    """Rules extract, and a model writes the spine."""
    return with_model(settings, model, openai_extraction_model=None, openai_summary_models="spine=scripted")


async def tell(
    scene: Scene, model: ModelServer, relations: Relations, texts: Sequence[str] = TOLD, profile: str = "lives in Graz"
) -> None:
    """Ada writes twenty messages, and the model writes the spine; nothing but that is asked of it."""
    for number in range(20):
        await scene.tell(texts[number] if number < len(texts) else "Hm, okay.")
    profile_key = ProfileKey(scene.ada.user_id, scene.ada.profile_id)
    async with scene.resources.database.as_service() as conn:
        calendar = await summary_schedule.calendar(conn, profile_key)
        assert calendar is not None
        sources = await spine.read_sources(conn, profile_key, calendar.history)
    numbers = {one.text: number for number, one in build_spine_prompt(sources).evidence.texts.items()}
    named = [
        f"{numbers[text]} by {[numbers[one] for one in shown_by]}"
        for text, shown_by in relations.items()
        if text in numbers
    ]
    lists = {"profile": [f"{profile} [{numbers['Lives in Graz']}]"], "projects": [], "people": [], "open_loops": []}
    model.script.always({"content": json.dumps(lists | {"outdated": named})})
    await run_due_jobs(scene.resources, max_seconds=300)


def memory(scene: Scene, text: str = DANCE) -> dict[str, Any]:
    """A memory of Ada's."""
    (row,) = scene.db.all("select * from public.user_memory where memory_text = %s", (text,))
    return row


def doubts(scene: Scene) -> list[dict[str, Any]]:
    """The changes that cast doubt on a memory."""
    return scene.db.all(
        "select * from keepsake.changes where reason like '%% may no longer hold %%' and action = 'update' order by seq"
    )


def by_person(scene: Scene, call: LiteralString, *args: Any) -> list[Any]:
    """What Ada gets by a function of the database."""
    with scene.db.as_person(scene.ada.user_id) as person:
        return person.execute(call, args).fetchall()


async def test_what_is_outdated__is_doubted_and_in_no_context(scene: Scene, model: ModelServer) -> None:
    await tell(scene, model, OVER)
    assert memory(scene)["doubted_at"] == scene.clock.now()
    for text in (DANCING, "Lives in Graz"):
        assert memory(scene, text)["doubted_at"] is None
    shown = await context(scene, "hello there", scene.people.conversation(scene.ada))
    assert "Graz" in shown
    assert DANCE not in shown
    asked = await context(scene, "do I want to learn to dance?", scene.people.conversation(scene.ada))
    assert f"{DANCE}" in asked
    assert "may no longer hold" in asked


async def test_the_log__says_why_and_by_which_message(scene: Scene, model: ModelServer) -> None:
    await tell(scene, model, OVER)
    (change,) = doubts(scene)
    shown_by = memory(scene, DANCING)
    number = memory(scene)["memory_no"]
    assert change["reason"] == (
        f"M-{number} may no longer hold after what the person said later: M-{shown_by['memory_no']}, "
        f"message {shown_by['source_message_id']}"
    )
    assert (change["actor"], change["why"].partition(",")[0]) == ("llm", "model scripted")
    found = by_person(scene, "select operation_id, memories from public.memory_operations(9, %s)", memory(scene)["id"])
    operation, memories = found[0].values()
    assert operation == change["operation_id"]
    assert memories[0]["is_doubted"]
    assert memories[0]["message_id"] == str(shown_by["source_message_id"])
    told = " ".join(await explain_question(scene.resources, Question(memory=str(memory(scene)["id"])), None))
    assert "you wrote: “I love dancing”. So this may no longer be true." in told


async def test_undo__brings_it_back_and_it_is_not_doubted_again(scene: Scene, model: ModelServer) -> None:
    await tell(scene, model, OVER)
    (change,) = doubts(scene)
    by_person(scene, "select public.undo_operation(%s)", change["operation_id"])
    assert memory(scene)["doubted_at"] is None
    await tell(scene, model, OVER, ())
    assert memory(scene)["doubted_at"] is None
    assert len(doubts(scene)) == 1


@pytest.mark.parametrize(
    "choice",
    [
        "update public.user_memory set pinned = true where id = %s",
        "select public.confirm_memory(%s)",
        "update public.user_memory set memory_text = 'Wants to learn to dance well' where id = %s",
    ],
    ids=["pinned", "confirmed", "edited"],
)
async def test_what_the_person_pinned_confirmed_or_wrote__stays(
    scene: Scene, model: ModelServer, choice: LiteralString
) -> None:
    await scene.tell(TOLD[0])
    chosen = memory(scene)["id"]
    with scene.db.as_person(scene.ada.user_id) as person:
        person.execute(choice, (chosen,))
    await tell(scene, model, {DANCE: [DANCING], f"{DANCE} well": [DANCING]}, TOLD[1:])
    rows = scene.db.all("select doubted_at from public.user_memory where id = %s", (chosen,))
    assert rows == [{"doubted_at": None}]


async def test_what_was_said_before__what_an_agent_said_and_others_memories_show_nothing(
    scene: Scene, model: ModelServer
) -> None:
    for text in TOLD:
        await scene.tell(text)
    scene.db.run("update public.user_memory set source = 'agent_tool' where memory_text = %s", (DANCING,))
    await tell(scene, model, {**OVER, "Lives in Graz": [DANCE]}, ())
    assert doubts(scene) == []
    assert scene.db.all("select id from public.user_memory where doubted_at is not null") == []


async def test_a_statement_that_was_said_again__is_not_outdated_by_what_was_said_before(
    scene: Scene, model: ModelServer
) -> None:
    await tell(scene, model, OVER, (*TOLD, TOLD[0]))
    assert doubts(scene) == []


async def test_a_repeated_run__writes_nothing_more(scene: Scene, model: ModelServer) -> None:
    await tell(scene, model, OVER)
    before = scene.db.all("select * from keepsake.changes order by seq")
    for _ in range(3):
        scene.clock.advance(minutes=11)
        await run_due_jobs(scene.resources, max_seconds=300)
    assert scene.db.all("select * from keepsake.changes order by seq") == before
    assert len(scene.db.all("select * from public.user_memory_spine")) == 1


async def test_a_reply_whose_text_does_not_pass__doubts_nothing(scene: Scene, model: ModelServer) -> None:
    await tell(scene, model, OVER, profile="lives in Vienna")
    assert [row["generator"] for row in scene.db.all("select generator from public.user_memory_spine")] == ["rules"]
    assert doubts(scene) == []


async def test_without_a_model__nothing_is_doubted(scene: Scene, model: ModelServer) -> None:
    model.down()
    await tell(scene, model, OVER)
    assert doubts(scene) == []
    model.up()


async def test_a_written_day__stays_as_it_was(scene: Scene, model: ModelServer) -> None:
    scene.let_it_be_noon()
    for text in TOLD:
        await scene.tell(text)
    scene.clock.advance(days=1)
    await generate_daily_summaries(scene.resources, max_seconds=60)
    written = scene.db.all("select * from public.user_memory_daily_summaries")
    assert "i want to learn to dance" in str(written).lower()
    await tell(scene, model, OVER, ())
    assert len(doubts(scene)) == 1
    scene.clock.advance(hours=1)
    await generate_daily_summaries(scene.resources, max_seconds=60)
    first = scene.db.all("select * from public.user_memory_daily_summaries order by summary_date limit 1")
    assert first == written


async def test_the_person_s_own_messages__show_it_and_nobody_else_s(scene: Scene) -> None:
    """The notes of a session rest on messages; the ids of a reply's texts reach nothing of another person."""
    for text in TOLD:
        await scene.tell(text)
    ben = scene.people.person("Ben")
    there = scene.people.conversation(ben)
    ada_s, ben_s = (ProfileKey(one.user_id, one.profile_id) for one in (scene.ada, ben))
    wish, now = memory(scene)["id"], scene.clock.now()
    scene.clock.advance(minutes=1)
    by_ben, by_ada = scene.says("No dancing.", person=ben, chat=there), scene.says("I gave up dancing.")
    by_assistant = scene.people.answers(scene.chat, "She gave up dancing.")
    async with scene.resources.database.as_service() as conn:
        for profile, message in ((ada_s, by_ben), (ben_s, by_ada), (ben_s, by_ben), (ada_s, by_assistant)):
            named = OutdatedMemory(wish, [], [message])
            assert not await outdated.doubt(conn, profile, named, why="model scripted, prompt 1", now=now)
        named = OutdatedMemory(wish, [], [by_ben, by_ada])
        assert await outdated.doubt(conn, ada_s, named, why="model scripted, prompt 1", now=now)
    (change,) = doubts(scene)
    assert change["reason"].endswith(f"said later: message {by_ada}")
