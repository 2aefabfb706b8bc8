"""Shows that what every message and every minute asks costs the same at 10,000 rows of each table and at 10 million.

One database is filled step by step, and measured at each size: messages, extractions, the audit log, injections,
deliveries, rates and jobs up to the number of rows, memories up to a million. Ratios are to the smallest size: of CPU,
which another load changes little, and of the pages that a call touches, which it does not change. It fails where either
is over its limit, where a call reads a large table from end to end, and where `keepsake doctor` takes longer than 5 s
at a million. What is filled is removed at the end, also where it is interrupted.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter

import psycopg

from bench.harness.fault_stage import owner_environment
from bench.harness.stage import MEMORIES, Stage, stage
from bench.harness.timing import machine, p50, p95, show
from bench.harness.traffic import cpu_seconds
from bench.scale.calls import ROUND, Measured, Meter
from bench.scale.plans import explain
from bench.scale.rows import BEFORE, BYTES_A_ROW, LARGE, QUEUE, Filling

MAX_CPU_RATIO = 1.5
MAX_PAGES_RATIO = 2.5
"""More than of the CPU: an index of ten million rows is two pages deeper than one of ten thousand."""
MAX_DOCTOR_SECONDS = 5.0
BOUNDED = frozenset({"metrics", "metrics, with a full queue", "run-due-jobs, with a full queue"})
"""Operations that read all of little, and a limited part of much: compared from the second size on."""
_MAX_ROWS = 20_000_000
_MAX_ROWS_FOR_ALL = 1_000_000
"""Rows up to which the data of everybody is checked too, and the limit for `keepsake doctor` holds."""
_SMALL, _BATCHES = 1_000, 100_000
"""Rows up to which a call, and a batch of hundreds of rows, may read a table from end to end."""
Sizes = dict[int, Mapping[str, Measured]]


def _doctor(on: Stage, *options: str) -> tuple[float, float, float, str]:
    """The command as an operator runs it: seconds, CPU seconds of the server and its own, what it says of the data."""
    server = int((on.server.data_dir / "postmaster.pid").read_text().split()[0])
    own = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])
    before, began = cpu_seconds([server]), perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "keepsake.cli", "doctor", *options],
        env=dict(owner_environment(on)), capture_output=True, text=True, check=False,
    )  # fmt: skip
    seconds = perf_counter() - began
    said = next((line for line in done.stdout.splitlines() if line[2:].startswith("data:")), done.stdout + done.stderr)
    own = sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2]) - own
    return seconds, cpu_seconds([server]) - before, own, said


def report(sizes: Sizes) -> list[str]:
    """Print one row an operation with a column for each size, and return what is over a limit."""
    wrong, rows = [], []
    for name in next(iter(sizes.values())):
        compared = list(sizes)[1 if name in BOUNDED and len(sizes) > 2 else 0]
        base = sizes[compared][name]
        ratios = {size: (of[name].cpu / base.cpu, of[name].pages / base.pages) for size, of in sizes.items()}
        figures = [
            f"{p50(f.times):.1f}, {p95(f.times):.1f}; {f.cpu:.2f}; {f.pages:,.0f}"
            for f in (of[name] for of in sizes.values())
        ]
        cpu, pages = ratios[max(sizes)]
        rows.append((name, *figures, cpu, pages))
        wrong += [
            f"{name}: at {size:,} rows {cpu:.2f} times the CPU, {pages:.2f} times the pages of {compared:,}"
            for size, (cpu, pages) in ratios.items()
            if size > compared and (cpu > MAX_CPU_RATIO or pages > MAX_PAGES_RATIO)
        ]
        for size, of in sizes.items():
            wrong += [f"{name}: at {size:,} rows {table} is read from end to end" for table in of[name].scanned]
    show(
        f"p50, p95 ms; CPU ms; pages a call; ratios of the largest to the smallest; load {os.getloadavg()[0]:.1f}",
        ("", *(f"{size:,} rows" for size in sizes), "CPU ratio", "pages ratio"),
        rows,
        width=90 + 35 * len(sizes),
    )
    return wrong


def _measure(on: Stage, filling: Filling, calls: int, rows: int) -> Mapping[str, Measured]:
    large = _large_tables(on)
    meter = Meter(on, filling)
    found = dict(asyncio.run(meter.all_of(calls)))
    filling.fill_queue(rows)
    found |= asyncio.run(meter.queue(calls))
    for measured in found.values():
        for table in measured.scanned.keys() - large:
            del measured.scanned[table]
    return found


def _large_tables(on: Stage, limit: int = _SMALL) -> set[str]:
    """The filled tables that have more rows than the limit."""
    count = "select reltuples from pg_class where oid = %s::regclass"
    tables = (*BEFORE, *LARGE, *QUEUE)
    with psycopg.connect(on.superuser_url) as connection:
        return {table for table in tables if (connection.execute(count, (table,)).fetchone() or (0,))[0] > limit}


def run(sizes: Sequence[int], calls: int, folder: Path, *, plans: bool) -> list[str]:
    """Fill and measure at each size; what is wrong."""
    needed, free = max(sizes) * BYTES_A_ROW + 5e9, shutil.disk_usage(folder).free
    if free < needed:
        raise SystemExit(f"{free / 1e9:.0f} GB are free in {folder}, {needed / 1e9:.0f} are needed")
    measured: Sizes = {}
    doctors, wrong = [], []
    with stage(MEMORIES, folder=folder) as on:
        filling = Filling(on)
        for rows in sizes:
            began = perf_counter()
            print(f"filling up to {rows:,} rows", flush=True)
            filling.fill(rows)
            print(f"filled in {perf_counter() - began:.0f} s; measuring", flush=True)
            measured[rows] = _measure(on, filling, calls, rows)
            for options in ((), ("--all",)) if rows <= _MAX_ROWS_FOR_ALL else ((),):
                seconds, server, own, said = _doctor(on, *options)
                print(
                    f"doctor {' '.join(options)}: {seconds:.1f} s; CPU {server:.1f} and {own:.1f} s; {said}", flush=True
                )
                doctors.append((f"{rows:,}", " ".join(("doctor", *options)), seconds, server, own, said))
                is_late = not options and rows <= _MAX_ROWS_FOR_ALL and seconds > MAX_DOCTOR_SECONDS
                if is_late or not said.startswith("✓"):
                    wrong.append(f"doctor {' '.join(options)} at {rows:,} rows: {seconds:.1f} s, {said}")
            report(measured)
            if plans:
                wrong += explain(on, _large_tables(on, _BATCHES))
    wrong += report(measured)
    show("keepsake doctor", ("rows", "", "s", "CPU of the server, s", "its own, s", ""), doctors)
    return wrong


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.scale", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, nargs="+", default=[10_000, 1_000_000], help="sizes of the tables")
    parser.add_argument("--calls", type=int, default=100, help=f"timed calls of each operation, {ROUND} at least")
    parser.add_argument("--plans", action="store_true", help="print the plans of the main queries at each size")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()), help="where the database lies")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))  # so that the database is removed
    print(machine(), flush=True)
    sizes, calls = sorted(min(rows, _MAX_ROWS) for rows in given.rows), max(given.calls, ROUND)
    wrong = run(sizes, calls, given.folder, plans=given.plans)
    print("\n".join(wrong) or "within all limits")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
