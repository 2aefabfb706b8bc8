"""Kills processes, crashes the database and lets connections go silent under load, and counts what is lost or doubled.

Four kinds of fault, each in rounds. kill: while messages arrive, the function or the worker is killed (SIGKILL) at
random moments, and another one is started at once. database: the server is killed (SIGKILL) under load, is away for a
while, and comes back; function and worker must survive it. silent: a proxy between them and the server passes nothing
on any more without closing anything, as after a failover; new connections work. burst: a thousand messages come within
a second. After each round everything is worked off; at the end the invariants of the data and ``keepsake doctor`` are
asked. Exit code 1 where an acknowledged message was lost, one was processed twice, or anything was left over or wrong.
"""

from __future__ import annotations

import asyncio
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from psycopg.conninfo import conninfo_to_dict

from bench.harness.delivery import Delivery, delivering
from bench.harness.fault_stage import (
    FUNCTION_GRACE,
    WORKER_GRACE,
    FaultStage,
    Tally,
    fault_stage,
    findings,
    kill_tree,
    parse_arguments,
    report,
    start_function,
)
from bench.harness.serving import HOST, Client
from bench.harness.stage import SECRET_KEY, stage
from bench.harness.traffic import settings_of_load, start_worker
from tests.fixtures.freezer import Freezer

_PEOPLE = 20
_MEMORIES = 100
_MESSAGES = 400
_SILENCE = 20.0
"""Seconds after which messages must be taken again although connections went silent."""
_BURST = 1_000
_BURST_SECONDS = 180.0
_DEADLINES = {"statement_timeout_seconds": 4.0, "database_timeout_seconds": 2.0}


@dataclass(slots=True)
class _Processes:
    """A function that takes messages and a worker that works them off; each is replaced where it is killed."""

    settings: Any
    function: Process
    port: int
    worker: Process

    @classmethod
    async def start(cls, settings: Any) -> _Processes:
        (function, port), worker = await asyncio.gather(start_function(settings, "chat_send"), start_worker(settings))
        return cls(settings, function, port, worker)

    async def end(self, tally: Tally) -> None:
        """End both; one that died by itself is wrong."""
        for name, process in (("function", self.function), ("worker", self.worker)):
            if process.returncode is not None:
                tally.wrong.append(f"the {name} ended by itself with {process.returncode}")
        await asyncio.gather(tally.end(self.function, FUNCTION_GRACE), tally.end(self.worker, WORKER_GRACE))


