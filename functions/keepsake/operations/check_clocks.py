"""Compares the clocks of this machine, of the gateway before REST, and of the database."""

from __future__ import annotations

import time
from collections.abc import Iterator
from email.utils import parsedate_to_datetime

import httpx

from keepsake.errors import KeepsakeError
from keepsake.infra.database.queries import load
from keepsake.infra.package_files import SQL_FOLDER
from keepsake.infra.settings import Settings
from keepsake.operations.connection import connect
from keepsake.operations.finding import Finding

_SECONDS = 10
_MAX_DIFFERENCE = 5
"""Seconds; PostgREST refuses a token whose time is further ahead than 30, and some gateways sign one for each call."""

_SQL = load("doctor", SQL_FOLDER / "operations")


def check_clocks(settings: Settings) -> Iterator[Finding]:
    """Say which clock differs from that of this machine; what does not answer is another check's to say."""
    ahead = dict(filter(None, (_read_gateway(settings), _read_database(settings))))
    wrong = {name: seconds for name, seconds in ahead.items() if abs(seconds) > _MAX_DIFFERENCE}
    if wrong:
        parts = [f"that of {name} is {abs(s):.0f} s {'ahead' if s > 0 else 'behind'}" for name, s in wrong.items()]
        remedy = (
            "Set the clocks by NTP: tokens are refused (PGRST303), and messages seem older than their conversations."
        )
        yield Finding("clocks", f"compared with this machine, {' and '.join(parts)}", remedy)
    elif ahead:
        yield Finding("clocks", f"those of {' and '.join(ahead)} agree with this machine's")


def _read_gateway(settings: Settings) -> tuple[str, float] | None:
    began = time.time()
    try:
        response = httpx.get(f"{settings.supabase_url.rstrip('/')}/rest/v1/", timeout=_SECONDS)
        date = parsedate_to_datetime(response.headers["date"])
    except (httpx.HTTPError, KeyError, ValueError):
        return None
    # The header has whole seconds: the middle of the one that it names.
    return "the gateway", _seconds_ahead(date.timestamp() + 0.5, began, slack=0.5)


def _read_database(settings: Settings) -> tuple[str, float] | None:
    try:
        with connect(settings.database_url.get_secret_value()) as connection:
            began = time.time()
            row = connection.execute(_SQL["clock"].sql.encode()).fetchone()
            assert row is not None  # noqa: S101 (a select without a table)
            return "the database", _seconds_ahead(float(row[0]), began)
    except KeepsakeError:
        return None


def _seconds_ahead(theirs: float, began: float, *, slack: float = 0) -> float:
    """How far their clock is ahead for certain: the answer was made at some moment between asking and now."""
    now = time.time()
    if theirs - slack > now:
        return theirs - slack - now
    return min(0.0, theirs + slack - began)
