"""Processes of Keepsake on a stage, messages that arrive while they are stopped or killed, and what became of them all.

Shared by the tests of faults.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import subprocess
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import UUID

import psutil
import psycopg

from bench.harness.delivery import Delivery
from bench.harness.serving import free_port, process_environment, until_open
from bench.harness.stage import Stage
from bench.harness.timing import machine, show
from bench.harness.traffic import ends, save_messages, settings_of_load, statements, stop_process, violations
from keepsake.infra.clock import Clock
from keepsake.infra.package_files import FUNCTIONS_SOURCE
from keepsake.infra.resources import Resources
from keepsake.local.servers.create_supabase_roles import OWNER
from keepsake.project.folder import ProjectFolder
from keepsake.usecases.run_due_jobs import run_due_jobs
from tests.fixtures.resources import use_resources

MAX_ROUNDS = 50
WORKER_GRACE = 25.0
FUNCTION_GRACE = 30.0
STACK_GRACE = 30.0
"""Seconds within which a worker, a function and ``keepsake up`` end after SIGTERM, as docs/operations.md states."""

_JOBS_LEFT = "select count(*) from keepsake.procrastinate_jobs"


class LaterClock(Clock):
    """The database's time, moved ahead, so that what is due later is due now."""

    def __init__(self, by: timedelta) -> None:
        super().__init__()
        self.by = by

    def now(self) -> datetime:
        """The moved time."""
        return super().now() + self.by


@dataclass(slots=True)
class Tally:
    """What happened to the messages and the processes of one kind of fault, over all rounds."""

    rounds: int = 0
    acknowledged: int = 0
    refused: int = 0
    broken: int = 0
    lost: int = 0
    twice: int = 0
    quarantined: int = 0
    late: int = 0
    seconds: list[float] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    HEADINGS = (
        "rounds", "taken", "503", "cut", "lost", "twice", "given up", "late", "end, s", "wrong",
    )  # fmt: skip

    @property
    def is_clean(self) -> bool:
        """Whether nothing was lost, doubled, quarantined, late or otherwise wrong."""
        return not (self.lost or self.twice or self.quarantined or self.late or self.wrong)

    def row(self) -> tuple[object, ...]:
        """The row of the table, in the order of the headings."""
        return (
            self.rounds, self.acknowledged, self.refused, self.broken, self.lost, self.twice, self.quarantined,
            self.late, max(self.seconds, default=0.0), len(self.wrong),
        )  # fmt: skip

    async def end(self, process: Process, grace: float) -> None:
        """Send SIGTERM, and note how long the process takes and whether it is longer than the grace period."""
        try:
            self.seconds.append(await stop_process(process, seconds=grace))
        except TimeoutError:
            self.late += 1


class FaultStage:
    """A stage whose database survives the run, and a process of our own that works off what waits."""

    def __init__(self, on: Stage, resources: Resources, seed: int) -> None:
        self.on = on
        self.dice = random.Random(seed)  # noqa: S311 (the same for the same seed)
        self._resources = resources

    def save(self, count: int) -> Sequence[tuple[UUID, UUID]]:
        """Save so many messages that nobody has been told of yet."""
        return save_messages(self.on, statements(count, seed=self.dice.randrange(1_000_000)))

    async def finish(self, tally: Tally, delivery: Delivery, saved: Sequence[tuple[UUID, UUID]]) -> None:
        """Work off everything, as the processes that follow would, and count what became of the messages."""
        tally.rounds += 1
        await self.drain()
        found = ends(self.on, delivery.acknowledged)
        tally.acknowledged += len(delivery.acknowledged)
        tally.refused += delivery.refused
        tally.broken += delivery.broken
        tally.wrong += delivery.wrong
        tally.lost += found.lost + found.waiting
        tally.quarantined += found.quarantined
        tally.twice += ends(self.on, saved).twice

    async def drain(self) -> None:
        """Run what is queued and due, with the clock ahead, until nothing waits; five times at most."""
        clock: Any = self._resources.clock
        with use_resources(self._resources):
            for _ in range(5):
                clock.by += timedelta(minutes=5)  # claims of processes that died are due again
                await run_due_jobs(self._resources, max_seconds=60)
                if not self.value("select count(*) from keepsake.extractions where status in ('pending', 'claimed')"):
                    break

    async def jobs_left(self) -> int:
        """The jobs that nobody finished, once those of killed workers had time to be noticed."""
        for _ in range(45):
            await self.drain()
            if not (left := int(self.value(_JOBS_LEFT))):
                break
            await asyncio.sleep(1)
        return left

    def value(self, query: str, *params: object) -> Any:
        """The first value of a query, as superuser."""
        with psycopg.connect(self.on.superuser_url) as connection:
            row = connection.execute(query.encode(), params).fetchone()
        return row[0] if row else None