async def kill(rig: FaultStage, tally: Tally) -> None:
    """Kill the function or the worker three times while messages arrive."""
    both = await _Processes.start(settings_of_load(rig.on))
    saved: list[tuple[UUID, UUID]] = []
    all_of_them = Delivery()
    for _ in range(3):
        part = rig.save(_MESSAGES // 3)
        saved += part
        async with delivering(both.port, SECRET_KEY, part) as delivery:
            await delivery.until_acknowledged(1)
            await asyncio.sleep(rig.dice.uniform(0, 1))
            is_function = rig.dice.random() < 0.5
            killed = both.function if is_function else both.worker
            kill_tree(killed)
            await killed.wait()
        all_of_them.add(delivery)
        if is_function:
            both.function, both.port = await start_function(both.settings, "chat_send")
        else:
            both.worker = await start_worker(both.settings)
    await both.end(tally)
    await rig.finish(tally, all_of_them, saved)


async def crash_database(rig: FaultStage, tally: Tally) -> None:
    """Kill the server under load, and start it again after a moment."""
    both, saved = await _Processes.start(settings_of_load(rig.on)), rig.save(_MESSAGES)
    async with delivering(both.port, SECRET_KEY, saved) as delivery:
        await delivery.until_acknowledged()
        await asyncio.sleep(rig.dice.uniform(0, 0.5))
        assert rig.on.server.process
        rig.on.server.process.kill()
        await asyncio.to_thread(rig.on.server.stop)
        await asyncio.sleep(rig.dice.uniform(0, 3))
        rig.on.server.start()
        await _take_again(rig, tally, delivery, 30)
    await both.end(tally)
    await rig.finish(tally, delivery, saved)


async def go_silent(rig: FaultStage, tally: Tally) -> None:
    """Let all connections of function and worker go silent under load."""
    async with _proxy(rig) as (proxy, url):
        both = await _Processes.start(settings_of_load(rig.on, **_DEADLINES).model_copy(update={"database_url": url}))
        saved = rig.save(_MESSAGES)
        async with delivering(both.port, SECRET_KEY, saved) as delivery:
            await delivery.until_acknowledged()
            await asyncio.sleep(rig.dice.uniform(0, 0.5))
            proxy.freeze()
            await _take_again(rig, tally, delivery, _SILENCE)
        await both.end(tally)
    await rig.finish(tally, delivery, saved)


async def burst(rig: FaultStage, tally: Tally) -> None:
    """Deliver a thousand messages in one second, each over a connection of its own; what is refused comes again."""
    both, saved, delivery = await _Processes.start(settings_of_load(rig.on)), rig.save(_BURST), Delivery()

    async def send(turn: tuple[UUID, UUID]) -> None:
        await asyncio.sleep(rig.dice.random())
        await delivery.deliver(Client(both.port, SECRET_KEY), iter([turn]))

    try:
        async with asyncio.timeout(_BURST_SECONDS):
            await asyncio.gather(*(send(turn) for turn in saved))
    except TimeoutError:
        tally.wrong.append(f"{_BURST - len(delivery.acknowledged)} were not taken within {_BURST_SECONDS:.0f} s")
    await both.end(tally)
    await rig.finish(tally, delivery, saved)


async def _take_again(rig: FaultStage, tally: Tally, delivery: Delivery, seconds: float) -> None:
    """Wait until messages are acknowledged once more, and processed by the worker that went through it all."""
    try:
        async with asyncio.timeout(seconds):
            count = len(delivery.acknowledged)
            while len(delivery.acknowledged) < count + 4:  # noqa: ASYNC110 (other processes are waited for)
                await asyncio.sleep(0.05)
    except TimeoutError:
        tally.wrong.append(f"after {seconds:.0f} s no message was taken")
        return
    try:
        await _until_worked(rig, seconds)
    except TimeoutError:
        tally.wrong.append(f"{seconds:.0f} s later the worker had worked off nothing")


async def _until_worked(rig: FaultStage, seconds: float) -> None:
    done = "select count(*) from keepsake.extractions where status not in ('pending', 'claimed')"
    before = rig.value(done)
    async with asyncio.timeout(seconds):
        while rig.value(done) == before:  # noqa: ASYNC110 (as above)
            await asyncio.sleep(0.1)


@asynccontextmanager
async def _proxy(rig: FaultStage) -> AsyncIterator[tuple[Freezer, Any]]:
    folder = conninfo_to_dict(rig.on.superuser_url)["host"]
    proxy = Freezer(f"{folder}/.s.PGSQL.5432")
    server = await asyncio.start_server(proxy.handle, HOST, 0)
    port = server.sockets[0].getsockname()[1]
    url = f"postgresql://keepsake_api@{HOST}:{port}/postgres?sslmode=disable&gssencmode=disable"
    try:
        yield proxy, type(rig.on.settings().database_url)(url)
    finally:
        proxy.close()
        server.close()


_FAULTS: dict[str, Callable[[FaultStage, Tally], Awaitable[None]]] = {
    "kill": kill,
    "database": crash_database,
    "silent": go_silent,
    "burst": burst,
}


async def run(rounds: int, seed: int, folder: Path | None, chosen: list[str]) -> bool:
    """Cause each kind of fault so many times, and print the table; whether all is well."""
    tallies: dict[str, Tally] = {}
    with stage(_MEMORIES * _PEOPLE, each=_MEMORIES, folder=folder) as on:
        async with fault_stage(on, seed) as rig:
            for name in chosen or _FAULTS:
                began, tally = time.monotonic(), tallies.setdefault(name, Tally())
                for _ in range(rounds):
                    await _FAULTS[name](rig, tally)
                print(f"{name}, {time.monotonic() - began:.0f} s: {tally.row()}", file=sys.stderr, flush=True)
            unfinished = await rig.jobs_left()
        wrong = await findings(on)
    return report(f"Crashes, seed {seed}", tallies, unfinished, wrong)


def main() -> int:
    """The command line."""
    given = parse_arguments("python -m bench.faults.crashes", __doc__, rounds=10, kinds="faults", choices=list(_FAULTS))
    is_clean = asyncio.run(run(given.rounds, given.seed, given.folder, given.chosen))
    return 0 if is_clean else 1


if __name__ == "__main__":
    sys.exit(main())
