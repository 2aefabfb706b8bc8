"""Checks the invariants of the data: of all people where there is little, else of a bounded number of people.

The statement of ``sql/checks/invariants.sql`` names its tables with their schema. For a sample, temporary tables of the
same names hold the rows of the people who are looked at, and take the place of the tables in the statement. What holds,
holds for each person by themselves, so nothing is missed of those who are looked at.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql
from psycopg.rows import scalar_row

from keepsake.infra.database.queries import load
from keepsake.infra.package_files import SQL_FOLDER

INVARIANTS = SQL_FOLDER / "checks" / "invariants.sql"

MAX_MEMORIES = 10_000
"""How many memories are looked at before only some people are."""

_SQL = load("check_data", SQL_FOLDER / "operations")
_TABLE = re.compile(r"\b(?P<schema>public|keepsake)\.(?P<table>[a-z_]+)\b(?!\s*\()")

_COPY = sql.SQL("""
create temporary table {temporary} on commit drop as
select t.* from {original} as t where t.user_id = any(%(people)s)
""")


@dataclass(frozen=True, slots=True)
class DataCheck:
    """The invariants that do not hold, with the number of rows; and of how many people, None where of all."""

    broken: Counter[str]
    people: int | None


def check_invariants(
    connection: psycopg.Connection[Any], *, everybody: bool, max_memories: int = MAX_MEMORIES
) -> DataCheck:
    """Check the invariants in a transaction that is rolled back: of everybody where it is asked for or few enough."""
    statement = INVARIANTS.read_text(encoding="utf-8")
    with connection.transaction(force_rollback=True), connection.cursor(row_factory=scalar_row) as cursor:
        estimate: int = cursor.execute(_text("memories_estimate")).fetchone() or 0
        if everybody or estimate <= max_memories:
            return DataCheck(_broken(cursor, statement), None)
        people = cursor.execute(_text("sample_people"), {"max_memories": max_memories}).fetchall()
        return DataCheck(_broken(cursor, _with_samples(cursor, statement, people)), len(people))


def _broken(cursor: psycopg.Cursor[Any], statement: str) -> Counter[str]:
    return Counter(cursor.execute(statement.encode()))  # the first column is the name of the check


def _with_samples(cursor: psycopg.Cursor[Any], statement: str, people: Sequence[UUID]) -> str:
    """The statement on temporary tables, which are filled with the rows of these people."""
    names = {(match["schema"], match["table"]) for match in _TABLE.finditer(statement)}
    sampled = [(schema, table) for schema, table in sorted(names) if _has_people(cursor, schema, table)]
    for schema, table in sampled:
        temporary, original = sql.Identifier("pg_temp", table), sql.Identifier(schema, table)
        cursor.execute(_COPY.format(temporary=temporary, original=original), {"people": people})
        cursor.execute(sql.SQL("analyze {}").format(temporary))

    def rename(match: re.Match[str]) -> str:
        is_sampled = (match["schema"], match["table"]) in sampled
        return f"pg_temp.{match['table']}" if is_sampled else match[0]

    return _TABLE.sub(rename, statement)


def _has_people(cursor: psycopg.Cursor[Any], schema: str, table: str) -> bool:
    return bool(cursor.execute(_text("has_people"), {"schema": schema, "table": table}).fetchone())


def _text(name: str) -> bytes:
    return _SQL[name].sql.encode()
