"""Prepares the database of a stack: the embedded one is created and migrated, an existing one only checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from psycopg import sql

from keepsake.local.servers.create_supabase_roles import OWNER, REST_ROLE, bootstrap
from keepsake.local.servers.postgres import EmbeddedPostgres
from keepsake.operations.connection import connect
from keepsake.operations.migrate import migrate, plan, require_schema
from keepsake.project.folder import ProjectFolder
from keepsake.project.keys import Keys

FUNCTIONS_ROLE = "keepsake_api"


@dataclass(frozen=True, slots=True)
class StackDatabase:
    """How each part of the stack reaches the database."""

    functions_url: str
    rest_url: str
    owner_url: str
    server: EmbeddedPostgres | None = None

    @property
    def embedded(self) -> bool:
        """Whether the server is ours."""
        return self.server is not None


@contextmanager
def embedded_database(project: ProjectFolder, keys: Keys, say: Callable[[str], None]) -> Iterator[StackDatabase]:
    """The embedded server: made, bootstrapped and migrated as needed, and stopped at the end of the block."""
    is_new = not project.database_dir.exists()
    if is_new:
        say("Making the database (once) …")
    with EmbeddedPostgres(project.database_dir) as server:
        bootstrap(server.url())
        migrate(server.url(OWNER), on_progress=lambda file: None if is_new else say(f"Applying {file}"))
        _enable_api_login(server.url(), keys.functions_password)
        yield StackDatabase(
            functions_url=server.url(FUNCTIONS_ROLE, password=keys.functions_password),
            rest_url=server.url(REST_ROLE),
            owner_url=server.url(OWNER),
            server=server,
        )


@contextmanager
def existing_database(database_url: str, migration_url: str | None) -> Iterator[StackDatabase]:
    """An existing database, unchanged; refused where migrations are missing.

    PostgREST logs in as the functions do: that role may become a person or the service, and can do nothing itself.
    """
    pending = len(plan(migration_url).pending) if migration_url else 0
    require_schema(database_url, pending)
    yield StackDatabase(database_url, database_url, migration_url or database_url)


def _enable_api_login(superuser_url: str, password: str) -> None:
    """Let the functions' role log in, as an operator does on deployment."""
    with connect(superuser_url) as connection:
        connection.execute(
            sql.SQL("alter role {} login password {}").format(sql.Identifier(FUNCTIONS_ROLE), sql.Literal(password))
        )
