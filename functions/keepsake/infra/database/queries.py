"""Loads the named SQL of ``sql/`` and runs it: one file a store module, one statement a query.

Every parameter is declared by its use, and a call gives exactly those. ``{memory_columns}`` stands for the text of
``sql/fragments/memory_columns.sql``, and ``{memory_columns:m}`` for the same columns of the table ``m``. A name
that has a line of its own stands for the text of its fragment as it is, which may contain others.

A query with the line ``-- table: name`` is a condition on the rows of that table. It becomes a statement that deletes
at most ``max_rows`` of these rows (of a view by its ``-- key: column``), or with ``-- blanks: column, …`` one that sets
these columns of all of them, and a second statement that counts the rows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar

import psycopg
from psycopg import AsyncRawCursor
from psycopg.rows import AsyncRowFactory, dict_row, scalar_row

from keepsake.errors import MisconfiguredError
from keepsake.infra.package_files import SQL_FOLDER

Row = TypeVar("Row")
Answer = AsyncRawCursor
"""The rows of a statement that was sent: they are fetched later."""

_HEADER = re.compile(r"^-- name: (?P<name>[a-z][a-z0-9_]*)$")
_ATTRIBUTE = re.compile(r"^-- (?P<name>table|key|blanks): (?P<value>.+)$")
_PARAMETER = re.compile(r"%\((?P<name>[a-z][a-z0-9_]*)\)s")
_FRAGMENT = re.compile(r"\{(?P<name>[a-z][a-z0-9_]*)(?::(?P<table>[a-z][a-z0-9_]*))?\}")
_FRAGMENT_LINE = re.compile(r"^\{(?P<name>[a-z][a-z0-9_]*)\}(?P<comma>,?)$", re.MULTILINE)
_STRAY = re.compile(r"%(?!\([a-z][a-z0-9_]*\)s)")
_ALMOST_A_HEADER = re.compile(r"^\s*--\s*(?:(?i:name)\s*:|name\b)")
_DELETE_BY_KEY = """\
with batch as materialized (select t.{key} from {table} as t
where {condition}
limit %(max_rows)s)
delete from {table} as t where t.{key} = any(array(select b.{key} from batch as b))"""
_DELETE_BY_PLACE = """\
with batch as materialized (select t.tableoid, t.ctid from {table} as t
where {condition}
limit %(max_rows)s)
delete from {table} as t where t.ctid = any(array(select b.ctid from batch as b))\
 and (t.tableoid, t.ctid) in (select b.tableoid, b.ctid from batch as b)"""
"""The second condition is for a table in parts: rows of two of them can have the same place."""


@dataclass(frozen=True)
class Query:
    """One named statement, with the sentence that says what it is for and the parameters it takes.

    ``rows`` makes rows: ``class_row(SomeClass)`` by the names of columns, ``args_row(function)`` by their order.
    """

    name: str
    purpose: str
    sql: str
    parameters: frozenset[str]
    table: str = ""
    blanks: tuple[str, ...] = ()
    count: Query | None = None

    async def execute(self, conn: psycopg.AsyncConnection[Any], /, **params: Any) -> None:
        """Run it, and wait for no result where the connection is in a pipeline."""
        await self._run(conn, dict_row, params)

    async def send(
        self, conn: psycopg.AsyncConnection[Any], rows: AsyncRowFactory[Row], /, **params: Any
    ) -> AsyncRawCursor[Row]:
        """Run it and fetch later: in a pipeline, its answer then travels with those of the statements after it."""
        return await self._run(conn, rows, params)

    async def affect(self, conn: psycopg.AsyncConnection[Any], /, **params: Any) -> int:
        """Run it; how many rows it changed."""
        return (await self._run(conn, dict_row, params)).rowcount

    async def all(self, conn: psycopg.AsyncConnection[Any], rows: AsyncRowFactory[Row], /, **params: Any) -> list[Row]:
        """Every row."""
        return await (await self._run(conn, rows, params)).fetchall()

    async def one(self, conn: psycopg.AsyncConnection[Any], rows: AsyncRowFactory[Row], /, **params: Any) -> Row | None:
        """The first row; None where there is none."""
        return await (await self._run(conn, rows, params)).fetchone()

    async def single(self, conn: psycopg.AsyncConnection[Any], rows: AsyncRowFactory[Row], /, **params: Any) -> Row:
        """The row of a statement that always gives one."""
        row = await self.one(conn, rows, **params)
        if row is None:
            raise LookupError(f"{self.name} returned no row")
        return row

    async def value(self, conn: psycopg.AsyncConnection[Any], /, **params: Any) -> Any:
        """The first column of the first row; None where there is none."""
        return await self.one(conn, scalar_row, **params)

    async def values(self, conn: psycopg.AsyncConnection[Any], /, **params: Any) -> list[Any]:
        """The first column of every row."""
        return await self.all(conn, scalar_row, **params)

    async def _run(
        self, conn: psycopg.AsyncConnection[Any], rows: AsyncRowFactory[Row], params: Mapping[str, Any]
    ) -> AsyncRawCursor[Row]:
        if params.keys() != self.parameters:
            wrong = ", ".join(sorted(params.keys() ^ self.parameters))
            raise TypeError(f"{self.name}: a parameter is missing or not declared: {wrong}")
        statement, names = self._numbered
        cursor = AsyncRawCursor(conn, row_factory=rows)
        return await cursor.execute(statement, [params[name] for name in names])

    @cached_property
    def _numbered(self) -> tuple[bytes, tuple[str, ...]]:
        """The statement with parameters by number, and their names in that order: what a raw cursor takes as it is.

        psycopg reads a long statement with names anew at each call, which costs a quarter of a millisecond.
        """
        names = tuple(dict.fromkeys(match["name"] for match in _PARAMETER.finditer(self.sql)))
        sql = _PARAMETER.sub(lambda match: f"${names.index(match['name']) + 1}", self.sql)
        return sql.replace("%%", "%").encode(), names


@cache
def load(stem: str, folder: Path = SQL_FOLDER) -> Mapping[str, Query]:
    """The queries of ``sql/<stem>.sql`` by name; a file that breaks the format is refused whole."""
    path = folder / f"{stem}.sql"
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise MisconfiguredError(f"{path} cannot be read: the folder sql is not installed with the code.") from error
    found: dict[str, Query] = {}
    for query in _parse(_with_fragments(text, folder / "fragments"), path.name):
        if query.name in found:
            raise MisconfiguredError(f"{path.name}: two queries are named {query.name}")
        found[query.name] = query
    return found


@cache
def fragment(name: str, folder: Path = SQL_FOLDER / "fragments") -> tuple[str, ...]:
    """The columns that a fragment lists, comments aside; none where there is no such fragment."""
    path = folder / f"{name}.sql"
    if not path.is_file():
        return ()
    lines = (line.partition("--")[0] for line in path.read_text(encoding="utf-8").splitlines())
    return tuple(column for part in " ".join(lines).split(",") if (column := part.strip()))


def _with_fragments(text: str, folder: Path) -> str:
    """The text with fragments written out; braces that name none are SQL's own."""

    def columns(match: re.Match[str]) -> str:
        found = fragment(match["name"], folder)
        table = f"{match['table']}." if match["table"] else ""
        return ", ".join(f"{table}{column}" for column in found) or match[0]

    def full_text(match: re.Match[str]) -> str:
        return (folder / f"{match['name']}.sql").read_text(encoding="utf-8").strip() + match["comma"]

    return _FRAGMENT.sub(columns, _FRAGMENT_LINE.sub(full_text, text))


