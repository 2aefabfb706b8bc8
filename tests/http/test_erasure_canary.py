"""A word that lived through everything is nowhere any more after erasure, and nothing brings it back."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from keepsake.infra.settings import Settings
from keepsake.usecases.extraction.proposals import by_rules
from keepsake.usecases.import_memories import import_memories
from keepsake.usecases.sessions.refresh_state import refresh_session_state
from keepsake.usecases.sessions.summarize_session import summarize_session
from tests.fixtures.db import Clone
from tests.fixtures.model import with_model
from tests.fixtures.scene import Holdup, Scene
from tests.http.conftest import AS_SERVICE, Functions, as_person, signed
from tests.http.whole_dump import dumped, kept
from tests.model_server.running import ModelServer

LEVELS = ("daily", "weekly", "monthly")
CANARY = "xqz"
"""Begins every word that only Ada says."""


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    """With a model, which answers as it is told."""
    return with_model(settings, model)


async def live(scene: Scene, functions: Functions, model: ModelServer) -> None:
    """Let the word pass through everything there is."""
    await converse(scene, functions)
    await read_by_model(scene, model)
    await command(scene, functions)
    rule(scene)
    await import_memories(scene.resources, scene.ada.identity, b'[{"memory_text": "Plays the xqzharp"}]')
    plant(scene)
    await end_sessions(scene)
    scene.db.run("update public.user_memory set valid_from = valid_from - interval '400 days' where status = 'active'")
    for level in LEVELS:
        assert (await functions.call(f"generate-{level}-summaries", headers=AS_SERVICE)).status_code == 200


async def converse(scene: Scene, functions: Functions) -> None:
    """Turns announced by webhooks with the words in them, injections and answers; one job stays in the queue."""
    for number, text in enumerate(
        (
            "I live in Xqzville.",
            "My sister is called Xqzanna.",
            "I need to call Xqzanna tomorrow.",
            "I live in Xqzburg now.",
        )
    ):
        scene.clock.advance(minutes=1)
        message = scene.says(text)
        record = {"id": str(message), "conversation_id": str(scene.chat), "role": "user", "content": text}
        body = json.dumps({"type": "INSERT", "table": "messages", "schema": "public", "record": record}).encode()
        headers = signed(body, webhook_id=f"msg_{number}")
        answer = await functions.send("POST", "chat-send", headers=headers, content=body)
        assert answer.status_code == 202, answer.text
        await scene.extract(message, generate=by_rules)
        turn = {"conversation_id": str(scene.chat), "message_id": str(scene.says("Where do I live? In Xqzville?"))}
        injected = (await functions.call("inject-memory", turn)).json()
        reply = scene.people.answers(scene.chat, "In Xqzville.")
        tied = {"injection_id": injected["injection_id"], "message_id": str(reply), "helpfulness": 0.5}
        assert (await functions.call("record-injection", tied)).status_code == 200


async def read_by_model(scene: Scene, model: ModelServer) -> None:
    """A good answer of the model, and bad ones that repeat the words."""
    for reply in (None, {"content": "Xqzpie? {"}, {"memories": [{"text": "Xqzpie", "type": "no such type"}]}):
        if reply is not None:
            model.script.then(reply, reply)
        await scene.tell("My favorite food is xqzpie.")


async def end_sessions(scene: Scene) -> None:
    """Half an hour later the sessions are summarized, and what was said of late."""
    scene.clock.advance(minutes=31)
    for session in scene.db.all("select user_id, id from public.user_memory_sessions"):
        await summarize_session(scene.resources, user_id=session["user_id"], session_id=session["id"])
    scene.db.run(
        "update public.user_memory_session_state set message_count = message_count + 20, refresh_due_at = now()"
    )
    for state in scene.db.all("select user_id, id from public.user_memory_session_state"):
        await refresh_session_state(scene.resources, user_id=state["user_id"], state_id=state["id"])


async def command(scene: Scene, functions: Functions) -> None:
    """What people tell their memory to do in a chat, before it is saved and after."""
    for text in (
        "Remember that I have a dog named Xqzrex.",
        "Forget everything about Xqzrex.",
        "What do you know about Xqzrex?",
    ):
        scene.clock.advance(minutes=1)
        asked = {"conversation_id": str(scene.chat), "user_id": str(scene.ada.user_id), "user_message": text}
        assert (await functions.call("inject-memory", asked)).status_code == 200
        saved = {"conversation_id": str(scene.chat), "message_id": str(scene.says(text))}
        assert (await functions.call("chat-send", saved)).status_code == 202


def rule(scene: Scene) -> None:
    """The person edits, searches, forgets, restores and undoes."""
    row = scene.db.one("select id from public.user_memory where memory_text ~* 'xqzburg' and status = 'active'")
    with scene.db.as_person(scene.ada.user_id) as person:
        person.execute("update public.user_memory set memory_text = 'Lives in Xqzford' where id = %s", (row["id"],))
        person.execute("select * from public.search_user_memory('xqzford')")
        person.execute("select public.forget_memory(%s)", (row["id"],))
        person.execute("select public.restore_memory(%s)", (row["id"],))
        done = person.execute("select public.clear_my_memories() ->> 'operation_id' as id").fetchone()
        assert done is not None
        person.execute("select public.undo_operation(%s)", (done["id"],))


def plant(scene: Scene) -> None:
    """Where nothing writes words yet, and where nothing ever should; then what ANALYZE makes of it all."""
    ids = {"user": scene.ada.user_id, "profile": scene.ada.profile_id, "chat": scene.chat}
    for statement in (
        "insert into public.conversation_summaries (conversation_id, summary) values (%(chat)s, 'Of Xqzville')",
        (
            "insert into public.user_memory_places (user_id, profile_id, place_id, name, notes)"
            " values (%(user)s, %(profile)s, 'xqz', 'Xqzbar', 'the xqzwine')"
        ),
        (
            "insert into public.user_memory_alias_proposals (user_id, profile_id, key, variant, similarity)"
            " values (%(user)s, %(profile)s, 'person:xqzanna', 'person:xqzanne', 0.9)"
        ),
        (
            "insert into keepsake.procrastinate_jobs (queue_name, task_name, args, status) select 'default', 'unknown',"
            " jsonb_build_object('user_id', %(user)s::uuid, 'said', 'xqzville'), s::keepsake.procrastinate_job_status"
            " from unnest('{todo,doing,failed}'::text[]) as s"
        ),
        "analyze",
    ):
        given: Any = statement
        scene.db.run(given, ids)


def logged(db: Clone, capfd: pytest.CaptureFixture[str]) -> str:
    """What our own log and the server's say."""
    return "".join(capfd.readouterr()) + Path(db.cluster.socket_folder).with_suffix(".log").read_text(errors="replace")


