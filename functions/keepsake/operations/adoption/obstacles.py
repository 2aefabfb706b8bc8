"""Checks, before anything is written, what Keepsake's migrations and the one of the adoption would fail at."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
from psycopg import sql

from keepsake.errors import Conflict
from keepsake.infra.database.queries import load
from keepsake.infra.package_files import SQL_FOLDER, schema_files
from keepsake.operations.adoption.host_tables import HostTables, qualified
from keepsake.operations.adoption.recognize import ChatTables

_SQL = load("adoption", SQL_FOLDER / "operations")


def require_no_obstacle(connection: psycopg.Connection, found: ChatTables) -> None:
    """Refuse with all that is in the way; what is there of Keepsake already is not."""
    is_installed, is_adopted = connection.execute(_SQL["installed"].sql.encode()).fetchone() or (False, False)
    if is_adopted:
        raise Conflict(
            "The application's chats are copied already.",
            hint="To connect them anew, first run: drop schema chat_copies cascade",
        )
    if not is_installed:
        _check_host(connection)
    if missing := list(_missing_rights(connection, found)):
        raise Conflict(
            "The migration would be refused:\n" + "\n".join(f"  - {one}" for one in missing),
            hint="Run both as the owner of these tables, as `postgres` is in a Supabase project.",
        )


def require_meta(tables: HostTables, found: ChatTables) -> None:
    """Refuse to write ``meta`` where the application's messages have no such column, or no id by which to find them."""
    table = found.message_id.table_name
    column = None if found.history else tables[table].get("meta")
    if column is None or column.type != "jsonb" or found.message_id.type != "uuid":
        raise Conflict(
            f"--write-meta needs a column meta of the type jsonb, and a UUID as the key, in {qualified(table)}.",
            hint="Without the option the ids of an answer's memories are in keepsake.injections alone.",
        )


def describe_policies(connection: psycopg.Connection, found: ChatTables) -> Iterator[str]:
    """What hides rows from a person by columns of which nothing is known here: perhaps marks of what is deleted."""
    marks = (mark.column if mark else None for mark in (found.chat_mark, found.message_mark))
    known = {found.chat_id, found.owner, found.message_id, found.chat, found.role, found.author, *marks}
    names = {(one.table_name, one.column_name) for one in known if one}
    ids = {"chats": found.chat_id} | ({} if found.history else {"messages": found.message_id})
    for what, key in ids.items():
        rows = connection.execute(_SQL["policy_columns"].sql.encode(), {"table": key.quoted_table}).fetchall()
        for (name,) in rows:
            if (key.table_name, name) not in names:
                yield (
                    f"A policy of {qualified(key.table_name)} asks for {name}: rows that it hides are read "
                    f"all the same. If it marks what is deleted: --column {what}.deleted={name}, or {name}=VALUE"
                )


def _check_host(connection: psycopg.Connection) -> None:
    """Run the check with which Keepsake's migrations begin."""
    (check,) = (path for path in schema_files() if path.name == "host_checks.sql")
    try:
        connection.execute(check.read_bytes())
    except psycopg.errors.RaiseException as error:
        raise Conflict(error.diag.message_primary, hint=error.diag.message_hint) from error


def _missing_rights(connection: psycopg.Connection, found: ChatTables) -> Iterator[str]:
    """What the role may not do that the triggers need."""
    columns = (found.chat_id, None if found.history else found.message_id, found.person)
    rights = dict.fromkeys((one.quoted_table for one in columns if one), "SELECT, TRIGGER")
    if found.signs_in_elsewhere:
        rights["auth.users"] = "SELECT, INSERT, DELETE"
        parts = (found.owner.refers_to or "").split(".")
        if len(parts) == 3:
            rights[sql.Identifier(*parts[:2]).as_string()] = "SELECT, TRIGGER"
    for table, names in rights.items():
        for right in names.split(", "):
            arguments = {"table": table, "right": right}
            if connection.execute(_SQL["lacks_right"].sql.encode(), arguments).fetchone() == (True,):
                yield f"the role {connection.info.user} has no right {right} on {table}"
