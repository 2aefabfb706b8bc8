"""A message that takes too long to read ends its own turn, and nobody else's."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from keepsake.infra.readers import DeadlineExceeded, Readers
from keepsake.infra.resources import READING
from keepsake.usecases.agent.agent_session import AgentCall
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from keepsake.usecases.manage_user_memory import ToolCall, execute_tool_call
from tests.fixtures.resources import use_resources
from tests.fixtures.scene import Scene

COMMAS = "I like a" + ", " * 16_000
SLOW = (r"(?:a|a)+b", "a" * 60)
"""A pattern and a text that take longer than anybody lives."""


@pytest.fixture
def hasty() -> Iterator[Readers]:
    """Readers that have no time at all."""
    readers = Readers(deadline=0, max_processes=1, modules=READING)
    yield readers
    readers.close()


async def test_a_serving_process__begins_to_load_once_and_waits_for_the_same_reader(scene: Scene) -> None:
    """Who comes meanwhile waits for the process that is starting, and starts none beside it."""
    readers = Readers(deadline=30, max_processes=2, modules=READING)
    with use_resources(replace(scene.resources, readers=readers)) as resources:
        resources.begin_loading()
        began = readers.begin()
        await asyncio.gather(resources.prepare_reading(), resources.prepare_reading())
        assert (began, readers.begin()) == (False, False)
        assert len(readers._idle) == 1
    readers.close()


async def test_who_reads__has_the_rules_before_a_transaction_needs_them(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Merging asks them for keys while it holds its locks: the first time would compile them all."""
    preload = "keepsake.domain.reading.preload"
    monkeypatch.delitem(sys.modules, preload, raising=False)
    await scene.resources.prepare_reading()
    assert preload in sys.modules


async def test_the_subject_of_a_command__is_read_off_the_event_loop_with_a_deadline(
    scene: Scene, hasty: Readers
) -> None:
    """One that takes too long is searched by its words, and "I like" is not in the memory."""
    await scene.tell("I love pizza.")
    in_no_time = replace(scene.resources, readers=hasty)
    agent = AgentCall(user_id=scene.ada.user_id)
    for text in ("Forget that I like pizza.", "What do you know about I like pizza?"):
        scene.clock.advance(minutes=1)
        request = ContextRequest(scene.chat, scene.says(text))
        found = (await inject_memory(in_no_time, request)).command
        assert found is None or found.memories == ()
    tool = ToolCall("forget", subject="I like pizza")
    assert (await execute_tool_call(in_no_time, agent, tool)).status == "nothing"
    assert (await execute_tool_call(scene.resources, agent, tool)).status == "pending"


async def test_a_run_of_commas__is_read_in_time(scene: Scene) -> None:
    readers = Readers(deadline=scene.resources.settings.reading_deadline_seconds, max_processes=1, modules=READING)
    with use_resources(replace(scene.resources, readers=readers)) as resources:
        found = await replace(scene, resources=resources).tell(COMMAS)
    readers.close()
    assert (found.status, found.reason) == ("extracted", None)


async def test_a_message_that_takes_too_long__ends_skipped_with_the_reason(scene: Scene, hasty: Readers) -> None:
    message = scene.says("I like pizza.")
    found = await replace(scene, resources=replace(scene.resources, readers=hasty)).extract(message)
    assert (found.status, found.reason, found.memories) == ("skipped", "deadline", ())
    row = scene.row(message)
    assert row is not None
    assert (row["status"], row["reason"], row["claim_token"]) == ("skipped", "deadline", None)
    assert row["finished_at"] is not None
    counted = scene.resources.metrics.registry.get_sample_value(
        "keepsake_extractions_total", {"status": "skipped", "reason": "deadline"}
    )
    assert counted == 1
    again = await scene.extract(message)
    assert (again.status, again.reason) == ("duplicate", "deadline")


async def test_a_slow_reader__is_killed_and_replaced_while_others_are_answered() -> None:
    readers = Readers(deadline=0.5, max_processes=1, modules=())
    first = await readers.run(os.getpid)
    slow = asyncio.create_task(readers.run(re.search, *SLOW))  # type: ignore[arg-type]  # an overloaded one
    answered = 0
    while not slow.done():
        await asyncio.sleep(0.01)
        answered += 1
    with pytest.raises(DeadlineExceeded):
        await slow
    assert answered > 5, "the loop stood still meanwhile"
    second = await readers.run(os.getpid)
    readers.close()
    assert first != second
    with pytest.raises(ProcessLookupError):
        os.kill(first, 0)


async def test_a_reader_that_waits_for_the_cpu__is_not_late() -> None:
    """On a busy machine a message is read later; one that gets nowhere is still given up."""
    readers = Readers(deadline=0.2, max_processes=1, modules=())
    await readers.run(time.sleep, 1)
    with pytest.raises(DeadlineExceeded):
        await readers.run(time.sleep, 600)
    readers.close()


async def test_a_reader_that_somebody_else_kills__is_no_deadline() -> None:
    readers = Readers(deadline=30, max_processes=1, modules=())
    with pytest.raises(EOFError):
        await readers.run(signal.raise_signal, signal.SIGKILL)
    assert await readers.run(os.getpid) > 0
    readers.close()


async def test_a_reader_at_work_when_all_are_closed__ends_with_its_call() -> None:
    readers = Readers(deadline=30, max_processes=1, modules=())
    reader = await readers.run(os.getpid)
    at_work = asyncio.create_task(readers.run(time.sleep, 0.5))
    await asyncio.sleep(0.1)
    readers.close()
    await at_work
    assert _is_gone(reader)


async def test_what_a_function_raises__is_raised_here_and_the_reader_stays(readers: Readers) -> None:
    before = await readers.run(os.getpid)
    with pytest.raises(ZeroDivisionError):
        await readers.run(divmod, 1, 0)
    assert await readers.run(os.getpid) == before


def test_a_reader__ends_with_its_parent_even_in_the_middle_of_a_pattern() -> None:
    script = (
        "import asyncio, os, re\n"
        "from keepsake.infra.readers import Readers\n"
        "async def main():\n"
        "    readers = Readers(deadline=600, max_processes=1, modules=())\n"
        "    print(await readers.run(os.getpid), flush=True)\n"
        f"    await readers.run(re.search, *{SLOW!r})\n"
        "asyncio.run(main())\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        reader = int(parent.stdout.readline())
        parent.kill()
    assert _is_gone(reader)


def _is_gone(process: int) -> bool:
    """Whether the process ends, however long the kernel takes to say so."""
    for _ in range(1000):
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        if _is_zombie(process):
            return True
        time.sleep(0.01)
    return False


def _is_zombie(process: int) -> bool:
    """Whether it ended, and only nobody asked after it (the first process of a container may not)."""
    stat = Path(f"/proc/{process}/stat")
    return stat.exists() and stat.read_text(encoding="utf-8").rpartition(")")[2].split()[0] == "Z"
