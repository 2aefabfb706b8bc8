"""A worker that is killed or frozen at one step of its work: run as a process of its own, it forks one a step.

Reads a line of JSON for each: {"settings", "conversation_id", "message_id", "step", "signal"} is a turn, and
{"settings", "user_id", "profile_id", "step", "signal"} are the summaries of somebody that are due; a "session_id" in
place of the profile is a session that is over. Each is worked on by a forked child, which sends itself the signal just
before its database round trip number `step`; null lets the child go on that stopped last. One line of JSON says how a
child ended, or that it stopped.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import platform
import signal
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import openai.resources.chat.completions.completions  # noqa: F401 (what every child would import again)
import psycopg

import keepsake.domain.reading.preload  # noqa: F401 (before the children, for which it takes long)
from keepsake.domain.summaries.periods import Level
from keepsake.infra.database import deferred_pipeline
from keepsake.infra.database.deferred_pipeline import DeferredPipeline
from keepsake.infra.models.token_counter import load_token_counter
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


async def look_at(readers: Readers, turn: Turn) -> dict[str, Any]:
    """Do one turn's work, on a pool of its own; the process that reads is the same for all children.

    Steps are counted once there is a connection: a busy server is asked for its time more than once by a new one.
    """
    resources = replace(Resources.build(Settings.load(**turn["settings"])), readers=readers)
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


def fork(readers: Readers, turn: Turn) -> int:
    """The process id of a new child that works on a turn."""
    pid = os.fork()
    if not pid:
        try:
            say(**asyncio.run(look_at(readers, turn)))
        finally:
            os._exit(0)
    return pid


def main() -> None:
    """Fork a child for each turn, one after the other."""
    load_token_counter()  # this and the next as the imports
    platform.platform()  # which the model's client asks for: it runs a program
    readers = Readers(deadline=30, max_processes=1, modules=READING)
    readers._start_first()
    gc.freeze()  # what is shared with the children stays shared
    stopped: list[tuple[int, int]] = []
    for line in sys.stdin:
        if turn := json.loads(line):
            pid, step = fork(readers, turn), turn["step"]
        else:
            pid, step = stopped.pop()
            os.kill(pid, signal.SIGCONT)
        _, ended = os.waitpid(pid, os.WUNTRACED)
        if os.WIFSTOPPED(ended):
            stopped.append((pid, step))
            say(stopped=step)
        elif os.WIFSIGNALED(ended):
            say(killed=step)
    for pid, _ in stopped:
        os.kill(pid, signal.SIGKILL)
    readers.close()


if __name__ == "__main__":
    main()
