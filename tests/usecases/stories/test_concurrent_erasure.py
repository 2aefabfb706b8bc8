"""Erasing while commands, tools and extraction are at work: everybody waits for each other, nobody in a circle."""

from __future__ import annotations

import asyncio
from typing import Any

from keepsake.errors import NotFound
from keepsake.usecases.agent.facts import forget_for, remember_for
from keepsake.usecases.agent.session import AgentCall
from keepsake.usecases.commands.run_command import run_saved_command
from keepsake.usecases.erase_memories import Erased, Wish, erase_memories
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from tests.fixtures.scene import Scene


async def erasing(scene: Scene, **wish: Any) -> Erased:
    """Erase as Ada."""
    return await erase_memories(scene.resources, scene.ada.identity, Wish(**wish))


async def test_a_command_in_a_message_that_is_erased_meanwhile__is_none_and_nobody_waits_in_a_circle(
    scene: Scene,
) -> None:
    """What a command holds, an erasure wants later, and the other way round; and its message may be gone by then."""
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
        assert [one for one in came if isinstance(one, BaseException) and not isinstance(one, NotFound)] == []
