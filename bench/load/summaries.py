"""Many profiles whose month is due at once, and a model that answers after 200 ms.

Everybody has the messages, the memories and the summaries of days and weeks of last month, and the month itself is due:
the model is asked to write it, and to review it. The process that generates the summaries is killed (kill -9) again and
again, and started again; the last one works to the end. Printed are the share of the allowed model concurrency that was
used from the start of the last process, its memory and its CPU, and whether there is exactly one summary of each
profile. A profile whose job was lost with a process is due again after ten minutes: a last run has its clock moved.
Exit code 1 where not every summary is the model's, where one is missing or there twice, or an invariant does not hold.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import psutil
import psycopg

from bench.harness.fault_stage import LaterClock
from bench.harness.repeating_model import data_of, repeat_texts
from bench.harness.serving import process_environment
from bench.harness.slow_model import SlowModel, slow_model
from bench.harness.stage import Stage, stage
from bench.harness.timing import machine, show
from bench.harness.traffic import cpu_seconds, server_pid, violations
from bench.load.month_rows import fill_months
from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.usecases.generate_monthly_summaries import generate_monthly_summaries
from tests.fixtures.resources import use_resources

_Table = tuple[Sequence[tuple[str, object]], Sequence[str]]
"""The rows of a table, and what is wrong."""
MOST = 20_000
"""Profiles one run may make."""
_LOST = timedelta(minutes=11)
_SECONDS = 0.2
_CALLS = 2
"""Calls of the model for each summary."""
_FOUND = """
select count(*) filter (where s.rows = 1) as once, count(*) filter (where s.rows > 1) as twice,
  coalesce(max(s.version), 0) as version, coalesce(sum(s.by_model), 0)::int as by_model,
  count(*) filter (where s.weeks > 0) as from_weeks
from keepsake_chats.user_profile_list as p
left join (
  select user_id, profile_id, count(*) as rows, max(version) as version, sum(weekly_summaries_used) as weeks,
    count(*) filter (where generator = 'llm') as by_model
  from public.user_memory_monthly_summaries group by user_id, profile_id
) as s on s.user_id = p.user_id and s.profile_id = p.id
"""


@dataclass(frozen=True, slots=True)
class _Run:
    """A process that worked to the end."""

    queued: int
    megabytes: float
    cpu: float
    share: float
    seconds: float


async def _generate(later: float) -> None:
    """What a process does: write what is due, and print what it took."""
    resources = Resources.build(Settings.load(), clock=LaterClock(timedelta(seconds=later)))
    import_module("keepsake.jobs.tasks")  # they are registered
    with use_resources(resources):
        try:
            print(flush=True)
            run = await generate_monthly_summaries(resources, max_seconds=3_600)
        finally:
            await resources.close()
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu = sum(one.ru_utime + one.ru_stime for one in used)
    print(json.dumps({"queued": run.queued, "megabytes": used[0].ru_maxrss / 1024, "cpu": cpu}), flush=True)


@dataclass(frozen=True, slots=True)
class _Found:
    """The profiles with one summary and with more, the highest version, and the summaries by the model, from weeks."""

    once: int
    twice: int
    version: int
    by_model: int
    from_weeks: int

    @classmethod
    def read(cls, on: Stage) -> _Found:
        """What there is now."""
        with psycopg.connect(on.superuser_url) as connection:
            found = connection.execute(_FOUND).fetchone()
        assert found
        return cls(*found)

    def faults(self, count: int) -> list[str]:
        """What is wrong, if there are so many profiles."""
        faults = []
        if self.by_model != count:
            faults.append(f"{self.by_model} of {count} summaries are by the model: is its reply refused?")
        if self.once != count:
            faults.append(f"{self.once} of {count} profiles have exactly one summary")
        return faults


def _write_month(request: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the model answers to a request."""
    schema = request["response_format"]["json_schema"]["schema"]
    return repeat_texts(data_of(request["messages"]), schema)


async def _start(settings: Settings, later: timedelta = timedelta()) -> Process:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bench.load.summaries", "--generate", str(later.total_seconds()),
        env=process_environment(settings), stdout=PIPE,
    )  # fmt: skip
    assert process.stdout
    await process.stdout.readline()
    return process


