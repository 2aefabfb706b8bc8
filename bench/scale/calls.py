"""What ``bench.scale`` measures: each operation in this process, with its CPU, the pages it touches and what it scans.

The CPU is that of this process and of the server's processes that work for it. Pages are counted by the server, and do
not depend on what else the machine does. Scans of whole tables are counted by the server, too.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from statistics import median
from time import process_time
from uuid import UUID, uuid4

import procrastinate
import psutil
import psycopg
from procrastinate.jobs import Status

from bench.harness.sayings import MESSAGES
from bench.harness.stage import Speaker, Stage
from bench.harness.timing import Times, timed
from bench.harness.traffic import settings_of_load
from bench.scale.rows import Filling
from bench.speed.extraction import statements
from keepsake.infra.queue_connector import QueueConnector
from keepsake.infra.resources import Resources
from keepsake.usecases.chat_send import chat_send
from keepsake.usecases.extract_user_memory import extract_user_memory
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from keepsake.usecases.metrics import metrics
from keepsake.usecases.run_due_jobs import run_due_jobs
from tests.fixtures.clock import FixedClock
from tests.fixtures.resources import use_resources

PEOPLE = 10
ROUND = 10
"""Calls after which the CPU is read."""
_WARM_UP = 10
Call = Callable[[Resources], Awaitable[object]]
_SAYS = """
insert into public.messages (conversation_id, user_id, role, content, turn_index, created_at)
values (%s, %s, %s, %s, 100, clock_timestamp()) returning id
"""
_READ = """
select s.schemaname || '.' || s.relname as name, coalesce(s.seq_scan, 0) as scans,
  coalesce(i.heap_blks_read + i.heap_blks_hit + coalesce(i.idx_blks_read + i.idx_blks_hit, 0)
    + coalesce(i.toast_blks_read + i.toast_blks_hit, 0), 0) as pages
from pg_stat_user_tables as s join pg_statio_user_tables as i using (relid)
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """What an operation took: milliseconds, CPU milliseconds and pages a call, and tables read from end to end."""

    times: Times = field(default_factory=list)
    own: list[float] = field(default_factory=list)
    server: list[float] = field(default_factory=list)
    pages_of: dict[str, float] = field(default_factory=dict)
    scanned: dict[str, int] = field(default_factory=dict)

    @property
    def cpu(self) -> float:
        """Milliseconds of CPU a call, of both sides; the median of the rounds."""
        return median(self.own) + median(self.server)

    @property
    def pages(self) -> float:
        """Pages of all tables and their indexes that a call touches."""
        return sum(self.pages_of.values())


