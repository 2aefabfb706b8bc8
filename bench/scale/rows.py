"""Fills the tables of a database with SQL up to a number of rows: without triggers, and with indexes made last.

Everybody has 1,000 rows in each of the large tables, written in turns with all others of the same step, nine of ten
within the last week: that is what the search for lost webhooks has to pass over. Memories end at a million.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import Any
from uuid import UUID

import psycopg

from bench.harness.stage import Speaker, Stage
from keepsake.infra.database.queries import load

EACH = 1_000
"""Rows of a person in each large table."""
MAX_MEMORIES = 1_000_000
BYTES_A_ROW = 3_300
"""Of disk, for a row of every large table with its indexes and the log of the server."""
LARGE: Mapping[str, Sequence[str]] = {
    "public.messages": ("messages", "long_messages"),
    "keepsake.extractions": ("extractions", "long_extractions"),
    "keepsake.injections": ("injections",),
    "keepsake.changes": ("changes", "creations"),
    "keepsake.counters": ("rates", "numbers"),
    "keepsake.webhook_deliveries": ("deliveries",),
    "keepsake.memory_index": ("words",),
    "keepsake.memories_to_embed": ("to_embed",),
    "keepsake.commands": ("commands",),
    "public.user_memory_sessions": ("sessions",),
    "keepsake.due_conversations": ("due_conversations",),
    "public.user_memory_entities": ("entities",),
}
"""The tables that are filled at once, with the statements that do it."""
BEFORE: Mapping[str, Sequence[str]] = {
    "auth.users": ("users",),
    "public.user_profile_list": ("profiles",),
    "public.user_memory_settings": ("settings",),
    "public.conversations": ("chats",),
    "public.conversations_participants": ("participants",),
    "public.user_memory": ("memories",),
}
"""The tables that are filled before, one after another."""
_OF_MEMORIES = frozenset({"memories", "words", "to_embed", "entities", "creations", "numbers"})
_ONCE = frozenset({"long_messages", "long_extractions"})
QUEUE = {"keepsake.procrastinate_jobs": "jobs", "keepsake.procrastinate_events": "events"}
"""The tables of the queue, which is emptied and filled anew."""
_AT_ONCE = 2
_WHILE_FILLING = {"fsync": "off", "full_page_writes": "off", "autovacuum": "off", "max_wal_size": "4GB"}
_SESSION = {
    "session_replication_role": "replica", "maintenance_work_mem": "1GB", "work_mem": "256MB",
    "synchronous_commit": "off",
}  # fmt: skip
# An index that is not ready takes no new rows, and `reindex` makes it anew from all of them.
_UNREADY = "update pg_index set indisready = false where indrelid = %s::regclass"
_SQL = load("rows", Path(__file__).parent)


class Filling:
    """A database that is filled step by step."""

    def __init__(self, on: Stage) -> None:
        self._on = on
        self.rows = 0
        self._newest: list[Speaker] = []
        self._reported = Lock()
        with self._connect() as connection:
            connection.execute("create schema bench")
            for name in ("id_function", "turns_function", "source", "source_words"):
                connection.execute(_SQL[name].sql.replace("%%", "%").encode())

    def people(self, count: int) -> list[Speaker]:
        """Those people with memories who came last and were not given out before; the first has the long chat."""
        chosen, self._newest = self._newest[-count:], self._newest[:-count]
        return chosen

    @property
    def long_chat(self) -> Speaker:
        """The person with the long conversation, and that conversation."""
        return Speaker(*(_id(kind, 0) for kind in ("user", "profile", "chat")))

    def fill(self, rows: int) -> None:
        """Add people until there are so many rows, and let the server look at what it has."""
        first, last = self.rows // EACH, rows // EACH - 1
        remembered = min(last, MAX_MEMORIES // EACH - 1)
        span = {"from": first, "to": last, "remembered": MAX_MEMORIES // EACH, "is_first": not self.rows}
        with self._settings(), ThreadPoolExecutor(_AT_ONCE) as executor:
            try:
                for table, names in BEFORE.items():
                    self._fill(table, names, span)
                for _ in executor.map(lambda item: self._fill(item[0], item[1], span), LARGE.items()):
                    pass
            except BaseException:
                executor.shutdown(wait=False, cancel_futures=True)
                self._on.server.stop()  # or the statements that run would be waited for
                raise
        self.rows = rows
        self._newest += [Speaker(_id("user", n), _id("profile", n), _id("chat", 10 * n + 9))
                         for n in range(max(first, 1), remembered + 1)]  # fmt: skip

    def fill_queue(self, rows: int) -> None:
        """Let so many jobs wait in the queue, and no others."""
        with self._settings():
            with self._connect() as connection:
                connection.execute(f"truncate {', '.join(QUEUE)}, keepsake.procrastinate_periodic_defers".encode())
            for table, name in QUEUE.items():
                self._fill(table, (name,), {"rows": rows})

    def _fill(self, table: str, names: Sequence[str], span: Mapping[str, Any]) -> None:
        began, wanted = perf_counter(), [name for name in names if _adds(name, span)]
        if not wanted:
            return
        with self._connect() as connection:
            connection.execute(_UNREADY, (table,))
        with self._connect() as connection:  # which reads of the indexes anew
            added = sum(connection.execute(_SQL[name].sql.encode(), _of(name, span)).rowcount for name in wanted)
            connection.execute(f"reindex table {table}".encode())
            connection.execute(f"vacuum (analyze) {table}".encode())
        with self._reported:
            print(f"  {table}: {added:,} rows more, {perf_counter() - began:.0f} s", flush=True)

    @contextmanager
    def _settings(self) -> Iterator[None]:
        """Do not wait for the disk while tables are filled, and do after it."""
        self._set(_WHILE_FILLING)
        try:
            yield
        finally:
            if self._on.server.process is not None:
                with self._connect() as connection:
                    connection.execute("checkpoint")
                self._set(dict.fromkeys(("fsync", "full_page_writes", "max_wal_size")))

    def _set(self, settings: Mapping[str, str | None]) -> None:
        with self._connect() as connection:
            for name, value in settings.items():
                connection.execute(
                    f"alter system {'reset ' + name if value is None else f'set {name} = {value!r}'}".encode()
                )
            connection.execute("select pg_reload_conf()")

    def _connect(self) -> psycopg.Connection[Any]:
        options = " ".join(f"-c {name}={value}" for name, value in _SESSION.items())
        return psycopg.connect(self._on.superuser_url, autocommit=True, options=options)


def _adds(name: str, span: Mapping[str, Any]) -> bool:
    """Whether a statement has rows to add in this step."""
    return (name not in _ONCE or span["is_first"]) and (name in QUEUE.values() or _of(name, span)["to"] >= span["from"])


def _of(name: str, span: Mapping[str, Any]) -> Mapping[str, Any]:
    """The people whom a statement concerns: only some have memories."""
    return {**span, "to": min(span["to"], MAX_MEMORIES // EACH - 1)} if name in _OF_MEMORIES else span


def _id(kind: str, number: int) -> UUID:
    """What ``bench.id`` makes of it."""
    return UUID(hashlib.md5(f"{kind}{number}".encode(), usedforsecurity=False).hexdigest())
