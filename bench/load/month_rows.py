"""Fills a database with people whose last month is due, as their chats, memories, days and weeks leave it.

Everybody said twenty things in the month, of which twelve are remembered; a model wrote the days and the weeks. One in
four writes long messages: they are too many for one request, and the month is written from its weeks.
"""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta
from itertools import islice

import psycopg

from bench.harness.sayings import PARTS, sentences
from bench.harness.stage import COUNT_NUMBERS, INDEX_WORDS, Stage
from bench.harness.traffic import statements
from keepsake.domain.summaries.prompt import VERSION

_TEXTS = 400
"""Texts that people share; each adds a sentence of their own."""
_LONG_MESSAGE, _DAY, _WEEK = 40, 3, 10
"""Sentences of a long message, of the summary of a day, and of a week."""

_PEOPLE = """
with people as (insert into auth.users (id) select gen_random_uuid() from generate_series(1, %(count)s) returning id)
insert into keepsake_chats.user_profile_list (id, user_id, name, pronouns, is_primary)
select gen_random_uuid(), id, 'Ada', 'she/her', true from people
"""
_SAID = """
create temporary table said as
select p.user_id, p.profile_id, p.chat, gen_random_uuid() as message, gen_random_uuid() as memory, s.number,
  (7 * p.person + s.number) %% %(texts)s + 1 as text, p.person %% 4 = 0 as is_long,
  format('I went %%s with %%s in %%s.',
    (%(acts)s::text[])[p.person %% 20 + 1], (%(names)s::text[])[p.person / 20 %% 20 + 1],
    (%(places)s::text[])[p.person / 400 %% 20 + 1]) as own,
  %(first)s::date + (s.number - 1) * (%(last)s::date - %(first)s::date) / 19 + interval '12 hours' as moment
from (
  select user_id, id as profile_id, gen_random_uuid() as chat, row_number() over () as person
  from keepsake_chats.user_profile_list
) as p cross join generate_series(1, 20) as s (number)
"""
_CHATS = """
insert into keepsake_chats.conversations (id, user_id, profile_id, created_at)
select chat, user_id, profile_id, min(moment) from said group by 1, 2, 3
"""
_TAKE_PART = """
insert into keepsake_chats.conversations_participants (conversation_id, user_id, profile_id, remember_since)
select chat, user_id, profile_id, min(moment) from said group by 1, 2, 3
"""
_MESSAGES = """
insert into keepsake_chats.messages (id, conversation_id, user_id, role, content, created_at)
select message, chat, user_id, 'user',
  (case when is_long then %(long_messages)s::text[] else %(messages)s::text[] end)[text] || ' ' || own, moment
from said
"""
_MEMORIES = """
insert into public.user_memory (id, user_id, profile_id, memory_no, memory_text, memory_type, subtype, source,
  conversation_id, source_message_id, created_at, valid_from)
select memory, user_id, profile_id, number, (%(memories)s::text[])[text],
  (%(types)s::text[])[text]::public.memory_type, (%(subtypes)s::text[])[text], 'llm_extraction', chat, message, moment,
  moment
from said where number <= 12
"""
_EXTRACTIONS = """
insert into keepsake.extractions (conversation_id, source_message_id, user_id, profile_id, status, generator, attempts,
  results, said_at, created_at, finished_at)
select chat, message, user_id, profile_id, 'extracted', 'llm', 1,
  case when number > 12 then '[]' else jsonb_build_array(jsonb_build_object('action', 'created', 'memory_id', memory))
  end, moment, moment, moment
from said
"""
_DAYS = """
insert into public.user_memory_daily_summaries (user_id, profile_id, summary_date, summary, key_themes, generator,
  prompt_version, conversation_count, source_ids, message_ids, memory_ids)
select user_id, profile_id, moment::date, (%(days)s::text[])[min(text)], '{habits}', 'llm', %(version)s, 1,
  array_agg(message), array_agg(message), coalesce(array_agg(memory) filter (where number <= 12), '{}')
from said group by user_id, profile_id, moment::date
"""
_WEEKS = """
insert into public.user_memory_weekly_summaries (user_id, profile_id, year, week_number, week_start_date, week_end_date,
  emotional_summary, summary, key_themes, generator, prompt_version, conversation_count, source_ids, message_ids,
  memory_ids)
select user_id, profile_id, extract(isoyear from week), extract(week from week), week, week + interval '6 days',
  'Ada felt calm.', (%(weeks)s::text[])[min(text)], '{habits}', 'llm', %(version)s, 1, array_agg(message),
  array_agg(message), coalesce(array_agg(memory) filter (where number <= 12), '{}')
from (select *, date_trunc('week', moment) as week from said) as s group by user_id, profile_id, week
"""
_DUE = """
insert into keepsake.summary_periods (user_id, profile_id, level, first_date, due_at)
select user_id, id, 'month', %(first)s::date, now() - interval '1 minute' from keepsake_chats.user_profile_list
"""


def fill_months(on: Stage, count: int) -> None:
    """Replace the people of the database by so many whose last month is due."""
    last = datetime.now(UTC).date().replace(day=1) - timedelta(days=1)
    values = {"first": last.replace(day=1), "last": last, "count": count, "version": VERSION, **_texts()}
    with psycopg.connect(on.superuser_url, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute("delete from keepsake_chats.user_profile_list")
        for statement in (
            _PEOPLE, _SAID, _CHATS, _TAKE_PART, _MESSAGES, _MEMORIES, _EXTRACTIONS, _DAYS, _WEEKS, _DUE,
        ):  # fmt: skip
            connection.execute(statement.encode(), values)
        for statement in (INDEX_WORDS, COUNT_NUMBERS):
            connection.execute(statement.encode())
        connection.execute("vacuum (analyze)")
        connection.execute("checkpoint")


def _texts() -> dict[str, int | date | str | list[str]]:
    """What is said, remembered and summarized."""
    told = sentences(random.Random(1))  # noqa: S311 (the same in every run)
    types, subtypes, memories = zip(*islice(told, _TEXTS), strict=True)
    said = iter(statements(_TEXTS * (1 + _LONG_MESSAGE)))

    def written(length: int) -> list[str]:
        return [" ".join(f"Ada noted: {text}." for _, _, text in islice(told, length)) for _ in range(_TEXTS)]

    return {
        "texts": _TEXTS,
        "types": list(types),
        "subtypes": list(subtypes),
        "memories": list(memories),
        "messages": list(islice(said, _TEXTS)),
        "long_messages": [" ".join(islice(said, _LONG_MESSAGE)) for _ in range(_TEXTS)],
        "days": written(_DAY),
        "weeks": written(_WEEK),
        "acts": PARTS["act"],
        "names": PARTS["name"],
        "places": PARTS["place"],
    }
