"""Checks that memories can come to be: somebody chose a profile, messages name their author, and jobs are run."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import psycopg
from psycopg.rows import scalar_row

from keepsake.errors import KeepsakeError
from keepsake.infra.database.queries import load
from keepsake.infra.package_files import SQL_FOLDER
from keepsake.operations.adoption.chat_counts import describe_counts
from keepsake.operations.connection import connect
from keepsake.operations.finding import Finding
from keepsake.operations.schedule import PERIODIC_FUNCTIONS

_SCHEDULE = "`keepsake schedule` prints the schedule for pg_cron; any other scheduler may call them too."
_MAX_SILENCE = timedelta(minutes=10)
_SQL = load("doctor", SQL_FOLDER / "operations")


def check_use(owner_url: str | None) -> Iterator[Finding]:
    """Check consent, messages and jobs as the owner; a database that is away or not migrated was reported before."""
    if owner_url is None:
        return
    try:
        with connect(owner_url) as connection:
            findings = [
                *_check_choices(connection),
                *_check_copies(connection),
                *_check_messages(connection),
                *_check_jobs(connection),
            ]
    except KeepsakeError:
        return
    yield from findings


def _check_choices(connection: psycopg.Connection) -> Iterator[Finding]:
    people, remembering, others = _read_row(connection, "choices")
    if not people:
        remedy = "Write a primary profile for who agrees; docs/existing-tables.md has the statements."
        yield Finding("consent", "nobody has a primary profile, so nothing is remembered", remedy)
        return
    result = f"{people} people have a primary profile; of the last 7 days {remembering} conversations remember"
    remedy = "" if remembering or not others else "Set profile_id of the conversations of who agreed."
    yield Finding("consent", f"{result}, {others} do not", remedy)


def _check_copies(connection: psycopg.Connection) -> Iterator[Finding]:
    if _read_row(connection, "has_copies") != (True,):
        (unread,) = _read_row(connection, "unread_tables")
        if unread:
            result = f"{' and '.join(unread)} are your application's, and no chat is read there"
            yield Finding("chats", result, "`keepsake adopt` writes what copies them.", failed=True)
        return
    found, readable, without_owner, deleted, without_account, failed = _read_row(connection, "copied_chats")
    skipped = {"no owner": without_owner, "marked as deleted": deleted, "no account in auth.users": without_account}
    skipped["no copy"] = found - readable - sum(skipped.values())
    remedy = "A chat is read where its owner has an account in auth.users." if without_account else ""
    yield Finding("chats", describe_counts(found, skipped), remedy, failed=bool(without_account and not readable))
    if failed:
        remedy = "run-due-jobs copies them again; chat_copies.failures has the errors."
        yield Finding("copies", f"{failed} rows of the application could not be copied", remedy, failed=True)


def _check_messages(connection: psycopg.Connection) -> Iterator[Finding]:
    without_author, without_conversation = _read_row(connection, "unusable_messages")
    if without_author:
        result = f"{without_author} messages of the last 7 days with role 'user' have no user_id, and are not read"
        remedy = "Write the author into messages.user_id, as by the trigger of docs/existing-tables.md."
        yield Finding("messages", result, remedy, failed=True)
    if without_conversation:
        result = f"{without_conversation} messages of the last 7 days have no row in conversations, and are not read"
        remedy = "Copy the chats, as by the triggers of docs/existing-tables.md; `keepsake adopt` writes them."
        yield Finding("messages", result, remedy, failed=True)


def _check_jobs(connection: psycopg.Connection) -> Iterator[Finding]:
    last_run, late, now = _read_row(connection, "jobs")
    is_late = last_run is None or now - last_run > _MAX_SILENCE
    if late and is_late:
        result = f"{late} messages wait, and run-due-jobs {_describe_silence(last_run, now)}"
        yield Finding("jobs", result, f"Call it every minute. {_SCHEDULE}", failed=True)
    elif is_late:
        yield Finding(
            "jobs", f"run-due-jobs {_describe_silence(last_run, now)}", f"Call it every minute. {_SCHEDULE}",
            failed=last_run is not None,
        )  # fmt: skip
    elif late:
        remedy = "Start another `keepsake worker`, and look at the log of what runs the jobs."
        yield Finding("jobs", f"{late} messages wait for more than 10 minutes", remedy)
    else:
        yield Finding("jobs", "run-due-jobs is called, and no message waits")
    if _read_row(connection, "has_cron") == (True,):
        yield from check_schedule(connection)


def check_schedule(connection: psycopg.Connection[Any]) -> Iterator[Finding]:
    """Check that the schedule of pg_cron has every function."""
    statement = _SQL["scheduled_functions"].sql.encode()
    with connection.cursor(row_factory=scalar_row) as cursor:
        found = cursor.execute(statement, {"functions": list(PERIODIC_FUNCTIONS)}).fetchall()
    missing = [name for name in PERIODIC_FUNCTIONS if name not in found]
    if missing:
        yield Finding("schedule", f"pg_cron does not call {', '.join(missing)}", _SCHEDULE)
    else:
        yield Finding("schedule", f"pg_cron calls all {len(PERIODIC_FUNCTIONS)} functions")


def _describe_silence(last_run: datetime | None, now: datetime) -> str:
    if last_run is None:
        return "was never called"
    return f"has not come to its end for {(now - last_run) // timedelta(minutes=1)} minutes"


def _read_row(connection: psycopg.Connection, query: str) -> tuple[Any, ...]:
    return connection.execute(_SQL[query].sql.encode()).fetchone() or ()
