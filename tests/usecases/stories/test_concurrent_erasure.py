"""Erasures concurrent with commands, agent tools and extraction: no deadlock, and nothing comes back."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from keepsake.errors import NotFound
from keepsake.usecases.agent.agent_session import AgentCall
from keepsake.usecases.agent.write_facts import forget_for, remember_for
from keepsake.usecases.commands.run_command import run_saved_command
from keepsake.usecases.erase_memories import EraseRequest, Erasure, erase_memories
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from tests.fixtures.scene import Scene


async def erasing(scene: Scene, **request: Any) -> Erasure:
    """Erase as Ada."""
    return await erase_memories(scene.resources, scene.ada.identity, EraseRequest(**request))


WAITING = "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
ERASURE = "select pg_advisory_xact_lock(hashtextextended('keepsake.erase:' || %s::text, 0))"


async def begin_to_wait(scene: Scene, running: asyncio.Task[Any]) -> None:
    """Until a statement of the task waits for a lock."""
    for _ in range(1000):
        if next(iter(scene.db.one(WAITING).values())):
            return
        assert not running.done()
        await asyncio.sleep(0.01)
    raise AssertionError("it waits for no lock")


async def test_calls_during_an_erasure__end_without_a_deadlock_and_leave_only_what_came_after(scene: Scene) -> None:
    """All calls have begun and at least three wait for a lock before the first can go on."""
    for _ in range(4):
        await scene.tell("My friend Zoe likes tea.")
        scene.clock.advance(minutes=1)
        plain = scene.says("I like tea as well.")
        scene.clock.advance(minutes=1)
        said = scene.says("Forget everything about tea.")
        came = await asyncio.gather(
            erasing(scene, everything=True, include_messages=True),
            inject_memory(scene.resources, ContextRequest(scene.chat, said)),
            run_saved_command(scene.resources, conversation_id=scene.chat, message_id=said),
            scene.extract(said),
            scene.extract(plain),
            remember_for(scene.resources, AgentCall(scene.ada.identity), "I like green tea"),
            forget_for(scene.resources, AgentCall(user_id=scene.ada.user_id), subject="tea"),
            erasing(scene, subject="tea", include_messages=True),
            return_exceptions=True,
        )
        failures = [one for one in came if isinstance(one, BaseException) and not isinstance(one, NotFound)]
        assert [(one, one.__cause__) for one in failures] == []


@pytest.mark.parametrize("is_saved", [True, False])
async def test_what_was_said_before_an_erasure__is_not_remembered_by_a_command_that_waited_for_it(
    scene: Scene, *, is_saved: bool
) -> None:
    text = "Remember that I hate tea."
    by_id = ContextRequest(scene.chat, scene.says(text))
    by_text = ContextRequest(scene.chat, user_id=scene.ada.user_id, user_message=text)
    with scene.db.as_owner() as erasure:
        erasure.execute(ERASURE, (scene.ada.user_id,))
        commanding = asyncio.create_task(inject_memory(scene.resources, by_id if is_saved else by_text))
        await begin_to_wait(scene, commanding)
        erasure.execute(
            "insert into public.user_memory_settings (user_id, erased_before) values (%s, %s)",
            (scene.ada.user_id, scene.clock.now() + timedelta(seconds=1)),
        )
    assert (await commanding).command is None
    assert scene.told() == []


@pytest.mark.parametrize("choice", ["memory_enabled = false", "profile_id = null"])
async def test_a_choice_against_memory__counts_for_a_command_that_began_before_it(scene: Scene, choice: str) -> None:
    with scene.db.as_owner() as erasure:
        erasure.execute(ERASURE, (scene.ada.user_id,))
        said = ContextRequest(scene.chat, scene.says("Remember that I hate tea."))
        commanding = asyncio.create_task(inject_memory(scene.resources, said))
        await begin_to_wait(scene, commanding)
        scene.db.run(f"update public.conversations_participants set {choice}")
    injected = await commanding
    assert injected.command is not None
    assert injected.command.status == "paused"
    assert scene.told() == []
