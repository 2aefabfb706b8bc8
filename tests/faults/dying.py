"""A worker that is killed or frozen at one step of its work: run as a process of its own, it forks one a step.

Reads {"settings", "turns": [{"conversation_id", "message_id", "step", "signal"}]} from standard input; instead of a
turn it may be {"user_id", "profile_id", "step", "signal"}, whose summaries are due, or {"user_id", "session_id", …}, a
session that is over. Each is worked on by a forked
child, which sends itself the signal just before its database round trip number `step`; a child that stops is let go on
by a line on standard input. One line of JSON a child says how it ended.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import openai.resources.chat  # noqa: F401 (what every child would import again)
import psycopg

import keepsake.domain.english.preload
import keepsake.domain.extraction.rules.preload  # noqa: F401 (both before the children, for which they take long)
from keepsake.domain.summaries.periods import Level
from keepsake.infra.database import deferred_pipeline
from keepsake.infra.database.deferred_pipeline import DeferredPipeline
from keepsake.infra.readers import Readers
from keepsake.infra.resources import READING, Resources
from keepsake.infra.settings import Settings
from keepsake.usecases.extract_user_memory import extract_user_memory
from keepsake.usecases.sessions.summarize_session import summarize_session
from keepsake.usecases.summaries.write_due_summaries import summarize_profile

Turn = dict[str, Any]


def interrupt(step: int | None, with_signal: int) -> list[int]:
    """Count the round trips of every connection, and send the signal before one of them leaves."""
    done = [0]
    wait, send = psycopg.AsyncConnection.wait, deferred_pipeline.send  # type: ignore[attr-defined]

    def count() -> None:
        done[0] += 1
        if done[0] == step:
            os.kill(os.getpid(), with_signal)

    async def waiting(self: psycopg.AsyncConnection[Any], *given: Any, **more: Any) -> Any:
        if not isinstance(self._pipeline, DeferredPipeline):  # whose batch has left already
            count()
        return await wait(self, *given, **more)

    def sending(*given: Any) -> Any:
        count()
        return send(*given)

    psycopg.AsyncConnection.wait = waiting  # type: ignore[method-assign]
    deferred_pipeline.send = sending  # type: ignore[attr-defined]
    return done


async def look_at(settings: Settings, readers: Readers, turn: Turn) -> dict[str, Any]:
    """Do one turn's work, on a pool of its own; the process that reads is the same for all children.

    Steps are counted once there is a connection: a busy server is asked for its time more than once by a new one.
    """
    resources = replace(Resources.build(settings), readers=readers)
    steps = [0]
    try:
        await resources.database.ping()
        steps = interrupt(turn["step"], turn["signal"])
        status = await _work_of(turn)(resources, turn)
    except Exception as error:  # noqa: BLE001 (the test is told, whatever it is)
        return {"status": repr(error), "steps": steps[0]}
    finally:
        await resources.database.close()
    return {"status": status, "steps": steps[0]}


def _work_of(turn: Turn) -> Callable[[Resources, Turn], Awaitable[str]]:
    if "session_id" in turn:
        return end_session
    return summarize if "profile_id" in turn else extract


async def end_session(resources: Resources, turn: Turn) -> str:
    """Write the notes of a session that is over, and the summary of its conversation."""
    ended = await summarize_session(resources, user_id=UUID(turn["user_id"]), session_id=UUID(turn["session_id"]))
    return "written" if ended else "nothing to do"


async def extract(resources: Resources, turn: Turn) -> str:
    """Extract a turn."""
    made = await extract_user_memory(
        resources, conversation_id=UUID(turn["conversation_id"]), message_id=UUID(turn["message_id"])
    )
    return made.status


async def summarize(resources: Resources, turn: Turn) -> str:
    """Write every summary of a profile that is due."""
    user_id, profile_id = UUID(turn["user_id"]), UUID(turn["profile_id"])
    written = [
        await summarize_profile(resources, user_id=user_id, profile_id=profile_id, level=level) for level in Level
    ]
    return f"{sum(written)} written"


def say(**line: Any) -> None:
    """Tell the test something."""
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Fork a child for each turn, one after the other."""
    given = json.loads(sys.stdin.readline())
    gc.freeze()  # what is shared with the children stays shared
    settings = Settings.load(**given["settings"])
    readers = Readers(deadline=30, max_processes=1, modules=READING)
    readers._start_first()
    for turn in given["turns"]:
        pid = os.fork()
        if not pid:
            try:
                say(**asyncio.run(look_at(settings, readers, turn)))
            finally:
                os._exit(0)
        _, ended = os.waitpid(pid, os.WUNTRACED)
        if os.WIFSTOPPED(ended):
            say(stopped=turn["step"])
            sys.stdin.readline()
            os.kill(pid, signal.SIGCONT)
            _, ended = os.waitpid(pid, 0)
        if os.WIFSIGNALED(ended):
            say(killed=turn["step"])
    readers.close()


if __name__ == "__main__":
    main()
