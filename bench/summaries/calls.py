"""The calls and tokens that the summaries of a life take, level by level, with a scripted model.

A life is a JSON file: "before" and "life" are messages, each with its chat, local time, text and answer; "months" are
summaries between them (year, month, two texts, themes). It passes through the real functions with the clock moved:
each session ends, the open day is written, and what is due at midnight. Rules read the messages; the model repeats what
it is shown, as many characters as a capable model writes. Tokens are of the messages and the reply; the schema beside
them is not counted. The calls are those of the life, without what is before it. ``--show`` prints the last request of
each level.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import psycopg

from bench.harness.repeating_model import data_of, repeat_texts
from bench.harness.stage import Stage, stage
from bench.harness.timing import show
from keepsake.domain.summaries.prompt import TASKS, VERSION
from keepsake.infra.clock import Clock
from keepsake.infra.models.chat import LanguageModel, PromptBuilder
from keepsake.infra.models.chat_reply_parser import Answer, Reply
from keepsake.infra.models.token_counter import load_token_counter
from keepsake.infra.resources import Resources
from keepsake.jobs import tasks as _tasks  # noqa: F401 (they are registered)
from keepsake.usecases.chat_send import chat_send
from keepsake.usecases.compare_yearly_patterns import compare_yearly_patterns
from keepsake.usecases.generate_daily_summaries import generate_daily_summaries
from keepsake.usecases.generate_monthly_summaries import generate_monthly_summaries
from keepsake.usecases.generate_weekly_summaries import generate_weekly_summaries
from keepsake.usecases.run_due_jobs import run_due_jobs
from tests.fixtures.resources import use_resources

_MINUTES = 3600.0
_PAUSE = timedelta(minutes=31)
_PERSON = """
insert into public.user_profile_list (id, user_id, is_primary, name, nickname, pronouns, timezone, created_at)
values (%s, %s, true, %s, %s, %s, %s, %s)
"""
_MONTH = """
insert into public.user_memory_monthly_summaries (user_id, profile_id, year, month, emotional_summary,
  cognitive_summary, key_themes, generator) values (%s, %s, %s, %s, %s, %s, %s, 'llm')
"""
_MESSAGE = """
insert into public.messages (id, conversation_id, user_id, role, content, created_at) values (%s, %s, %s, %s, %s, %s)
"""


class _MovedClock(Clock):
    """The moment of the life."""

    at = datetime(2000, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        """That moment."""
        return self.at

    @property
    def is_synchronized(self) -> bool:
        """Nothing is to be asked of the database's clock."""
        return True

    def synchronize(self, database_time: datetime, *, sent_at: float) -> None:
        """The database's time is another one."""


class _RepeatingModel(LanguageModel):
    """A model that writes every field from the texts that it is shown, and notes what each level takes."""

    def begin(self) -> None:
        """Count from here on."""
        self.calls, self.tokens = Counter[str](), Counter[str]()
        self.rules, self.replied = Counter[str](), Counter[str]()
        self.requests: dict[str, Sequence[Mapping[str, str]]] = {}

    async def ask(
        self,
        model: str,  # noqa: ARG002 (the client's)
        messages: PromptBuilder,
        schema: Mapping[str, Any],
        *,
        deadline: float,  # noqa: ARG002
    ) -> Reply:
        """The reply to a request."""
        request, count = messages(schema_in_prompt=False), load_token_counter()
        system = request[0]["content"]
        begun = max((task for task in TASKS if system.startswith(TASKS[task])), key=lambda task: len(TASKS[task]))
        reply = json.dumps(repeat_texts(data_of(request), schema, begun), ensure_ascii=False)
        self.calls[begun] += 1
        self.rules[begun] += count(system)
        self.replied[begun] += count(reply)
        self.tokens[begun] += sum(count(one["content"]) for one in request) + count(reply)
        self.requests[begun] = request
        return Answer(reply, is_truncated=False, usage=None)


