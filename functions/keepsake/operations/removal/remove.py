"""``keepsake remove``: shows what goes, and takes Keepsake out of a database, or writes the migration that does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import psycopg
from psycopg import sql
from psycopg.rows import class_row

from keepsake.errors import Conflict, NotFound
from keepsake.infra.database.queries import load
from keepsake.infra.package_files import SQL_FOLDER, migration_versions
from keepsake.operations.connection import connect
from keepsake.operations.migrate import ADOPTION
from keepsake.operations.own_tables import PERSONAL

_SQL = load("removal", SQL_FOLDER / "operations")


@dataclass(frozen=True, slots=True)
class Installation:
    """What is installed and remembered in a database."""

    people: int
    memories: int
    summaries: int
    has_copies: bool
    accounts: int
    """Rows of ``auth.users`` that adoption made for people of another sign-in."""
    filled: list[str]
    """Tables of Keepsake that hold the application's own chats, and stay."""

    def lines(self) -> Iterator[str]:
        """What goes, and what stays."""
        yield f"{self.memories} memories and {self.summaries} summaries of {self.people} people go, for good:"
        yield "the schema keepsake, the tables user_memory…, their functions, policies, triggers and jobs of pg_cron."
        if self.has_copies:
            yield "The copies of your chats go, and the triggers on your tables; your tables stay as they are."
        if self.accounts:
            yield f"{self.accounts} rows of auth.users go, which were added for people who sign in elsewhere."
        if self.filled:
            yield f"{', '.join(f'public.{name}' for name in self.filled)} hold your application's chats, and stay."
        yield "Let people export first what is theirs: the function export-memories, or the panel."


def read_installation(owner_url: str) -> Installation:
    """Read what is installed; NotFound where nothing is."""
    with connect(owner_url) as connection:
        if connection.execute("select to_regnamespace('keepsake') is null").fetchone() == (True,):
            raise NotFound("Keepsake is not installed in this database.")
        with connection.cursor(row_factory=class_row(Installation)) as cursor:
            found = cursor.execute(_SQL["installation"].sql.encode()).fetchone()
    if found is None:
        raise NotFound("Keepsake is not installed in this database.")
    return found


def remove(owner_url: str, say: Callable[[str], None]) -> None:
    """Take Keepsake out, in one transaction."""
    with connect(owner_url) as connection:
        connection.add_notice_handler(lambda notice: _say_notice(notice, say))
        versions = [*migration_versions(), *_adopted_versions(connection)]
        with connection.transaction():
            connection.execute("set local lock_timeout = '10s'")
            connection.execute(statements(versions).encode())
    say("Keepsake is removed.")


def write_removal(folder: Path, now: datetime | None = None) -> Path:
    """Write the migration that takes Keepsake out, dated now, for an application that pushes its migrations."""
    version = f"{now or datetime.now(UTC):%Y%m%d%H%M%S}"
    path = folder / f"{version}_remove_keepsake.sql"
    if path.exists():
        raise Conflict(f"{path} is there already.")
    names = (file.name.partition("_") for file in folder.glob("*.sql"))
    adopted = [number for number, _, name in names if name.removesuffix(".sql") == ADOPTION]
    path.write_text(statements([*migration_versions(), *adopted]), encoding="utf-8")
    return path


def statements(versions: list[str]) -> str:
    """The statements that take Keepsake out, with these rows of the history of migrations."""
    source = files("keepsake.operations.removal").joinpath("remove.sql").read_text(encoding="utf-8")
    return source.replace("{versions}", _array(versions)).replace("{tables}", _array(PERSONAL))


def _array(texts: Iterable[str]) -> str:
    return sql.SQL("array[{}]::text[]").format(sql.SQL(", ").join(map(sql.Literal, texts))).as_string()


def _adopted_versions(connection: psycopg.Connection) -> list[str]:
    """The version of the migration that adoption wrote, where the history has it."""
    if connection.execute(_SQL["has_history"].sql.encode()).fetchone() != (True,):
        return []
    rows = connection.execute(_SQL["adopted_versions"].sql.encode(), {"name": ADOPTION}).fetchall()
    return [version for (version,) in rows]


def _say_notice(notice: psycopg.errors.Diagnostic, say: Callable[[str], None]) -> None:
    """Say what the statements leave; that a cascade reaches something is not worth a line."""
    message = notice.message_primary or ""
    if "stays" in message:
        say(message)
