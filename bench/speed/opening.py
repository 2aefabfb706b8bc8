"""What summaries cost a conversation's first context: injection with and without what it tells of them, in turns.

Everybody has 1,000 memories and summaries of every level. Without them the one statement that reads the summaries is
left out, and the context is what it was before there were any. Of each turn the CPU of this process and of the server
is taken, which other work on the machine hardly changes, and the median time.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch
from uuid import UUID

import psycopg

from bench.harness.sayings import MESSAGES
from bench.harness.stage import Stage, stage
from bench.harness.timing import Times, machine, p50, show, timed
from bench.harness.traffic import cpu_seconds
from keepsake.infra.resources import Resources
from keepsake.store import opening_sections
from keepsake.usecases.inject_memory import ContextRequest, inject_memory

_SUMMARIES = """
insert into public.user_memory_sessions (user_id, profile_id, started_at, last_activity_at, ended_at)
select p.user_id, p.id, now() - interval '2 hours', now() - interval '1 hour', now() - interval '30 minutes'
from public.user_profile_list as p;

insert into public.user_memory_session_summaries (user_id, profile_id, session_id, ended_at, one_liner, what_mattered,
  commitments, people, generator, source_ids)
select p.user_id, p.profile_id, p.id, p.ended_at, 'Spoke of the cello and the bakery.', '{cello}', '{Call the dentist}',
  '{Anna}', 'rules', (
    select array_agg(m.id) from (select id from public.user_memory where user_id = p.user_id limit 40) as m
  )
from public.user_memory_sessions as p;

insert into public.user_memory_session_state (user_id, profile_id, last_interaction, rolling_summary, source_ids)
select p.user_id, p.profile_id, now(), 'Of late: “Plays the cello every Sunday” (2 October), “Has a bakery”.',
  p.source_ids
from public.user_memory_session_summaries as p;

insert into public.user_memory_spine (user_id, profile_id, version, content, message_count, generator)
select p.user_id, p.id, 1, jsonb_build_object('PROFILE', (
    select jsonb_agg(jsonb_build_object('id', m.id, 'text', m.memory_text))
    from (select id, memory_text from public.user_memory where user_id = p.user_id limit 40) as m
  )), 20, 'rules'
from public.user_profile_list as p;

insert into public.user_memory_daily_summaries (user_id, profile_id, summary_date, summary, generator, memory_ids)
select p.user_id, p.profile_id, current_date - d.day, 'New: plays the cello every Sunday. Felt calm.', 'rules',
  p.source_ids
from public.user_memory_session_summaries as p cross join generate_series(0, 30) as d (day);

insert into public.user_memory_weekly_summaries (user_id, profile_id, year, week_number, week_start_date, week_end_date,
  emotional_summary, summary, generator, memory_ids)
select p.user_id, p.profile_id, extract(isoyear from d.day), extract(week from d.day), d.day, d.day + interval '6 days',
  'She felt calm.', 'She planted tomatoes in week ' || extract(week from d.day) || '.', 'llm', p.source_ids
from public.user_memory_session_summaries as p
cross join generate_series(date_trunc('week', now()) - interval '28 days', now() - interval '7 days',
  interval '7 days') as d (day);

insert into public.user_memory_monthly_summaries (user_id, profile_id, year, month, emotional_summary,
  cognitive_summary, generator, memory_ids)
select p.user_id, p.profile_id, extract(year from d.day), extract(month from d.day), 'She felt calm.',
  'She opened her bakery, and began to sing in a choir.', 'llm', p.source_ids
from public.user_memory_session_summaries as p cross join (select now() - interval '1 month' as day) as d;

insert into public.user_memory_history_summaries (user_id, profile_id, start_date, end_date, summary, days_hash,
  generator, memory_ids)
select p.user_id, p.profile_id, current_date - 7, current_date - 1, 'New: plays the cello every Sunday. Felt calm.',
  'x', 'rules', p.source_ids
from public.user_memory_session_summaries as p;

insert into public.user_memory_todos (user_id, profile_id, kind, todo_text)
select p.user_id, p.id, 'commitment', 'Call the dentist ' || n.number
from public.user_profile_list as p cross join generate_series(1, 5) as n (number);
"""


def _fill(on: Stage) -> None:
    with psycopg.connect(on.superuser_url, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute(_SUMMARIES)
        connection.execute("vacuum (analyze)")


async def _request_nothing(*_: Any, **__: Any) -> None:
    return None


@contextmanager
def _without_summaries() -> Iterator[None]:
    with patch.object(opening_sections, "request", _request_nothing):
        yield


async def _turn(resources: Resources, said: Sequence[tuple[UUID, UUID]], server: int) -> tuple[float, float, int]:
    """Milliseconds of CPU a call, the median time of a call, and the length of a context in characters."""
    times: Times = []
    began, of_server = time.process_time(), cpu_seconds([server])
    for chat, message in said:
        await timed(partial(inject_memory, resources, ContextRequest(chat, message_id=message)), times)
    used = time.process_time() - began + cpu_seconds([server]) - of_server
    chat, message = said[0]
    context = (await inject_memory(resources, ContextRequest(chat, message_id=message))).context
    return used / len(said) * 1000, p50(times), len(context)


async def run(rows: int, calls: int, rounds: int, folder: Path | None) -> None:
    """Fill, measure in turns and print."""
    with stage(rows, folder=folder) as on:
        _fill(on)
        server = int((on.server.data_dir / "postmaster.pid").read_text().split()[0])
        texts = list(islice(cycle(MESSAGES), calls))
        resources = Resources.build(on.settings(database_pool_size=1))
        taken: dict[str, list[tuple[float, float, int]]] = {"without": [], "with": []}
        try:
            for number in range(rounds + 1):
                for name, turns in taken.items():
                    said = on.talk(on.people[:4], texts, first=True)
                    if name == "without":
                        with _without_summaries():
                            turns.append(await _turn(resources, said, server))
                    else:
                        turns.append(await _turn(resources, said, server))
                    if not number:
                        turns.clear()
        finally:
            await resources.close()
    medians = {name: [median(one[column] for one in turns) for column in range(3)] for name, turns in taken.items()}
    ratio = [after / before for before, after in zip(*medians.values(), strict=True)]
    show(
        f"First contexts with and without summaries: median of {rounds} turns of {calls} calls",
        ("", "CPU ms", "p50 ms", "characters"),
        [*((name, *values) for name, values in medians.items()), ("ratio", *ratio)],
    )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.speed.opening", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=20_000, help="memories in the table")
    parser.add_argument("--calls", type=int, default=100, help="calls a turn")
    parser.add_argument("--rounds", type=int, default=5, help="turns of each kind")
    parser.add_argument("--folder", type=Path, help="where the database lies while it is needed")
    given = parser.parse_args()
    print(machine())
    asyncio.run(run(given.rows, given.calls, given.rounds, given.folder))


if __name__ == "__main__":
    main()
