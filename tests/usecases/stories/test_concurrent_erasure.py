"""Erasures concurrent with commands, agent tools and extraction: no deadlock, and nothing comes back."""

from __future__ import annotations

import asyncio
from typing import Any

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
