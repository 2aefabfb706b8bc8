"""A database to measure on: a server of its own, migrated as any other, and filled as years of use would fill it.

Every person's memories are written over the same two years, one after another as people happen to speak, so that the
rows of one person are as far apart on the disk as they can be. Triggers are off while the rows are copied in; what they
would have kept (numbers, words) is written by the same expressions afterwards.
"""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg

from bench.harness.sayings import PARTS, sentences
from keepsake.infra.settings import Settings
from keepsake.local.servers.create_supabase_roles import OWNER, bootstrap
from keepsake.local.servers.postgres import EmbeddedPostgres
from keepsake.operations.migrate import migrate

SECRET_KEY = "sb_secret_" + "0" * 31
MEMORIES = 1_000
"""Memories of every person, where nothing else is said."""
_SPAN = timedelta(days=730)
_COLUMNS = (
    "id", "user_id", "profile_id", "memory_no", "memory_text", "memory_type", "subtype", "confidence_score",
    "importance", "pinned", "memory_key", "value", "entity_refs", "reference_count", "created_at", "valid_from",
    "last_referenced_at", "updated_at", "source",
)  # fmt: skip


StartServer = Callable[[Path], AbstractContextManager[EmbeddedPostgres]]
"""Starts a server in a folder, with Keepsake in its database."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """A person of the table, their profile, and a conversation in which they are remembered."""

    user_id: UUID
    profile_id: UUID
    conversation_id: UUID


@dataclass(frozen=True, slots=True)
class Stage:
    """The server, how each part logs in, and the people."""

    server: EmbeddedPostgres
    people: Sequence[Speaker]
    rows: int

    @property
    def superuser_url(self) -> str:
        """Who may do anything: for filling and looking."""
        return self.server.url()

    def talk(self, people: Sequence[Speaker], texts: Sequence[str], *, first: bool = False) -> list[tuple[UUID, UUID]]:
        """Save a message for each text, each in a chat of its own, after an answer unless it is to be the first."""
        said = []
        with psycopg.connect(self.superuser_url, autocommit=True) as connection:
            with connection.transaction():
                connection.execute("set local session_replication_role = replica")
                for number, text in enumerate(texts):
                    person, chat = people[number % len(people)], uuid4()
                    who = (chat, person.user_id, person.profile_id)
                    connection.execute(_CHAT, who)
                    connection.execute(_TAKES_PART, who)
                    if not first:
                        connection.execute(_ANSWER, (chat,))
                    row = connection.execute(_SAYS, (chat, person.user_id, text)).fetchone()
                    assert row
                    said.append((chat, row[0]))
            for (table,) in connection.execute(_CHAT_TABLES).fetchall():
                connection.execute(f"vacuum (analyze) {table}".encode())
        return said

    def settings(self, **more: Any) -> Settings:
        """What the functions are told."""
        return Settings.load(
            database_url=self.server.url("keepsake_api"),
            supabase_jwt_secret="0" * 32,
            supabase_secret_key=SECRET_KEY,
            log_level="warning",
            **more,
        )


@contextmanager
def migrated_server(data: Path) -> Iterator[EmbeddedPostgres]:
    """A server of an application without tables of chats, which writes into Keepsake's."""
    with EmbeddedPostgres(data) as server:
        bootstrap(server.url())
        migrate(server.url(OWNER))
        yield server