class Meter:
    """Measures operations on one stage."""

    def __init__(self, on: Stage, filling: Filling) -> None:
        import_module("keepsake.jobs.tasks")  # they are registered
        self._on = on
        self._people = filling.people(PEOPLE)
        self._long = filling.long_chat
        self._server = psutil.Process(int((on.server.data_dir / "postmaster.pid").read_text().split()[0]))

    async def all_of(self, calls: int) -> Mapping[str, Measured]:
        """Measure everything but the queue, in the order in which it does the least harm to what comes after."""
        people, long = self._people, [self._long]
        return {
            "run-due-jobs": await self._minutes(min(calls, 50)),
            "metrics": await self._of(metrics, min(calls, 20), each=1),
            "inject-memory": await self._injections(people, calls),
            "inject-memory, with history, 20,000 messages": await self._injections(long, calls, with_history=True),
            "chat-send, user": await self._sends(people, calls, "user"),
            "chat-send, user, 20,000 messages": await self._sends(long, calls, "user"),
            "chat-send, assistant": await self._sends(people, calls, "assistant"),
            "chat-send, assistant, 20,000 messages": await self._sends(long, calls, "assistant"),
            "extract-user-memory": await self._extractions(people, calls),
            "extract-user-memory, 20,000 messages": await self._extractions(long, calls),
        }

    async def queue(self, calls: int) -> Mapping[str, Measured]:
        """Measure the queue, in which as many jobs wait."""
        app = procrastinate.App(connector=QueueConnector())
        workers: list[int] = []

        async def open_queue(resources: Resources) -> None:
            await app.open_async(await resources.database.pool())
            workers.append(await app.job_manager.register_worker())

        async def fetch(_: Resources) -> None:
            job = await app.job_manager.fetch_job(None, workers[-1])
            assert job
            await app.job_manager.finish_job(job, Status.SUCCEEDED, delete_job=True)

        return {
            "queue: fetch and finish a job": await self._of(fetch, calls, before=open_queue),
            "queue: take 20 jobs": await self._of(lambda r: r.queue.gather("extract_user_memory", {}, 21), calls),
            "run-due-jobs, with a full queue": await self._minutes(min(calls, 50)),
            "metrics, with a full queue": await self._of(metrics, min(calls, 20), each=1),
        }

    async def _injections(self, people: Sequence[Speaker], calls: int, *, with_history: bool = False) -> Measured:
        said = iter(self._say(people, calls, MESSAGES))

        async def inject(resources: Resources) -> None:
            chat, message = next(said)
            await inject_memory(resources, ContextRequest(chat, message_id=message, history=with_history))

        return await self._of(inject, calls)

    async def _sends(self, people: Sequence[Speaker], calls: int, role: str) -> Measured:
        said = iter(self._say(people, calls, ["It is a fine day."], role=role))

        async def send(resources: Resources) -> None:
            chat, message = next(said)
            await chat_send(resources, conversation_id=chat, message_id=message, webhook_id=f"msg_{uuid4()}")

        return await self._of(send, calls)

    async def _extractions(self, people: Sequence[Speaker], calls: int) -> Measured:
        said = iter(self._say(people, calls, statements(calls, seed=1)))

        async def extract(resources: Resources) -> None:
            chat, message = next(said)
            ended = await extract_user_memory(resources, conversation_id=chat, message_id=message)
            assert ended.status == "extracted", ended

        return await self._of(extract, calls)

    async def _minutes(self, calls: int) -> Measured:
        """Run due jobs once a minute, in the last hour that has messages, with nothing to run."""
        with psycopg.connect(self._on.superuser_url) as connection:
            row = connection.execute(
                "select max(created_at) from public.messages where role = 'user' and turn_index < 100"
            ).fetchone()
        assert row
        clock = FixedClock(row[0] - timedelta(minutes=_WARM_UP + calls + 1))

        async def run(resources: Resources) -> None:
            clock.advance(minutes=1)
            await run_due_jobs(resources, max_seconds=0)

        async def reach(resources: Resources) -> None:  # the first runs after years look at a week
            for _ in range(30):
                await run_due_jobs(resources, max_seconds=0)

        return await self._of(run, calls, clock=clock, before=reach)

    def _say(
        self, people: Sequence[Speaker], calls: int, texts: Sequence[str], role: str = "user"
    ) -> list[tuple[UUID, UUID]]:
        """Save a message for each call, each of the next person."""
        said = []
        with psycopg.connect(self._on.superuser_url) as connection:
            connection.execute("set session_replication_role = replica")
            for number in range(calls + _WARM_UP):
                person, text = people[number % len(people)], texts[number % len(texts)]
                user = person.user_id if role == "user" else None
                row = connection.execute(_SAYS, (person.conversation_id, user, role, text)).fetchone()
                assert row
                said.append((person.conversation_id, row[0]))
        return said

    async def _of(
        self, call: Call, calls: int, *, each: int = ROUND, clock: FixedClock | None = None, before: Call | None = None
    ) -> Measured:
        """Measure one operation on connections of its own, which tell what they read when they close."""
        measured = Measured()
        resources = Resources.build(settings_of_load(self._on, embedding="off"), clock=clock)
        try:
            with use_resources(resources):
                if before:
                    await before(resources)
                read = self._read()
                for _ in range(_WARM_UP):
                    await call(resources)
                for _ in range(calls // each):
                    own, server = process_time(), self._server_cpu()
                    for _ in range(each):
                        await timed(lambda: call(resources), measured.times)
                    measured.own.append((process_time() - own) / each * 1_000)
                    measured.server.append((self._server_cpu() - server) / each * 1_000)
        finally:
            await resources.close()
        await asyncio.sleep(0.3)  # the server's processes end, and tell what they read
        done = len(measured.times) + _WARM_UP
        for name, (scans, pages) in self._read().items():
            measured.pages_of[name] = (pages - read[name][1]) / done
            if scans > read[name][0]:
                measured.scanned[name] = scans - read[name][0]
        return measured

    def _read(self) -> dict[str, tuple[int, int]]:
        with psycopg.connect(self._on.superuser_url) as connection:
            return {name: (scans, pages) for name, scans, pages in connection.execute(_READ)}

    def _server_cpu(self) -> float:
        """Seconds of CPU of the processes that work for the functions, and of those that ended."""
        used = self._server.cpu_times()
        spent = used.children_user + used.children_system
        for process in self._server.children():
            try:
                if "keepsake_api" in process.cmdline()[0]:
                    spent += int(Path(f"/proc/{process.pid}/schedstat").read_text().split()[0]) / 1e9
            except (psutil.NoSuchProcess, FileNotFoundError, IndexError):
                continue
        return spent
