"""Opens a short-lived database connection, and reports failures in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg.conninfo import conninfo_to_dict

from keepsake.errors import Conflict, DatabaseUnavailable, MisconfiguredError


@contextmanager
def connect(url: str) -> Iterator[psycopg.Connection]:
    """Open a connection in autocommit mode, without prepared statements, so that it works behind a pooler."""
    _require_connection_string(url)
    try:
        with psycopg.connect(url, connect_timeout=10, prepare_threshold=None, autocommit=True) as connection:
            yield connection
    except psycopg.OperationalError as error:
        raise DatabaseUnavailable(f"The database does not answer: {first_line(error)}", retry_after=5) from error
    except psycopg.Error as error:
        raise Conflict(f"The database refuses: {first_line(error)}", hint=error.diag.message_hint) from error


def _require_connection_string(url: str) -> None:
    """Refuse what is no address of a database, without repeating it: it may hold a password."""
    try:
        conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        hint = "Write postgresql://user:password@host:5432/postgres; characters such as @ in the password as %40."
        raise MisconfiguredError("The address of the database is not one of Postgres.", hint=hint) from error


def first_line(error: psycopg.Error) -> str:
    """Return the first line of an error's message."""
    return str(error).strip().partition("\n")[0] or type(error).__name__
