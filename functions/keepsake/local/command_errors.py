"""Ends a command whose work fails: one line that says what went wrong, never a traceback."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import typer

from keepsake.errors import DatabaseUnavailable, KeepsakeError, MisconfiguredError

INSTALL_LOCAL = "Install it in Keepsake's checkout: pip install '.[local]'"
_HINTS: Mapping[type[KeepsakeError], str] = {
    DatabaseUnavailable: "Is its address right (DATABASE_URL, MIGRATION_DATABASE_URL), and does it let you in?",
    MisconfiguredError: "See .env.example for every setting.",
}
"""What to look at where an error has no hint of its own."""
_LACKS = frozenset({"42P01", "42703", "42883", "3F000"})
"""What Postgres answers where a table, a column, a function or a schema is not there."""


@contextmanager
def reported_errors() -> Iterator[None]:
    """Print an error of the block to standard error, and end the process with 1."""
    try:
        yield
    except KeepsakeError as error:
        _fail(error.message, error.details, error.hint or _HINTS.get(type(error)))
    except ModuleNotFoundError as error:
        _fail(f"This command needs the package {error.name}.", hint=INSTALL_LOCAL)
    except OSError as error:
        _fail(f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}")
    except Exception as error:
        if getattr(error, "sqlstate", None) not in _LACKS:  # of the driver, which is slow to import
            raise
        message = str(error).partition("\n")[0]
        _fail(f"The database is not migrated: {message}.", hint="Run `keepsake migrate`, as its owner.")


def _fail(message: str, details: str | None = None, hint: str | None = None) -> None:
    lines = [f"keepsake: {message}", *(f"  {line}" for line in (details or "").splitlines()), *([hint] if hint else [])]
    typer.echo("\n".join(lines), err=True)
    raise SystemExit(1)
