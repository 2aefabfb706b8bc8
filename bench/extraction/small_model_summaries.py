"""A small, unreliable model writes every level of summary: what it answered, and what of it is stored, to be read.

Serve the model as for `bench/extraction/small_model.py`. Each person says twenty messages of the project's own sets,
which rules read. Then time passes: the session ends, the day, the week, the month. Each person is one line of `--out`;
a run that is started again goes on after the last line. `--show` prints what was stored beside what the model answered.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import dict_row

from bench.chat.chatter import Chatter
from bench.extraction.small_model import RecordingModel, read_messages
from bench.harness.stage import Stage, stage
from bench.harness.timing import show
from keepsake.domain.summaries.prompt import TASKS
from keepsake.infra.clock import Clock
from keepsake.infra.resources import Resources
from keepsake.jobs import tasks as _tasks  # noqa: F401 (they are registered)
from keepsake.usecases.compare_yearly_patterns import compare_yearly_patterns
from keepsake.usecases.generate_daily_summaries import generate_daily_summaries
from keepsake.usecases.generate_monthly_summaries import generate_monthly_summaries
from keepsake.usecases.generate_weekly_summaries import generate_weekly_summaries
from keepsake.usecases.llm_summarizer import llm_summarizer
from keepsake.usecases.run_due_jobs import run_due_jobs
from tests.fixtures.resources import use_resources

_EACH = 20
"""Messages of one person: as many as a version of the spine takes."""
_MINUTES = 3600.0
_STORED = {
    "conversation": "select summary, generator from public.conversation_summaries",
    "session": "select one_liner, what_mattered, open_loops, commitments, people, tone, generator"
    " from public.user_memory_session_summaries",
    "rolling": "select rolling_summary, generator from public.user_memory_session_state",
    "spine": "select content, generator from public.user_memory_spine",
    "day": "select summary, key_themes, generator from public.user_memory_daily_summaries",
    "history": "select summary, generator from public.user_memory_history_summaries",
    "context": "select context, 'llm' as generator from keepsake.context_cache",
    "week": "select emotional_summary, summary, key_themes, dominant_patterns, energy_shifts, generator"
    " from public.user_memory_weekly_summaries",
    "month": "select emotional_summary, cognitive_summary, key_themes, generator"
    " from public.user_memory_monthly_summaries where year >= extract(year from now())",
    "year": "select growth, stayed, changed, appeared, generator from public.user_memory_yearly_comparisons",
}
_YEAR_BEFORE = """
insert into public.user_memory_monthly_summaries (user_id, profile_id, year, month, emotional_summary,
  cognitive_summary, key_themes, generator)
select user_id, profile_id, year - 1, month, 'Felt calm (3 May).', 'New: plays the cello.', '{cello}', 'rules'
from public.user_memory_monthly_summaries where user_id = %s
"""


class _MovedClock(Clock):
    """The database's time, and what has passed since."""

    passed = timedelta()

    def now(self) -> datetime:
        """The moved time."""
        return super().now() + self.passed


async def _live(person: Chatter, texts: list[str], clock: _MovedClock) -> None:
    """Say the messages, and let everything that is due be written as time passes."""
    resources, chat = person.resources, person.open_chat()
    for text in texts:
        await person.say(chat, text)
    await llm_summarizer(resources, conversation_id=chat)
    clock.passed = timedelta(minutes=40)
    await run_due_jobs(resources, max_seconds=_MINUTES)
    await generate_daily_summaries(resources, max_seconds=_MINUTES)
    over = ((1, generate_daily_summaries), (8, generate_weekly_summaries), (40, generate_monthly_summaries))
    for days, generate in over:
        clock.passed = timedelta(days=days)
        await generate(resources, max_seconds=_MINUTES)
    with psycopg.connect(person.on.superuser_url, autocommit=True) as connection:
        connection.execute(_YEAR_BEFORE, (person.user_id,))
    await compare_yearly_patterns(resources, user_id=person.user_id)


def _stored(on: Stage) -> dict[str, list[dict[str, Any]]]:
    with psycopg.connect(on.superuser_url, row_factory=dict_row) as connection:
        return {level: connection.execute(statement.encode()).fetchall() for level, statement in _STORED.items()}


async def run(people: int, url: str, out: Path, deadline: float, tokens: int) -> None:
    """Let the people live who are not in ``out`` yet, each on a server of their own."""
    messages = iter(read_messages())
    for number in range(people):
        texts = list(islice(messages, _EACH))
        if number < len(_done(out)):
            continue
        with stage(0) as on:
            settings = on.settings(
                embedding="off", openai_base_url=url, openai_summary_model="small", model_deadline_seconds=deadline,
                worker_concurrency=1, model_output_tokens=tokens,
            )  # fmt: skip
            model, clock = RecordingModel.at(url, settings.model_output_tokens), _MovedClock()
            resources = replace(Resources.build(settings, clock=clock), model=model)
            with use_resources(resources):
                try:
                    await _live(Chatter.sign_up(on, resources), texts, clock)
                finally:
                    await resources.close()
            row = {"said": texts, "stored": _stored(on), "replies": model.replies}
        with out.open("a", encoding="utf-8") as file:
            file.write(f"{json.dumps(row, ensure_ascii=False)}\n")


def _done(out: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()] if out.exists() else []


def _print(rows: list[dict[str, Any]], *, texts: bool) -> None:
    for row in rows if texts else ():
        print(json.dumps(row, indent=1, ensure_ascii=False))
    table = []
    for level in _STORED:
        written = [one["generator"] for row in rows for one in row["stored"][level]]
        table.append((level, len(written), written.count("llm"), written.count("rules")))
    show(f"Summaries of {len(rows)} people", ("level", "stored", "by the model", "by rules"), table)
    print(f"{sum(len(row['replies']) for row in rows)} replies, {len(TASKS)} tasks")


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.extraction.small_model_summaries", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--url", default="http://127.0.0.1:8123/v1", help="the endpoint")
    parser.add_argument("--out", type=Path, required=True, help="the file of the run")
    parser.add_argument("--people", type=int, default=5, help="how many people")
    parser.add_argument("--deadline", type=float, default=600, help="seconds for one summary")
    parser.add_argument("--tokens", type=int, default=600, help="most tokens of a reply")
    parser.add_argument("--show", action="store_true", help="run nothing, and print what was stored")
    given = parser.parse_args()
    logging.disable(logging.INFO)
    if not given.show:
        asyncio.run(run(given.people, given.url, given.out, given.deadline, given.tokens))
    _print(_done(given.out), texts=given.show)


if __name__ == "__main__":
    main()