def _parse(text: str, file: str) -> Iterator[Query]:
    """Cut a file at its headers."""
    name: str | None = None
    lines: list[str] = []
    for line in text.splitlines():
        if header := _HEADER.match(line):
            if name:
                yield _query(name, lines, file)
            name, lines = header["name"], []
        elif _ALMOST_A_HEADER.match(line):
            raise MisconfiguredError(f"{file}: not a header: {line}")
        elif name:
            lines.append(line)
        elif line.strip() and not line.startswith("--"):
            raise MisconfiguredError(f"{file}: a statement stands before the first name")
    if name:
        yield _query(name, lines, file)


def _query(name: str, lines: list[str], file: str) -> Query:
    """One query from the lines under its header: purpose first, then one statement."""
    start = next((i for i, line in enumerate(lines) if not line.startswith("--")), len(lines))
    attributes = {match["name"]: match["value"] for line in lines[:start] if (match := _ATTRIBUTE.match(line))}
    purpose = " ".join(line.removeprefix("--").strip() for line in lines[:start] if not _ATTRIBUTE.match(line))
    body = "\n".join(lines[start:]).strip().removesuffix(";").rstrip()
    if not purpose:
        raise MisconfiguredError(f"{file}: {name} does not say what it is for")
    if not body or ";" in body:
        raise MisconfiguredError(f"{file}: {name} must be exactly one statement")
    if _STRAY.search(body.replace("%%", "")):
        raise MisconfiguredError(f"{file}: {name} has a parameter that is not %(name)s")
    if attributes:
        return _erasing_query(name, purpose, body, attributes, file)
    return Query(name, purpose, body, _parameters(body))


def _erasing_query(name: str, purpose: str, body: str, attributes: Mapping[str, str], file: str) -> Query:
    """The statement that erases the rows of a table that meet a condition, with the one that counts them."""
    table = attributes.get("table", "")
    blanks = tuple(attributes["blanks"].split(", ")) if "blanks" in attributes else ()
    assignments, where, condition = f"\n{body}".partition("\nwhere ")
    if not table or not where or assignments.startswith("\nset ") != bool(blanks) or (assignments and not blanks):
        raise MisconfiguredError(f"{file}: {name} must be a condition on a table, after `set` only where it blanks")
    deletion = _DELETE_BY_KEY if "key" in attributes else _DELETE_BY_PLACE
    deleted = deletion.format(table=table, condition=condition, key=attributes.get("key"))
    sql = f"update {table} as t\n{body}" if blanks else deleted
    counted = f"select count(*) from {table} as t\nwhere {condition}"  # noqa: S608 (all of it is from the file)
    count = Query(f"count_{name}", f"The number of rows of {name}.", counted, _parameters(counted))
    return Query(name, purpose, sql, _parameters(sql), table, blanks, count)


def _parameters(sql: str) -> frozenset[str]:
    return frozenset(match["name"] for match in _PARAMETER.finditer(sql))
