"""Applies ``supabase/migrations`` in order, and keeps the same history as the Supabase CLI, so that either can go on.

The roles and schemas of Supabase itself are not created here: ``bootstrap`` does that, for the embedded server only.
"""

from __future__ import annotations

import contextlib
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg.pq import TransactionStatus

from keepsake.errors import Conflict, KeepsakeError, NotFound
from keepsake.infra.package_files import MIGRATIONS
from keepsake.operations.connection import connect, first_line

_FILE_NAME = re.compile(r"(\d+)_(.*)\.sql")
_BEFORE_FIRST_RELEASE = re.compile(r"2026112100\d{4}|20261121100100")
"""Versions of migrations from before 0.1.0, which were written anew twice; no database of theirs can be upgraded."""
_END_OF_TRANSACTION = re.compile(
    r"^[ \t]{0,20}(commit|rollback|abort)( (work|transaction))? ?;", re.IGNORECASE | re.MULTILINE
)
_NAMED = 3
"""So many migrations are named in a message."""
WAITING = "Another `keepsake migrate` is at work on this database; waiting for it …"
_LOCK_TIMEOUT = "set local lock_timeout = '10s'"  # rather fail than queue the host's traffic behind us
_TRY_LOCK = "select pg_try_advisory_xact_lock(hashtext('keepsake.migrate'))"
_LOCK = "select pg_advisory_xact_lock(hashtext('keepsake.migrate'))"
# As the CLI makes it, but that we ask first: a history which is there may belong to a role that is not ours.
_HISTORY_EXISTS = "select to_regclass('supabase_migrations.schema_migrations') is not null"
_MAKE_HISTORY = """
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.schema_migrations (version text not null primary key);
alter table supabase_migrations.schema_migrations add column if not exists statements text[];
alter table supabase_migrations.schema_migrations add column if not exists name text;
"""
# What the migrations refer to, and only Supabase makes.
_MISSING_FROM_SUPABASE = """
select 'the role ' || name from unnest(array['anon', 'authenticated', 'service_role']) as name
where to_regrole(name) is null
union all select 'the table auth.users' where to_regclass('auth.users') is null
union all select 'the function auth.uid()' where to_regprocedure('auth.uid()') is null
"""
_CAN_ENABLE_VECTORS = "select to_regprocedure('keepsake.enable_vectors()') is not null"
_READ_HISTORY = """
select version from supabase_migrations.schema_migrations as h
where (to_jsonb(h) ->> 'name') is distinct from 'keepsake_copies' order by version
"""
_RECORD = """
insert into supabase_migrations.schema_migrations (version, name, statements) values (%s, %s, %s)
on conflict (version) do update set statements = excluded.statements
"""
_HAS_SCHEMA = "select to_regclass('public.user_memory') is not null and to_regnamespace('keepsake') is not null"
_IS_ADOPTED = "select to_regnamespace('chat_copies') is not null"
ADOPTION = "keepsake_copies"
"""The name of the migration that `keepsake adopt` writes, which is no other application's."""


@dataclass(frozen=True, slots=True)
class Migration:
    """A file of ``supabase/migrations``."""

    version: str
    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class Plan:
    """The applied and the pending migrations of a database, in order."""

    applied: list[Migration]
    pending: list[Migration]
    others: list[str]
    """Versions in the history that are none of these files: the application's own, or a later Keepsake's."""

    def lines(self) -> list[str]:
        """Describe each migration in a line, the pending ones last."""
        return [
            *(f"other    {version}" for version in self.others),
            *(f"applied  {migration.path.name}" for migration in self.applied),
            *(f"pending  {migration.path.name}" for migration in self.pending),
        ]


def plan(owner_url: str, *, directory: Path = MIGRATIONS) -> Plan:
    """Compare the files with the history, without changes; raise ``Conflict`` if they contradict each other."""
    with connect(owner_url) as connection:
        return _plan(connection, directory)


def require_schema(url: str, pending: int = 0) -> None:
    """Raise Conflict where the database lacks Keepsake's tables, or so many migrations."""
    with connect(url) as connection:
        if not pending and connection.execute(_HAS_SCHEMA).fetchone() == (True,):
            return
    raise Conflict(
        f"The database is not migrated{f' ({pending} migrations are missing)' if pending else ''}.",
        hint="Run `keepsake migrate` with MIGRATION_DATABASE_URL set to its owner, then try again.",
    )


def migrate(
    owner_url: str,
    *,
    directory: Path = MIGRATIONS,
    on_progress: Callable[[str], None] = lambda _file: None,
    on_wait: Callable[[], None] = lambda: None,
    on_warning: Callable[[str], None] = lambda _message: None,
) -> list[str]:
    """Apply pending migrations, each in one transaction with its history row, and return their versions.

    A second run at the same time waits for the first and then finds nothing to do.
    """
    applied: list[str] = []
    with connect(owner_url) as connection:
        connection.add_notice_handler(lambda notice: _pass_on(notice, on_warning))
        while True:
            with connection.transaction():
                _lock(connection, on_wait)
                found = _plan(connection, directory)
                if not (pending := found.pending):
                    break
                _require_own_history(found.others, directory)
                on_progress(pending[0].path.name)
                _apply(connection, pending[0])
            applied.append(pending[0].version)
        _enable_vectors(connection)
    return applied