@contextmanager
def stage(
    rows: int,
    *,
    each: int = MEMORIES,
    folder: Path | None = None,
    seed: int = 1,
    start: StartServer = migrated_server,
) -> Iterator[Stage]:
    """Raise a server with that many memories in all, `each` of every person, and remove it at the end of the block."""
    home = Path(tempfile.mkdtemp(prefix="keepsake-bench-", dir=folder))
    try:
        with start(home / "data") as server:
            people = _people(random.Random(seed), max(1, rows // each))  # noqa: S311 (the same in every run)
            with psycopg.connect(server.url(), autocommit=True) as connection:
                connection.execute("alter role keepsake_api login")
                _fill(connection, people, rows, seed)
            yield Stage(server, people, rows)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _people(dice: random.Random, count: int) -> list[Speaker]:
    def new() -> UUID:
        return UUID(int=dice.getrandbits(128), version=4)

    return [Speaker(new(), new(), new()) for _ in range(count)]


def _fill(connection: psycopg.Connection, people: Sequence[Speaker], rows: int, seed: int) -> None:
    now = datetime.now(UTC)
    with connection.transaction():
        connection.execute("set local session_replication_role = replica")
        _copy(connection, "auth.users (id)", ((p.user_id,) for p in people))
        profiles = ((p.profile_id, p.user_id, "Ada", True) for p in people)
        chats = [(p.conversation_id, p.user_id, p.profile_id, now - _SPAN) for p in people]
        cursor = connection.cursor()
        cursor.executemany(_PROFILE, profiles)
        cursor.executemany(_OLD_CHAT, chats)
        cursor.executemany(_TOOK_PART, chats)
        _copy(connection, f"public.user_memory ({', '.join(_COLUMNS)})", _memories(people, rows, seed, now))
        connection.execute(INDEX_WORDS)
        connection.execute(COUNT_NUMBERS)
        connection.execute(_ENTITIES)
    connection.execute("vacuum (analyze)")
    connection.execute("checkpoint")


# By the names of Keepsake's own: views of its tables in public, or tables with the copies of an application's chats.
_PROFILE = "insert into keepsake_chats.user_profile_list (id, user_id, name, is_primary) values (%s, %s, %s, %s)"
_OLD_CHAT = "insert into keepsake_chats.conversations (id, user_id, profile_id, created_at) values (%s, %s, %s, %s)"
_TOOK_PART = """
insert into keepsake_chats.conversations_participants (conversation_id, user_id, profile_id, remember_since)
values (%s, %s, %s, %s)
"""
_CHAT = "insert into keepsake_chats.conversations (id, user_id, profile_id) values (%s, %s, %s)"
_TAKES_PART = """
insert into keepsake_chats.conversations_participants (conversation_id, user_id, profile_id, remember_since)
values (%s, %s, %s, now())
"""
_ANSWER = "insert into keepsake_chats.messages (conversation_id, role, content) values (%s, 'assistant', 'Hello!')"
_SAYS = """
insert into keepsake_chats.messages (conversation_id, user_id, role, content, created_at)
values (%s, %s, 'user', %s, clock_timestamp()) returning id
"""
_CHAT_TABLES = """
select oid::regclass::text from pg_class
where relnamespace in ('public'::regnamespace, 'keepsake_chats'::regnamespace) and relkind = 'r'
  and relname in ('messages', 'conversations', 'conversations_participants')
"""
INDEX_WORDS = """
insert into keepsake.memory_index (memory_id, user_id, profile_id, lexemes, length)
select m.id, m.user_id, m.profile_id, w.words,
  (select coalesce(sum(cardinality(l.positions)), 0) from unnest(w.words) as l)
from public.user_memory as m
cross join lateral to_tsvector(keepsake.text_search_config(m.language), m.memory_text) as w (words)
"""
COUNT_NUMBERS = """
insert into keepsake.counters (user_id, name, value)
select user_id, 'memory_no', max(memory_no) from public.user_memory group by user_id
"""

_ENTITIES = """
insert into public.user_memory_entities (user_id, profile_id, key, label)
select distinct m.user_id, m.profile_id, r.ref, initcap(split_part(r.ref, ':', 2))
from public.user_memory as m cross join lateral unnest(m.entity_refs) as r (ref) where r.ref <> 'person:self'
"""


def _copy(connection: psycopg.Connection, target: str, rows: Iterator[tuple[Any, ...]] | list[tuple[Any, ...]]) -> None:
    with connection.cursor() as cursor, cursor.copy(f"copy {target} from stdin") as copy:
        for row in rows:
            copy.write_row(row)


def _memories(people: Sequence[Speaker], rows: int, seed: int, now: datetime) -> Iterator[tuple[Any, ...]]:
    """The rows in the order of time: at every step somebody says something."""
    dice = random.Random(seed)  # noqa: S311 (the same in every run)
    numbers = [0] * len(people)
    speakers: list[int] = []
    for step, (kind, subtype, text) in enumerate(islice(sentences(dice), rows)):
        if not speakers:
            speakers = list(range(len(people)))
            dice.shuffle(speakers)
        who = speakers.pop()
        numbers[who] += 1
        created = now - _SPAN * (1 - step / rows)
        used = dice.random() < 0.4
        importance = dice.choices((0, 1, 2, 3), (10, 75, 12, 3))[0]
        keyed = dice.random() < 0.95
        name = next((word.lower() for word in text.split() if word in PARTS["name"]), None)
        yield (
            UUID(int=dice.getrandbits(128), version=4),
            people[who].user_id,
            people[who].profile_id,
            numbers[who],
            text,
            kind,
            subtype,
            dice.randint(400, 1000) / 1000,
            importance,
            importance == 3 and dice.random() < 0.1,
            f"{kind}|person|self|{subtype}|{numbers[who]}" if keyed else None,
            "yes" if keyed else None,
            ["person:self", f"person:{name}"] if name else ["person:self"],
            dice.randint(1, 12) if used else 0,
            created,
            created,
            created + (now - created) * dice.random() if used else None,
            created,
            "rule_extraction",
        )
