"""Empties every place where a person's words may lie, and counts what lies there, by one list of statements."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from keepsake.infra import queries
from keepsake.infra.db import Connection

_SQL = queries.load("erasure")

PLACES = (
    "waiting_jobs",
    "running_jobs",
    "deliveries",
    "pending_operations",
    "commands",
    "marks_on_answers",
    "injections",
    "extractions",
    "conversation_summaries",
    "changes",
    "memory_vectors",
    "memory_index",
    "alias_proposals",
    "entities",
    "place_mentions",
    "places",
    "user_memory",
    "answers",
    "titles",
    "messages",
)
"""The places in the order in which they are emptied: what is found by way of another comes before it."""

_STATEMENT = re.compile(
    r"(?:delete from (?P<emptied>[\w.]+) as t"
    r"|update (?P<blanked>[\w.]+) as t\nset (?P<assigned>.+?))\n(?P<condition>where .+)",
    re.DOTALL,
)
_ASSIGNED = re.compile(r"(?:^|,\s+)(\w+) = ")


@dataclass(frozen=True, slots=True)
class Scope:
    """What an erasure takes: everything of a person, or what is named here."""

    user_id: UUID
    now: datetime
    everything: bool = False
    include_messages: bool = False
    memory_ids: Sequence[UUID] = ()
    row_ids: Sequence[UUID] = ()
    message_ids: Sequence[UUID] = ()
    conversation_ids: Sequence[UUID] = ()
    own_conversation_ids: Sequence[UUID] = ()
    change_seqs: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """One place: its table, what of it is made empty (nothing: the row goes), and how it is erased and counted."""

    table: str
    erase: str
    count: str
    columns: tuple[str, ...] = field(default=())

    @property
    def label(self) -> str:
        """How counts name it: a table whose rows go, or a column that is made empty."""
        return f"{self.table}.{self.columns[0]}" if self.columns else self.table


def place(name: str) -> Place:
    """The place of that name in the list; a statement of another form is refused."""
    found = _STATEMENT.fullmatch(_SQL[name].sql)
    if found is None:
        raise ValueError(f"erasure.sql: {name} is no statement that can be counted")
    table = found["emptied"] or found["blanked"]
    columns = tuple(_ASSIGNED.findall(found["assigned"] or ""))
    counted = f"select count(*) as count from {table} as t\n{found['condition']}"  # noqa: S608 (all of it is from the file)
    return Place(table, _SQL[name].sql, counted, columns)


_PLACES = tuple(map(place, PLACES))


async def erase(conn: Connection, scope: Scope) -> dict[str, int]:
    """Empty every place, for good; how many rows each had."""
    await conn.execute(_SQL["begin_erasing"].sql)
    gone: dict[str, int] = {}
    for one in await _here(conn):
        touched = (await conn.execute(one.erase.encode(), _given(scope))).rowcount
        gone[one.label] = gone.get(one.label, 0) + touched
    return gone


async def count(conn: Connection, scope: Scope) -> dict[str, int]:
    """How many rows every place has that ``erase`` would touch."""
    there: dict[str, int] = {}
    for one in await _here(conn):
        row = await (await conn.execute(one.count.encode(), _given(scope))).fetchone()
        there[one.label] = there.get(one.label, 0) + (row["count"] if row else 0)
    return there


def words_elsewhere() -> str:
    """The query that lists the columns without a person's words, and why."""
    return _SQL["words_elsewhere"].sql


async def _here(conn: Connection) -> list[Place]:
    """The places this database has: vectors are optional."""
    rows = await (await conn.execute(_SQL["exists_here"].sql, {"names": [one.table for one in _PLACES]})).fetchall()
    names = {row["name"] for row in rows}
    return [one for one in _PLACES if one.table in names]


def _given(scope: Scope) -> Mapping[str, Any]:
    return {
        "user_id": scope.user_id,
        "now": scope.now,
        "everything": scope.everything,
        "include_messages": scope.include_messages,
        "memory_ids": list(scope.memory_ids),
        "row_ids": list(scope.row_ids),
        "message_ids": list(scope.message_ids),
        "conversation_ids": list(scope.conversation_ids),
        "own_conversation_ids": list(scope.own_conversation_ids),
        "change_seqs": list(scope.change_seqs),
    }
