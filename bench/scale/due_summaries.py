"""How long it takes to find the profiles whose summaries are due, however many profiles there are.

Every profile waits for the summary of its day, week and month and for its merged context; a thousand of each are due.
Each measured call claims the next 500, as `JOBS_PER_RUN` has it, and is rolled back. Beside it stands what the server
itself took for the same statement, and for finding the rows without claiming them.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg

from bench.harness.stage import Stage, stage
from bench.harness.timing import Times, machine, p50, p95, show, timed
from bench.harness.traffic import cpu_seconds
from keepsake.domain.summaries.periods import Level
from keepsake.infra.database import Connection, queries
from keepsake.infra.resources import Resources
from keepsake.store import merged_context_cache, summary_schedule

MOST = 5_000_000
"""Profiles one run may make."""
_PERIODS = """
    insert into keepsake.summary_periods (user_id, profile_id, level, first_date, due_at)
    select gen_random_uuid(), gen_random_uuid(), l.level, current_date,
      now() + case when n.number <= %(due)s then interval '-1 minute' else interval '1 hour' end
    from generate_series(1, %(profiles)s) as n (number) cross join (values ('day'), ('week'), ('month')) as l (level)
"""
_CONTEXTS = """
    insert into keepsake.due_contexts (user_id, profile_id, due_at)
    select gen_random_uuid(), gen_random_uuid(),
      now() + case when n.number <= %(due)s then interval '-1 minute' else interval '1 hour' end
    from generate_series(1, %(profiles)s) as n (number)
"""


Finder = Callable[[Connection], Awaitable[object]]
"""Claims the next profiles that are due."""


_EXPLAIN = b"explain (analyze, timing off, format json) "
_FIND = """
select p.ctid from keepsake.summary_periods as p where p.level = 'day' and p.due_at <= now() order by p.due_at limit 500
"""


class _Undo(Exception):
    """Rolls a measured call back."""


def _fill(on: Stage, profiles: int, due: int) -> None:
    with psycopg.connect(on.superuser_url, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        for statement in (_PERIODS, _CONTEXTS):
            connection.execute(statement.encode(), {"profiles": profiles, "due": due})
        connection.execute("vacuum (analyze) keepsake.summary_periods, keepsake.due_contexts")


async def _measure(resources: Resources, rounds: int) -> dict[str, Times]:
    now = datetime.now(UTC)
    later = now + timedelta(minutes=10)

    def of_level(level: Level) -> Finder:
        return lambda conn: summary_schedule.claim_due(conn, level, now=now, next_attempt_at=later, limit=500)

    finders = {level.value: of_level(level) for level in Level}
    finders["merged context"] = lambda conn: merged_context_cache.claim_due(
        conn, now=now, next_attempt_at=later, not_before=later, limit=500
    )
    times: dict[str, Times] = {name: [] for name in finders}
    for _ in range(rounds):
        for name, find in finders.items():
            with suppress(_Undo):
                await _claim(resources, find, times[name])
    return times


def _measure_server(on: Stage, rounds: int) -> list[tuple[object, ...]]:
    """The server's own times for finding the due days, and for claiming them."""
    now = datetime.now(UTC)
    claim = queries.load("summary_schedule")["claim_due"].sql
    span = {"level": "day", "now": now, "next_attempt_at": now + timedelta(minutes=10), "limit": 500}
    times: dict[str, Times] = {"finding, in the server": [], "day, in the server": []}
    cpu = dict.fromkeys(times, 0.0)
    with psycopg.connect(on.superuser_url) as connection:
        backend = [connection.info.backend_pid]
        for _ in range(rounds):
            for name, statement, params in zip(times, (_FIND, claim), (None, span), strict=True):
                before = cpu_seconds(backend)
                plan: Any = connection.execute(_EXPLAIN + statement.encode(), params).fetchone()
                cpu[name] += cpu_seconds(backend) - before
                times[name].append(plan[0][0]["Execution Time"])
                connection.rollback()
    mean = {name: f"{seconds / rounds * 1000:.1f} ms of CPU" for name, seconds in cpu.items()}
    return [(f"{name}, {mean[name]}", p50(taken), p95(taken), max(taken)) for name, taken in times.items()]


async def _claim(resources: Resources, find: Finder, times: Times) -> None:
    async with resources.database.as_service() as conn:
        await timed(lambda: find(conn), times)
        raise _Undo


async def run(profiles: int, due: int, rounds: int, folder: Path | None) -> None:
    """Fill, measure and print."""
    with stage(1_000, folder=folder) as on:
        _fill(on, profiles, due)
        resources = Resources.build(on.settings())
        try:
            times = await _measure(resources, rounds)
        finally:
            await resources.close()
        of_server = _measure_server(on, rounds)
    show(
        f"finding {due:,} due profiles of {profiles:,}",
        ("what is due", "p50 ms", "p95 ms", "longest ms"),
        [*((name, p50(taken), p95(taken), max(taken)) for name, taken in times.items()), *of_server],
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.scale.due_summaries",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--profiles", type=int, default=1_000_000, help=f"profiles that wait, {MOST:,} at most")
    parser.add_argument("--due", type=int, default=1_000, help="those of them that are due")
    parser.add_argument("--rounds", type=int, default=20, help="calls of each kind")
    parser.add_argument("--folder", type=Path, help="where the database lies while it is needed")
    arguments = parser.parse_args()
    print(machine())
    asyncio.run(run(min(arguments.profiles, MOST), arguments.due, arguments.rounds, arguments.folder))


if __name__ == "__main__":
    main()