@dataclass
class _Life:
    """A person who lives on a stage."""

    on: Stage
    resources: Resources
    clock: _MovedClock
    zone: ZoneInfo
    user: UUID = field(default_factory=uuid4)
    profile: UUID = field(default_factory=uuid4)
    chats: dict[str, UUID] = field(default_factory=dict)

    def write(self, statement: str, *values: object) -> None:
        """Run a statement."""
        with psycopg.connect(self.on.superuser_url, autocommit=True) as connection:
            connection.execute(statement.encode(), values)

    async def live(self, said: Sequence[Sequence[str]], until: date) -> None:
        """Say the messages at their times, to the midnight after a day."""
        at = [datetime.strptime(one[1], "%Y-%m-%d %H:%M").replace(tzinfo=self.zone) for one in said]
        day = at[0].date()
        while day <= until:
            await self._midnight(day)
            today = [(when, one) for when, one in zip(at, said, strict=True) if when.date() == day]
            for number, (when, (chat, _, text, answer)) in enumerate(today):
                self.clock.at = when.astimezone(UTC)
                await self._say(chat, text, answer)
                if number + 1 == len(today) or today[number + 1][0] - when >= _PAUSE:
                    self.clock.at += _PAUSE
                    await run_due_jobs(self.resources, max_seconds=_MINUTES)
                    await generate_daily_summaries(self.resources, max_seconds=_MINUTES)
            day += timedelta(days=1)
        await self._midnight(day)

    async def _say(self, name: str, text: str, answer: str) -> None:
        if name not in self.chats:
            chat = self.chats[name] = uuid4()
            self.write(
                "insert into public.conversations (id, user_id, profile_id, created_at) values (%s, %s, %s, %s)",
                chat, self.user, self.profile, self.clock.at,
            )  # fmt: skip
            remembered = "update public.conversations_participants set remember_since = %s where conversation_id = %s"
            self.write(remembered, self.clock.at - timedelta(minutes=1), chat)
        chat = self.chats[name]
        for author, role, content in ((self.user, "user", text), (None, "assistant", answer)):
            message = uuid4()
            self.write(_MESSAGE, message, chat, author, role, content, self.clock.at)
            await chat_send(self.resources, conversation_id=chat, message_id=message)
            self.clock.at += timedelta(seconds=20)
        await self.resources.queue.run_until_idle(_MINUTES)
        await run_due_jobs(self.resources, max_seconds=_MINUTES)

    async def _midnight(self, day: date) -> None:
        at = datetime(day.year, day.month, day.day, 0, 1, tzinfo=self.zone)
        if at <= self.clock.at:
            return
        for generate in (generate_daily_summaries, generate_weekly_summaries, generate_monthly_summaries):
            self.clock.at = at.astimezone(UTC)
            await generate(self.resources, max_seconds=_MINUTES)
            at += timedelta(minutes=2)
        await run_due_jobs(self.resources, max_seconds=_MINUTES)


async def _run(told: Mapping[str, Any]) -> _RepeatingModel:
    zone, clock = ZoneInfo(told["timezone"]), _MovedClock()
    with stage(0) as on:
        settings = on.settings(
            embedding="off", openai_base_url="http://127.0.0.1:9/v1", openai_summary_model="scripted",
            extractions_per_minute=1000, reading_deadline_seconds=20,
        )  # fmt: skip
        model = _RepeatingModel(base_url=settings.openai_base_url, api_key=None)
        model.begin()
        resources = replace(Resources.build(settings, clock=clock), model=model)
        life = _Life(on, resources, clock, zone)
        began = datetime.strptime(told["before"][0][1], "%Y-%m-%d %H:%M").replace(tzinfo=zone)
        clock.at = (began - timedelta(days=1)).astimezone(UTC)
        life.write("insert into auth.users (id) values (%s)", life.user)
        names = [told[name] for name in ("name", "nickname", "pronouns", "timezone")]
        life.write(_PERSON, life.profile, life.user, *names, clock.at)
        with use_resources(resources):
            try:
                await life.live(told["before"], _next_month(told["before"][-1][1]))
                for row in told["months"]:
                    life.write(_MONTH, life.user, life.profile, *row)
                model.begin()
                await life.live(told["life"], _next_month(told["life"][0][1]) + timedelta(days=5))
                await compare_yearly_patterns(resources, user_id=life.user)
            finally:
                await resources.close()
    return model


def _next_month(time: str) -> date:
    """The first day after the month of a time."""
    first = date.fromisoformat(time[:10]).replace(day=1)
    return (first + timedelta(days=31)).replace(day=1)


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.summaries.calls",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("life", type=Path, help="the file of the life")
    parser.add_argument("--show", action="store_true", help="print the last request of each level")
    given = parser.parse_args()
    logging.disable(logging.INFO)
    model = asyncio.run(_run(json.loads(given.life.read_text(encoding="utf-8"))))
    for task, request in model.requests.items() if given.show else ():
        print(f"== {task}", *(one["content"] for one in request), sep="\n", end="\n\n")
    counted = (model.calls, model.tokens, model.rules, model.replied)
    rows = [(task, *(one[task] for one in counted)) for task, _ in model.calls.most_common()]
    total = ("all", *(one.total() for one in counted))
    show(f"Calls of {VERSION}", ("task", "calls", "tokens", "of them rules", "of them replies"), [*rows, total])


if __name__ == "__main__":
    main()
