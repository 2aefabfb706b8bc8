"""Maps what the driver and the job queue raise to Keepsake's own errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from procrastinate import exceptions

from keepsake.errors import DatabaseUnavailable, NotFound, StatementTimeout
from keepsake.infra.logs import log

RETRY_AFTER_SECONDS = 5
"""What callers are told to wait when the database does not answer."""

READ_ONLY = "The database accepts no writes; nothing was written."
READ_ONLY_RETRY_SECONDS = 30
_TIMEOUT_HINT = "Ask for less at once, or raise STATEMENT_TIMEOUT_SECONDS."


@contextmanager
def database_errors() -> Iterator[None]:
    """Raise DatabaseUnavailable where the database is away; an error in the SQL itself passes unchanged.

    A row that refers to one which is deleted at the same time is NotFound, and a statement that takes too long is
    StatementTimeout: the database answers, and the same request may take as long again.
    """
    try:
        yield
    except psycopg.errors.ReadOnlySqlTransaction as error:
        raise DatabaseUnavailable(READ_ONLY, retry_after=READ_ONLY_RETRY_SECONDS) from error
    except psycopg.errors.ForeignKeyViolation as error:
        log.info("what a request is about was deleted", constraint=error.diag.constraint_name)
        raise NotFound("What the request is about was deleted.") from error
    except psycopg.errors.QueryCanceled as error:
        raise StatementTimeout(hint=_TIMEOUT_HINT) from error
    except (psycopg.OperationalError, psycopg.InterfaceError, psycopg.errors.IdleInTransactionSessionTimeout) as error:
        raise DatabaseUnavailable(retry_after=RETRY_AFTER_SECONDS) from error


@contextmanager
def queue_errors() -> Iterator[None]:
    """Raise DatabaseUnavailable where the database is away, also where procrastinate wraps the error."""
    try:
        yield
    except exceptions.ConnectorException as error:
        if isinstance(error.__cause__, psycopg.OperationalError | psycopg.InterfaceError):
            raise DatabaseUnavailable(retry_after=RETRY_AFTER_SECONDS) from error.__cause__
        raise


@contextmanager
def hidden_when_denied() -> Iterator[None]:
    """Treat a table that the host lets people read nothing of like one whose policies hide every row."""
    try:
        yield
    except psycopg.errors.InsufficientPrivilege as error:
        log.warning(
            "people may not select from a table of the host, so they cannot be shown to take part", exc_info=error
        )
        raise NotFound from error