@asynccontextmanager
async def fault_stage(on: Stage, seed: int) -> AsyncIterator[FaultStage]:
    """A stage for faults, whose own process ends with the block."""
    import_module("keepsake.jobs.tasks")  # they are registered
    resources = Resources.build(settings_of_load(on), clock=LaterClock(timedelta()))
    try:
        yield FaultStage(on, resources, seed)
    finally:
        await resources.close()
        for child in psutil.Process().children():  # of a round that was broken off
            if {"functions_framework", "keepsake.cli"} & set(child.cmdline()):
                kill_tree(child)


async def start_function(settings: Any, target: str) -> tuple[Process, int]:
    """One function as it is deployed, by functions-framework on a port of the loopback."""
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "functions_framework", "--source", str(FUNCTIONS_SOURCE), "--target", target,
        "--host", "127.0.0.1", "--port", str(port),
        env=process_environment(settings), stderr=_log(),
    )  # fmt: skip
    await until_open(process, port)
    return process, port


@asynccontextmanager
async def running_stack(on: Stage) -> AsyncIterator[tuple[Process, int, ProjectFolder]]:
    """``keepsake up`` on the stage's server: PostgREST, functions, worker and schedule; its process, port, folder."""
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="keepsake-bench-up-") as folder:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "keepsake.cli", "up", "--data", folder, "--port", str(port),
            env=_stack_environment(on), stdout=PIPE, stderr=_log(),
        )  # fmt: skip
        assert process.stdout
        try:
            if not await process.stdout.readline():
                raise RuntimeError("the stack did not start")
            yield process, port, ProjectFolder(Path(folder))
        finally:
            if process.returncode is None:
                await stop_process(process)


async def findings(on: Stage) -> list[str]:
    """What is wrong with the data in the end: invariants that do not hold, and what ``keepsake doctor`` finds."""
    async with running_stack(on) as (_, _, project):
        command = [sys.executable, "-m", "keepsake.cli", "doctor", "--all", "--data", str(project.folder)]
        done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
    failed = [line for line in done.stdout.splitlines() if line.startswith("✗")]
    return [*violations(on), *failed, *([done.stderr[-500:]] if done.returncode and not failed else [])]


def report(title: str, tallies: Mapping[str, Tally], unfinished: int, wrong: Sequence[str]) -> bool:
    """Print the table and all that is wrong; whether nothing is."""
    show(title, ("", *Tally.HEADINGS), [(name, *tally.row()) for name, tally in tallies.items()])
    for name, tally in tallies.items():
        for line in tally.wrong:
            print(f"{name}: {line}")
    print(f"unfinished jobs: {unfinished}; invariants and doctor: {'; '.join(wrong) or 'all hold'}")
    print(f"load {os.getloadavg()[0]:.1f} at the end")
    return all(tally.is_clean for tally in tallies.values()) and not unfinished and not wrong


def parse_arguments(
    program: str, description: str | None, *, rounds: int, kinds: str, choices: Sequence[str]
) -> argparse.Namespace:
    """The command line of a benchmark of faults: ``rounds``, which is bounded, ``seed``, ``chosen`` and ``folder``."""
    parser = argparse.ArgumentParser(
        prog=program, description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=rounds, help=f"times each, {MAX_ROUNDS} at most")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the moments; new each time")
    parser.add_argument(f"--{kinds}", dest="chosen", nargs="+", default=[], choices=choices, help="only these")
    parser.add_argument("--folder", type=Path, help="where the database lies while it is needed")
    given = parser.parse_args()
    given.rounds = min(given.rounds, MAX_ROUNDS)
    print(f"{machine()}; seed {given.seed}", flush=True)
    return given


def kill_tree(process: Process | psutil.Process) -> None:
    """Kill a process that this one started, and its children, with SIGKILL."""
    with suppress(psutil.NoSuchProcess):
        parent = psutil.Process(process.pid)
        for child in [parent, *parent.children(recursive=True)]:
            with suppress(psutil.NoSuchProcess):
                child.kill()


def owner_environment(on: Stage, database: str = "postgres") -> Mapping[str, str]:
    """The environment of a command that works as the owner of a database."""
    return {**process_environment(on.settings()), "MIGRATION_DATABASE_URL": on.server.url(OWNER, database=database)}


def _stack_environment(on: Stage) -> Mapping[str, str]:
    names = ("DATABASE_URL", "PATH", "HOME", "PYTHONPATH", "LANG", "MIGRATION_DATABASE_URL")
    environment = owner_environment(on)
    return {name: environment[name] for name in names if name in environment}


def _log() -> int | None:
    return None if os.environ.get("BENCH_LOG") else DEVNULL  # noqa: TID251 (of the benchmark alone)
