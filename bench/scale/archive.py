"""Lets the nightly run loose on a large table: what it ends, how fast, and how much memory it takes meanwhile.

Everybody holds three tenths more memories than they may; a twentieth of all have run out, a tenth are older than two
years (some of them in use), a thirtieth was forgotten a month ago, and a tenth of the people keep goals for a year.
A tenth are of many about one thing, and can be folded. `archive-old-memories` is called as cron would, again and again
with a bounded time, until it says that it is done; a last call must find nothing to do.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import astuple, dataclass, fields
from pathlib import Path
from time import perf_counter

import psutil
import psycopg

from bench.harness.stage import Stage, stage
from bench.harness.timing import machine, show
from keepsake.infra.resources import Resources
from keepsake.usecases.archive_old_memories import LifecycleRun, archive_old_memories

MOST = 5_000_000
"""Rows one run may make."""
_EACH = 1_300
_RULES = tuple(field.name for field in fields(LifecycleRun) if field.name != "done")

_AGE = (
    "update public.user_memory set created_at = created_at - interval '75 days'",
    """update public.user_memory set status = 'deleted', deleted_at = now() - interval '31 days'
    where mod(memory_no, 33) = 1""",
    """update public.user_memory set expires_at = now() - interval '1 hour'
    where mod(memory_no, 20) = 0 and status = 'active'""",
    """update public.user_memory set memory_key = regexp_replace(memory_key, '[|]([0-9]+)$', '_\\1')
    where mod(memory_no, 10) > 0""",
    """insert into public.user_memory_settings (user_id, retention_days)
    select user_id, '{"goal": 365}' from public.user_profile_list where mod(hashtext(user_id::text), 10) = 0""",
)


@dataclass
class Peak:
    """The most memory seen, in MiB: of this process, and of one process of the server apart from what they share."""

    before: float = 0.0
    ours: float = 0.0
    server: float = 0.0


@asynccontextmanager
async def watched() -> AsyncIterator[Peak]:
    """Look at the memory five times a second."""
    peak = Peak(before=_unshared(psutil.Process()))

    async def look() -> None:
        while True:
            peak.ours = max(peak.ours, _unshared(psutil.Process()))
            for child in psutil.Process().children(recursive=True):
                peak.server = max(peak.server, _unshared(child))
            await asyncio.sleep(0.2)

    looking = asyncio.create_task(look())
    try:
        yield peak
    finally:
        looking.cancel()


def _unshared(process: psutil.Process) -> float:
    try:
        return float(process.memory_full_info().uss) / 2**20
    except psutil.Error:  # it ended while we looked
        return 0.0


def _grow_old(on: Stage) -> None:
    with psycopg.connect(on.superuser_url, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        for statement in _AGE:
            connection.execute(statement.encode())
        connection.execute("vacuum (analyze) public.user_memory")


async def run(rows: int, seconds: float, folder: Path | None) -> None:
    """Fill, run until done, and print."""
    with stage(rows, each=_EACH, folder=folder) as on:
        print(f"{rows:,} memories are there; letting them grow old …")
        _grow_old(on)
        resources = Resources.build(on.settings())
        try:
            async with watched() as peak:
                calls = await _until_done(resources, seconds)
            began = perf_counter()
            again = await archive_old_memories(resources, max_seconds=seconds)
            nothing = perf_counter() - began
        finally:
            await resources.close()
    assert not any(astuple(again)[:-1]), again
    show(
        f"archive-old-memories on {rows:,} memories",
        ("call", *(name.replace("_", " ") for name in _RULES), "seconds", "memories a second"),
        [
            (number, *astuple(one)[:-1], took, sum(astuple(one)[:-1]) / took)
            for number, (one, took) in enumerate(calls, 1)
        ],
    )
    print(f"A run with nothing to do: {nothing:.2f} s.")
    print(f"Memory of this process: {peak.before:.0f} MiB before, {peak.ours:.0f} at most;", end=" ")
    print(f"of a process of the server: {peak.server:.0f} at most.")


async def _until_done(resources: Resources, seconds: float) -> list[tuple[LifecycleRun, float]]:
    """Call as cron would; what each call did, and how long it took."""
    calls: list[tuple[LifecycleRun, float]] = []
    while not calls or not calls[-1][0].done:
        began = perf_counter()
        archived = await archive_old_memories(resources, max_seconds=seconds)
        calls.append((archived, perf_counter() - began))
        print(f"call {len(calls)}: {archived}")
    return calls


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.scale.archive", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=1_000_000, help=f"memories in the table, {MOST:,} at most")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long one call may work")
    parser.add_argument("--folder", type=Path, help="where the database lies while it is needed")
    arguments = parser.parse_args()
    print(machine())
    asyncio.run(run(min(arguments.rows, MOST), arguments.seconds, arguments.folder))


if __name__ == "__main__":
    main()
