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
ACCOUNT = "auth.users.id"
"""The column of an account of Supabase Auth."""
LOOKED_AT = 10_000
"""Rows whose author is looked at."""


@dataclass(frozen=True, slots=True)
class HostColumn:
    """A column of one of the application's tables."""

    table_name: str
    """With its schema, where this is not ``public``."""
    column_name: str
    type: str
    labels: list[str] = field(default_factory=list, hash=False)
    is_key: bool = False
    is_unique: bool = False
    """Whether no two rows have the same value in it, as in a key."""
    refers_to: str | None = None
    """The column that a foreign key of this column alone names, such as ``auth.users.id``."""
    is_in_split_key: bool = False
    """Whether it is part of a foreign key of several columns."""

    @property
    def quoted_name(self) -> str:
        """The column's name as SQL writes it."""
        return sql.Identifier(self.column_name).as_string()

    @property
    def quoted_table(self) -> str:
        """The table's name as SQL writes it, with its schema."""
        return sql.Identifier(*qualified(self.table_name).split(".", 1)).as_string()

    @property
    def target(self) -> str:
        """The table that the column refers to; empty where it refers to none."""
        return (self.refers_to or "").rpartition(".")[0].removeprefix("public.")


def qualified(table: str) -> str:
    """The name of a table with its schema."""
    return table if "." in table else f"public.{table}"


HostTables = dict[str, dict[str, HostColumn]]
"""The columns of each table, by its name and theirs."""


def read_tables(connection: psycopg.Connection) -> HostTables:
    """Read the application's tables and their columns."""
    tables: HostTables = {}
    with connection.cursor(row_factory=class_row(HostColumn)) as cursor:
        for column in cursor.execute(_SQL["host_columns"].sql.encode()):
            tables.setdefault(column.table_name, {})[column.column_name] = column
    return tables


def read_filled_tables(connection: psycopg.Connection, tables: HostTables) -> set[str]:
    """Read which tables have a row, of those that the caller may read."""
    with connection.cursor(row_factory=scalar_row) as cursor:
        readable = cursor.execute(_SQL["readable_tables"].sql.encode()).fetchall()
        named = [name for name in tables if name in readable]
        return {name for name in named if cursor.execute(_exists(tables[name])).fetchone()}


def read_words(connection: psycopg.Connection, column: HostColumn) -> list[str]:
    """Read the different words in a column: of an enum its labels, else those of some rows."""
    if column.labels:
        return column.labels
    statement = sql.SQL("select distinct w.word from (select {}::text as word from {} limit {}) as w order by 1")
    name, table = sql.SQL(column.quoted_name), sql.SQL(column.quoted_table)
    with connection.cursor(row_factory=scalar_row) as cursor:
        words = cursor.execute(statement.format(name, table, sql.Literal(LOOKED_AT))).fetchall()
    return [word for word in words if word is not None]


def _exists(columns: dict[str, HostColumn]) -> sql.Composed:
    table = next(iter(columns.values())).quoted_table
    return sql.SQL("select exists (select from {})").format(sql.SQL(table))
