"""Reads the application's tables from the catalog, and the words in the column that says who wrote a message."""

from __future__ import annotations

from dataclasses import dataclass, field

import psycopg
from psycopg import sql
from psycopg.rows import class_row, scalar_row

from keepsake.infra.database.queries import load
from keepsake.infra.package_files import SQL_FOLDER

_SQL = load("adoption", SQL_FOLDER / "operations")
MARKS = ("deleted", "is_deleted", "deleted_at", "archived_at", "deletedAt", "isDeleted", "archivedAt")
"""Usual names by which an application marks a row, or an element of JSON, as deleted instead of deleting it."""
LOOKED_AT = 10_000
"""Rows whose author is looked at."""


@dataclass(frozen=True, slots=True)
class HostColumn:
    """A column of a table in the schema ``public``."""

    table_name: str
    column_name: str
    type: str
    labels: list[str] = field(default_factory=list)
    is_key: bool = False
    refers_to: str | None = None
    """The column that a foreign key of this column alone names, such as ``auth.users.id``."""

    @property
    def quoted_name(self) -> str:
        """The column's name as SQL writes it."""
        return sql.Identifier(self.column_name).as_string()

    @property
    def quoted_table(self) -> str:
        """The table's name as SQL writes it."""
        return sql.Identifier(self.table_name).as_string()


HostTables = dict[str, dict[str, HostColumn]]
"""The columns of each table, by its name and theirs."""


def read_tables(connection: psycopg.Connection) -> HostTables:
    """Read the tables of the schema ``public`` and their columns."""
    tables: HostTables = {}
    with connection.cursor(row_factory=class_row(HostColumn)) as cursor:
        for column in cursor.execute(_SQL["host_columns"].sql.encode()):
            tables.setdefault(column.table_name, {})[column.column_name] = column
    return tables


def read_filled_tables(connection: psycopg.Connection, tables: HostTables) -> set[str]:
    """Read which tables have a row, of those that the caller may read."""
    statement = sql.SQL("select exists (select from public.{})")
    with connection.cursor(row_factory=scalar_row) as cursor:
        readable = cursor.execute(_SQL["readable_tables"].sql.encode()).fetchall()
        named = [name for name in tables if name in readable]
        return {name for name in named if cursor.execute(statement.format(sql.Identifier(name))).fetchone()}


def read_words(connection: psycopg.Connection, column: HostColumn) -> list[str]:
    """Read the different words in a column: of an enum its labels, else those of some rows."""
    if column.labels:
        return column.labels
    statement = sql.SQL("select distinct w.word from (select {}::text as word from public.{} limit {}) as w order by 1")
    name, table = sql.Identifier(column.column_name), sql.Identifier(column.table_name)
    with connection.cursor(row_factory=scalar_row) as cursor:
        words = cursor.execute(statement.format(name, table, sql.Literal(LOOKED_AT))).fetchall()
    return [word for word in words if word is not None]