async def test_the_word__is_nowhere_but_in_the_messages_and_then_not_there(
    scene: Scene, functions: Functions, model: ModelServer, capfd: pytest.CaptureFixture[str]
) -> None:
    await live(scene, functions, model)
    before = dumped(scene.db, CANARY)
    assert before.keys() >= {
        "public.messages", "public.user_memory", "public.user_memory_entities", "public.conversation_summaries",
        "public.user_memory_daily_summaries", "public.user_memory_weekly_summaries",
        "public.user_memory_monthly_summaries",
        "public.user_memory_places", "public.user_memory_todos",
        "public.user_memory_session_summaries", "public.user_memory_spine",
        "public.user_memory_alias_proposals", "keepsake.changes", "keepsake.memory_index",
        "keepsake.procrastinate_jobs",
    }  # fmt: skip
    late, holdup = scene.says("I have a cat named Xqzcat."), Holdup()
    thinking = asyncio.create_task(scene.extract(late, generate=holdup.propose))
    await holdup.reached.wait()

    headers = as_person(scene.ada)
    done = await functions.call("erase-memories", {"everything": True, "confirm": "erase"}, headers=headers)
    assert done.status_code == 200, done.text
    assert set(done.json()["remaining"].values()) == {0}
    assert CANARY not in done.text.lower()
    assert dumped(scene.db, CANARY).keys() == {"public.messages"}
    assert kept(scene.db, CANARY) == {"public.messages"}

    holdup.go_on.set()
    await thinking
    await everything_runs(scene, functions)
    assert dumped(scene.db, CANARY).keys() == kept(scene.db, CANARY) == {"public.messages"}
    assert scene.db.value("select count(*) from public.user_memory") == 0
    assert scene.db.value("select count(*) from keepsake.changes") == 0

    scene.db.run("update public.conversations set title = 'Xqzville'")
    wish = {"everything": True, "include_messages": True, "confirm": "erase"}
    assert (await functions.call("erase-memories", wish, headers=headers)).status_code == 200
    await everything_runs(scene, functions)
    assert dumped(scene.db, CANARY) == {}
    assert kept(scene.db, CANARY) == set()
    assert CANARY not in logged(scene.db, capfd).lower()


async def everything_runs(scene: Scene, functions: Functions) -> None:
    """Every cron endpoint, and every turn once more, at once and later; then ANALYZE."""
    for minutes in (0, 10, 60 * 24 * 32):
        scene.clock.advance(minutes=minutes)
        for name in ("run-due-jobs", "archive-old-memories", *(f"generate-{level}-summaries" for level in LEVELS)):
            assert (await functions.call(name, {}, headers=AS_SERVICE)).status_code == 200
        for message in scene.db.all("select id from public.messages where role = 'user'"):
            await scene.extract(message["id"])
    scene.db.run("analyze")


async def test_deleting_an_account__leaves_nothing(scene: Scene, functions: Functions, model: ModelServer) -> None:
    await live(scene, functions, model)
    bob = scene.people.person("Bob")
    scene.people.memory(bob, "Lives in Graz")
    waiting = scene.says("I live in Xqzville.")
    await functions.call("chat-send", {"conversation_id": str(scene.chat), "message_id": str(waiting)})
    scene.db.run("delete from keepsake.procrastinate_jobs where task_name = 'unknown'")
    scene.db.run("delete from auth.users where id = %s", (scene.ada.user_id,))
    assert dumped(scene.db, CANARY) == {}
    assert kept(scene.db, CANARY) == set()
    for gone in (scene.ada.user_id, scene.ada.profile_id, waiting):
        assert dumped(scene.db, str(gone)) == {}
    assert scene.told(bob) == ["Lives in Graz"]


async def test_deleting_a_profile__takes_its_memories_along(
    scene: Scene, functions: Functions, model: ModelServer
) -> None:
    await live(scene, functions, model)
    scene.db.run("delete from public.user_profile_list where id = %s", (scene.ada.profile_id,))
    left = {"public.messages", "public.conversation_summaries", "keepsake.procrastinate_jobs"}
    assert dumped(scene.db, CANARY).keys() <= left
