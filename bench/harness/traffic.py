"""Messages of a crowd, workers as processes of their own, and what became of the messages: shared by the load tests."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any
from uuid import UUID

import psutil
import psycopg

from bench.harness.sayings import STATEMENTS, filled
from bench.harness.serving import process_environment
from bench.harness.stage import Stage
from keepsake.infra.package_files import SQL_FOLDER
from keepsake.infra.resources import Resources
from keepsake.usecases.chat_send import chat_send

Sent = Sequence[tuple[UUID, UUID]]
"""The conversation and the message of each turn."""
_SAYS = """
insert into public.messages (conversation_id, user_id, role, content, created_at)
values (%s, %s, 'user', %s, clock_timestamp()) returning id
"""
_ENDS = """
select count(*) filter (where e.status is null) as lost, count(*) filter (where e.status = 'extracted') as extracted,
  count(*) filter (where e.status = 'pending' or e.status = 'claimed') as waiting,
  count(*) filter (where e.status = 'quarantined') as quarantined,
  count(*) filter (where e.status = 'skipped') as skipped,
  coalesce(max(e.attempts), 0) as most_attempts
from unnest(%s::uuid[]) as t (id) left join keepsake.extractions as e on e.source_message_id = t.id
"""
# A message that was processed twice has two operations of the extraction.
_TWICE = """
select count(*) from (
  select m.source_message_id from public.user_memory as m
  where m.source_message_id = any(%s::uuid[])
  group by m.source_message_id, m.memory_text, m.persona_id having count(*) > 1
) as d
"""
_SETTINGS: dict[str, Any] = {"extractions_per_minute": 1_000_000, "jobs_per_run": 5_000}


@dataclass(frozen=True, slots=True)
class Ends:
    """What became of messages: how many are without a row, in each state, and twice in the memories."""

    lost: int
    extracted: int
    waiting: int
    quarantined: int
    skipped: int
    most_attempts: int
    twice: int

    @property
    def is_clean(self) -> bool:
        """Whether each message was processed exactly once."""
        return not (self.lost or self.waiting or self.quarantined or self.twice)


def settings_of_load(on: Stage, **more: Any) -> Any:
    """The settings of a load test: no person is limited, because a few play many."""
    return on.settings(**_SETTINGS, **more)


def statements(count: int, seed: int = 1) -> list[str]:
    """What is said: of ten messages eight state something."""
    dice = random.Random(seed)  # noqa: S311 (the same in every run)
    return [filled(pattern, dice) for pattern in islice(cycle(STATEMENTS), count)]


def save_messages(on: Stage, texts: Sequence[str]) -> Sent:
    """Save messages, each of the next person in that person's own conversation."""
    sent = []
    with psycopg.connect(on.superuser_url) as connection:
        for number, text in enumerate(texts):
            person = on.people[number % len(on.people)]
            row = connection.execute(_SAYS, (person.conversation_id, person.user_id, text)).fetchone()
            assert row
            sent.append((person.conversation_id, row[0]))
    return sent


async def announce(on: Stage, sent: Sent) -> None:
    """Deliver messages by ``chat-send`` in this process, a few at once."""
    resources, waiting = Resources.build(settings_of_load(on)), iter(sent)

    async def deliver() -> None:
        for chat, message in waiting:
            await chat_send(resources, conversation_id=chat, message_id=message)

    try:
        await asyncio.gather(*(deliver() for _ in range(6)))
    finally:
        await resources.close()


def ends(on: Stage, sent: Sent) -> Ends:
    """What became of messages until now."""
    ids = [message for _, message in sent]
    with psycopg.connect(on.superuser_url) as connection:
        row = connection.execute(_ENDS, (ids,)).fetchone()
        twice = connection.execute(_TWICE, (ids,)).fetchone()
    assert row
    assert twice
    return Ends(*row, *twice)


def violations(on: Stage) -> list[str]:
    """The invariants of the data that do not hold, with how many rows break each."""
    check: Any = (SQL_FOLDER / "checks" / "invariants.sql").read_text()
    with psycopg.connect(on.superuser_url) as connection:
        broken = Counter(row[0] for row in connection.execute(check).fetchall())
    return [f"{name} ({rows})" for name, rows in broken.items()]


async def until_drained(on: Stage, sent: Sent, seconds: float) -> Ends:
    """Wait until no message waits any more, or so many seconds; what became of them."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while ends(on, sent).waiting:  # noqa: ASYNC110 (it is other processes that are waited for)
                await asyncio.sleep(0.5)
    return ends(on, sent)


async def start_worker(settings: Any) -> Process:
    """A worker in a process of its own, once it works."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "keepsake.cli",
        "worker",
        env=process_environment(settings),
        stdout=PIPE,
        stderr=None if os.environ.get("BENCH_LOG") else DEVNULL,  # noqa: TID251 (of the benchmark alone)
    )
    assert process.stdout
    if not await process.stdout.readline():
        raise RuntimeError("the worker did not start")
    return process


async def stop_process(process: Process, *, seconds: float = 40, with_signal: int = signal.SIGTERM) -> float:
    """Stop a process that this one started; how many seconds it took. One that does not end is killed: TimeoutError."""
    began = asyncio.get_running_loop().time()
    if process.returncode is None:
        process.send_signal(with_signal)
    try:
        async with asyncio.timeout(seconds):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
        raise
    return asyncio.get_running_loop().time() - began


@asynccontextmanager
async def workers(settings: Any, count: int) -> AsyncIterator[list[Process]]:
    """So many workers until the end of the block."""
    running = await asyncio.gather(*(start_worker(settings) for _ in range(count)))
    try:
        yield list(running)
    finally:
        await asyncio.gather(*(stop_process(process) for process in running))


def server_pid(on: Stage) -> int:
    """The process of the database server."""
    return int((on.server.data_dir / "postmaster.pid").read_text().split()[0])


def cpu_seconds(pids: Sequence[int]) -> float:
    """The CPU that processes and all their children, ended ones included, have used."""
    used = 0.0
    for pid in pids:
        with suppress(psutil.NoSuchProcess):
            parent = psutil.Process(pid)
            for process in (parent, *parent.children(recursive=True)):
                with suppress(psutil.NoSuchProcess):
                    times = process.cpu_times()
                    used += times.user + times.system + times.children_user + times.children_system
    return used