def migrate_also(owner_url: str, path: Path) -> bool:
    """Apply the migration that `keepsake adopt` wrote, and say whether there was anything to do."""
    found = _FILE_NAME.fullmatch(path.name)
    if not path.is_file() or found is None or found[2] != ADOPTION:
        raise NotFound(f"{path} is no file that `keepsake adopt` wrote: …_{ADOPTION}.sql.")
    with connect(owner_url) as connection, connection.transaction():
        connection.execute(_LOCK)
        if connection.execute(_IS_ADOPTED).fetchone() == (True,):
            return False
        _apply(connection, Migration(found[1], found[2], path))
    return True


def copy_to(target: Path, *, directory: Path = MIGRATIONS) -> list[str]:
    """Copy the files that an application's folder of migrations lacks, and return their names."""
    if not target.is_dir():
        raise NotFound(f"{target} is no folder.", hint="Name the folder that holds your application's own migrations.")
    copied = []
    for migration in _files(directory):
        copy = target / migration.path.name
        if not copy.exists():
            shutil.copyfile(migration.path, copy)
            copied.append(copy.name)
    return copied


def _pass_on(notice: psycopg.errors.Diagnostic, say: Callable[[str], None]) -> None:
    if notice.severity_nonlocalized == "WARNING":
        say(notice.message_primary or "")


def _lock(connection: psycopg.Connection, on_wait: Callable[[], None]) -> None:
    """Let one run at a time apply migrations; whoever waits says so."""
    if not (connection.execute(_TRY_LOCK).fetchone() or [False])[0]:
        on_wait()
        connection.execute(_LOCK)


def _enable_vectors(connection: psycopg.Connection) -> None:
    """Create the vector tables if the server has pgvector by now; ``doctor`` reports why not."""
    with contextlib.suppress(psycopg.Error), connection.transaction():
        connection.execute(_LOCK_TIMEOUT)
        if (connection.execute(_CAN_ENABLE_VECTORS).fetchone() or [False])[0]:
            connection.execute("select keepsake.enable_vectors()")


def _apply(connection: psycopg.Connection, migration: Migration) -> None:
    script = migration.path.read_text(encoding="utf-8")
    if _END_OF_TRANSACTION.search(script):
        raise Conflict(f"{migration.path.name} ends the transaction it runs in.")
    if not (connection.execute(_HISTORY_EXISTS).fetchone() or [False])[0]:
        connection.execute(_MAKE_HISTORY)
    connection.execute(_LOCK_TIMEOUT)
    try:
        connection.execute(script.encode())
    except psycopg.Error as error:
        raise _migration_error(migration, script, error) from error
    if connection.info.transaction_status != TransactionStatus.INTRANS:
        raise Conflict(f"{migration.path.name} ended the transaction it ran in.")
    connection.execute(_RECORD, (migration.version, migration.name, [script]))


def _plan(connection: psycopg.Connection, directory: Path) -> Plan:
    if missing := [row[0] for row in connection.execute(_MISSING_FROM_SUPABASE)]:
        lacking = ", ".join(missing)
        raise Conflict(f"This is not the database of a Supabase project, so nothing was changed. It lacks {lacking}.")
    files = _files(directory)
    exists = (connection.execute(_HISTORY_EXISTS).fetchone() or [False])[0]
    history = [str(row[0]) for row in connection.execute(_READ_HISTORY)] if exists else []
    known = {migration.version for migration in files}
    others = [version for version in history if version not in known]
    if old := [version for version in others if _BEFORE_FIRST_RELEASE.fullmatch(version)]:
        raise Conflict(
            f"The database was created before the first release, with {_shorten(old)}; Keepsake's migrations are one "
            "file since, which cannot continue there.",
            hint="Start with a new database, or remove the data folder (.keepsake) of `keepsake up`.",
        )
    applied = [migration for migration in files if migration.version in history]
    pending = [migration for migration in files if migration.version not in history]
    if late := [migration.path.name for migration in pending if applied and migration.version < applied[-1].version]:
        raise Conflict(f"Not applied, though older than the last migration applied: {', '.join(late)}.")
    return Plan(applied, pending, others)


def _require_own_history(others: list[str], directory: Path) -> None:
    """Add nothing to a history that an application's own folder of migrations describes: its next push would fail."""
    if others:
        raise Conflict(
            f"The database has {len(others)} migrations that are not in {directory}: {_shorten(others)}.",
            hint="If they are your application's: `keepsake migrate --copy-to my-app/supabase/migrations`, and then "
            "`supabase db push --include-all` in my-app. If they are of a later Keepsake, use that one.",
        )


def _shorten(versions: list[str]) -> str:
    return ", ".join(versions if len(versions) <= _NAMED else [*versions[:_NAMED], "…"])


def _files(directory: Path) -> list[Migration]:
    matches = ((path, _FILE_NAME.fullmatch(path.name)) for path in sorted(directory.glob("*.sql")))
    found = sorted((Migration(m[1], m[2], path) for path, m in matches if m), key=lambda each: each.version)
    if not found:
        raise Conflict(f"There are no migrations in {directory}.")
    return found


def _migration_error(migration: Migration, script: str, error: psycopg.Error) -> KeepsakeError:
    """Name the file, and the line where Postgres says where the error is."""
    position = error.diag.statement_position
    line = f"line {script.count(chr(10), 0, int(position) - 1) + 1}" if position else None
    details = "\n".join(filter(None, [line, error.diag.message_detail]))
    message = error.diag.message_primary or first_line(error)
    return Conflict(f"{migration.path.name}: {message}", details=details or None, hint=error.diag.message_hint)
