"""Times ``keepsake doctor`` and the search for due work among a million memories, messages and extractions.

The rows are made by SQL in a database of its own, which is removed at the end; the free disk is checked before. The
slowest of a few runs is printed, with the load of the machine: on a busy machine only the CPU time says something.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
import tempfile
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from time import perf_counter

import psycopg

from bench.fault_stage import LaterClock
from bench.stage import MEMORIES, Stage, stage
from bench.timing import machine, show
from bench.traffic import cpu_seconds, settings_of_load
from keepsake.infra.resources import Resources, use_resources
from keepsake.local.servers.bootstrap import OWNER
from keepsake.operations.check_data import check_invariants
from keepsake.operations.connection import connect
from keepsake.usecases.run_due_jobs import run_due_jobs

MAX_MEMORIES = 2_000_000
_BYTES_A_ROW = 6_000
"""Of disk, for a memory with its index, its message, its extraction and the log of the server."""
_MAX_DOCTOR_SECONDS = 5.0
_RUNS = 3
# A message of each memory, said within the last week, and its extraction; of every thousand one waits.
_MESSAGES = """
insert into public.messages (id, conversation_id, user_id, role, content, created_at)
select m.id, c.id, m.user_id, 'user', m.memory_text, now() - interval '6 days' * random() - interval '1 hour'
from public.user_memory as m join public.conversations as c on c.user_id = m.user_id
"""
_EXTRACTIONS = """
insert into keepsake.extractions (conversation_id, source_message_id, user_id, status, generator, attempts,
  next_attempt_at, created_at, finished_at)
select m.conversation_id, m.id, m.user_id, case when w.waits then 'pending' else 'extracted' end, 'rules', 1,
  case when w.waits then now() + interval '1 hour' end, m.created_at, case when not w.waits then m.created_at end
from public.messages as m cross join lateral (select m.content is not null and random() < 0.001 as waits) as w
"""


def _fill(on: Stage) -> None:
    with psycopg.connect(on.superuser_url, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute(_MESSAGES.encode())
        connection.execute(_EXTRACTIONS.encode())
        connection.execute("vacuum (analyze)")
        connection.execute("checkpoint")


def _time_doctor(on: Stage) -> tuple[list[float], int]:
    """The seconds of each check of the data, and how many rows break an invariant."""
    times, broken = [], 0
    for _ in range(_RUNS):
        began = perf_counter()
        with connect(on.server.url(OWNER)) as connection:
            broken = check_invariants(connection, everybody=False).broken.total()
        times.append(perf_counter() - began)
    return times, broken


async def _time_due(on: Stage) -> list[float]:
    """The seconds of each search for due work, with nothing to run."""
    import_module("keepsake.jobs.tasks")  # they are registered
    resources, times = Resources.build(settings_of_load(on), clock=LaterClock(timedelta())), []
    try:
        with use_resources(resources):
            for _ in range(_RUNS):
                began = perf_counter()
                await run_due_jobs(resources, max_seconds=0)
                times.append(perf_counter() - began)
    finally:
        await resources.close()
    return times


def run(memories: int, folder: Path) -> bool:
    """Fill, time and print; whether the doctor was fast enough and found nothing wrong."""
    free = shutil.disk_usage(folder).free
    if free < 2 * memories * _BYTES_A_ROW:
        raise SystemExit(f"{free / 1e9:.0f} GB are free in {folder}; {memories:,} memories want twice what they need")
    with stage(memories, each=MEMORIES, folder=folder) as on:
        _fill(on)
        server = int((on.server.data_dir / "postmaster.pid").read_text().split()[0])
        before = cpu_seconds([server])
        doctor, broken = _time_doctor(on)
        between = cpu_seconds([server])
        due = asyncio.run(_time_due(on))
        after = cpu_seconds([server])
    show(
        f"{memories:,} memories, messages and extractions; load {os.getloadavg()[0]:.1f}",
        ("", "first, s", "slowest, s", "CPU of the server a run, s"),
        [
            ("doctor: the data", doctor[0], max(doctor), (between - before) / _RUNS),
            ("run-due-jobs without the jobs", due[0], max(due), (after - between) / _RUNS),
        ],
    )
    print(f"rows that break an invariant: {broken}")
    return max(doctor) < _MAX_DOCTOR_SECONDS and not broken


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.scale", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--memories", type=int, default=1_000_000, help=f"{MAX_MEMORIES:,} at most")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()), help="where the database lies")
    given = parser.parse_args()
    print(machine(), flush=True)
    return 0 if run(min(given.memories, MAX_MEMORIES), given.folder) else 1


if __name__ == "__main__":
    sys.exit(main())
