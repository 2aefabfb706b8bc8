"""Many profiles whose month is due at once, and a model that answers after 200 ms.

Everybody has twelve memories, the summaries of the days and the weeks of last month, and the month itself is due. The
process that generates the summaries is killed (kill -9) again and again, and started again; the last one works to the
end. Printed are the share of the allowed model concurrency that was used from the start of the last process, its memory
and its CPU, and whether there is exactly one summary of each profile. A profile whose job was lost with a process is
due again after ten minutes: a last run has its clock moved.
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
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import psutil
import psycopg

from bench.harness.fault_stage import LaterClock
from bench.harness.serving import process_environment
from bench.harness.slow_model import SlowModel, slow_model
from bench.harness.stage import COUNT_NUMBERS, INDEX_WORDS, Stage, stage
from bench.harness.timing import machine, show
from bench.harness.traffic import cpu_seconds, violations
from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.usecases.generate_monthly_summaries import generate_monthly_summaries
from tests.fixtures.resources import use_resources

MOST = 20_000
"""Profiles one run may make."""
_LOST = timedelta(minutes=11)
_REPLY = {
    "emotional_summary": "They felt calm.",
    "cognitive_summary": "They planted tomatoes, and they sing in a choir.",
    "key_themes": ["tomatoes", "choir"],
}
_PEOPLE = """
with people as (insert into auth.users (id) select gen_random_uuid() from generate_series(1, %(count)s) returning id)
insert into public.user_profile_list (id, user_id, name, is_primary)
select gen_random_uuid(), id, 'Ada', true from people
"""
_MEMORIES = """
insert into public.user_memory (user_id, profile_id, memory_no, memory_text, memory_type, subtype, source, created_at,
  valid_from)
select p.user_id, p.id, n.number, t.texts[1 + n.number %% 4], (t.types[1 + n.number %% 4])::public.memory_type,
  t.subtypes[1 + n.number %% 4], 'rule_extraction', d.moment, d.moment
from public.user_profile_list as p cross join generate_series(1, 12) as n (number)
cross join lateral (select %(first)s::date + n.number * 2 + interval '12 hours' as moment) as d
cross join (select array['Planted tomatoes', 'Sings in a choir', 'Feels calm', 'Wants to learn Greek'] as texts,
  array['fact', 'pattern', 'emotion', 'goal'] as types, array['event', 'habit', 'feeling', 'other'] as subtypes) as t
"""
_DAYS = """
insert into public.user_memory_daily_summaries (user_id, profile_id, summary_date, summary, key_themes, generator)
select p.user_id, p.id, d.day, 'New: planted tomatoes; sings in a choir. Felt calm.', '{habits}', 'rules'
from public.user_profile_list as p
cross join generate_series(%(first)s::date, %(last)s::date, interval '1 day') as d (day)
"""
_WEEKS = """
insert into public.user_memory_weekly_summaries (user_id, profile_id, year, week_number, week_start_date, week_end_date,
  emotional_summary, summary, key_themes, generator)
select p.user_id, p.id, extract(isoyear from d.day), extract(week from d.day), d.day, d.day + interval '6 days',
  'Felt calm (Monday).', 'New: planted tomatoes; sings in a choir.', '{habits}', 'rules'
from public.user_profile_list as p
cross join generate_series(date_trunc('week', %(first)s::date), %(last)s::date, interval '7 days') as d (day)
"""
_DUE = """
insert into keepsake.summary_periods (user_id, profile_id, level, first_date, due_at)
select user_id, id, 'month', %(first)s::date, now() - interval '1 minute' from public.user_profile_list
"""
_FOUND = """
select count(*) as profiles, count(*) filter (where s.rows = 1) as once, count(*) filter (where s.rows > 1) as twice,
  coalesce(max(s.version), 0) as version, count(*) filter (where s.by_model) as by_model
from public.user_profile_list as p
left join (
  select user_id, profile_id, count(*) as rows, max(version) as version, bool_and(generator = 'llm') as by_model
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


def _fill(on: Stage, count: int) -> None:
    last = datetime.now(UTC).date().replace(day=1) - timedelta(days=1)
    span: dict[str, date | int] = {"first": last.replace(day=1), "last": last, "count": count}
    with psycopg.connect(on.superuser_url, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute("delete from public.user_profile_list")
        for statement in (_PEOPLE, _MEMORIES, _DAYS, _WEEKS, _DUE):
            connection.execute(statement.encode(), span)
        for statement in (INDEX_WORDS, COUNT_NUMBERS):
            connection.execute(statement.encode())
        connection.execute("vacuum (analyze)")
        connection.execute("checkpoint")


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


async def _measure(count: int, kills: int, concurrency: int, folder: Path | None) -> list[tuple[object, ...]]:
    with stage(0, folder=folder) as on:
        _fill(on, count)
        server = int((on.server.data_dir / "postmaster.pid").read_text().split()[0])
        async with slow_model(_REPLY, 0.2) as model:
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
            before, asked = cpu_seconds([server]), len(model.open_times)
            run = await _finish(settings, model)
            of_run = max(1, len(model.open_times) - asked)
            of_server = (cpu_seconds([server]) - before) / of_run * 1000
            rest = await _finish(settings, model, _LOST)
        with psycopg.connect(on.superuser_url) as connection:
            found: Any = connection.execute(_FOUND).fetchone()
        broken = violations(on)
    return [
        ("profiles", count),
        ("kills", kills),
        ("model calls", len(model.open_times)),
        (f"share of {concurrency} model slots, in %", 100 * run.share),
        ("summaries a second", of_run / run.seconds),
        ("CPU ms a summary: process", run.cpu / of_run * 1000),
        ("CPU ms a summary: server", of_server),
        ("largest memory of the process, MiB", run.megabytes),
        ("profiles with exactly one summary", found[1]),
        ("with more than one", found[2]),
        ("highest version of a summary", found[3]),
        ("summaries by the model", found[4]),
        ("written ten minutes after a kill", rest.queued),
        ("invariants", ", ".join(broken) or "all hold"),
    ]


def main() -> None:
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
        return
    print(machine())
    counts = [min(count, MOST) for count in given.profiles]
    tables = [asyncio.run(_measure(count, given.kills, given.concurrency, given.folder)) for count in counts]
    rows = [(row[0], *(table[number][1] for table in tables)) for number, row in enumerate(tables[0])]
    show("Months that are due at once", ("", *("" for _ in counts)), rows)


if __name__ == "__main__":
    main()