async def _kill(settings: Settings, dice: random.Random, model: SlowModel) -> None:
    """Start a process, and kill it and its own processes a moment after it has begun to ask the model."""
    process, asked = await _start(settings), len(model.open_times)
    while len(model.open_times) == asked and process.returncode is None:  # noqa: ASYNC110 (another process is waited for)
        await asyncio.sleep(0.02)
    await asyncio.sleep(dice.uniform(0, 1))
    if process.returncode is None:
        readers = psutil.Process(process.pid).children(recursive=True)
        process.kill()
        await process.wait()
        for reader in readers:
            with suppress(psutil.NoSuchProcess):
                reader.kill()


async def _finish(settings: Settings, model: SlowModel, later: timedelta = timedelta()) -> _Run:
    """Start a process, and let it work to the end."""
    began = time.monotonic()
    process = await _start(settings, later)
    assert process.stdout
    done = json.loads(await process.stdout.readline())
    await process.wait()
    asked = any(begin >= began for begin, _ in model.open_times)
    share = model.share_of(settings.worker_concurrency, began) if asked else 0.0
    return _Run(**done, share=share, seconds=time.monotonic() - began)


async def _measure(count: int, kills: int, concurrency: int, folder: Path | None) -> _Table:
    with stage(0, folder=folder) as on:
        fill_months(on, count)
        server = server_pid(on)
        async with slow_model(_write_month, _SECONDS) as model:
            settings = on.settings(
                openai_base_url=model.url,
                openai_summary_model="slow",
                openai_schema_mode="json_schema",
                worker_concurrency=concurrency,
                embedding="off",
                model_tokens_per_day=0,  # else rules write what is over the budget
            )
            dice = random.Random(1)  # noqa: S311 (the same in every run)
            for _ in range(kills):
                await _kill(settings, dice, model)
            before, asked, written = cpu_seconds([server]), len(model.open_times), _Found.read(on).by_model
            run = await _finish(settings, model)
            of_run = max(1, _Found.read(on).by_model - written)
            calls = len(model.open_times) - asked
            of_server = (cpu_seconds([server]) - before) / of_run * 1000
            rest = await _finish(settings, model, _LOST)
        found = _Found.read(on)
        broken = violations(on)
    rows = [
        ("profiles", count),
        ("kills", kills),
        ("model calls", len(model.open_times)),
        (f"share of {concurrency} model slots, in %", 100 * run.share),
        (f"calls a second, of {concurrency / _SECONDS:.0f} possible", calls / run.seconds),
        (f"summaries a second, of {concurrency / _SECONDS / _CALLS:.0f} possible", of_run / run.seconds),
        ("CPU ms a summary: process", run.cpu / of_run * 1000),
        ("CPU ms a summary: server", of_server),
        ("largest memory of the process, MiB", run.megabytes),
        ("profiles with exactly one summary", found.once),
        ("with more than one", found.twice),
        ("highest version of a summary", found.version),
        ("summaries by the model", found.by_model),
        ("of them from weeks", found.from_weeks),
        ("written ten minutes after a kill", rest.queued),
        ("invariants", ", ".join(broken) or "all hold"),
    ]
    return rows, [*found.faults(count), *broken]


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.load.summaries", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--profiles", type=int, nargs="+", default=[1_000, 10_000], help=f"{MOST:,} at most")
    parser.add_argument("--kills", type=int, default=20, help="processes that are killed before the last")
    parser.add_argument("--concurrency", type=int, default=4, help="jobs that a process runs at once")
    parser.add_argument("--folder", type=Path, help="where the database lies while it is needed")
    parser.add_argument("--generate", type=float, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.generate is not None:
        asyncio.run(_generate(given.generate))
        return 0
    print(machine())
    counts = [min(count, MOST) for count in given.profiles]
    measured = [asyncio.run(_measure(count, given.kills, given.concurrency, given.folder)) for count in counts]
    tables = [rows for rows, _ in measured]
    rows = [(row[0], *(table[number][1] for table in tables)) for number, row in enumerate(tables[0])]
    show("Months that are due at once", ("", *("" for _ in counts)), rows)
    faults = [fault for _, found in measured for fault in found]
    print("\n".join(f"FAILED: {fault}" for fault in faults) or "each summary once, by the model")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
