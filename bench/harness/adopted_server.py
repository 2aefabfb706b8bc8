"""A server with an application's own chats, of one of the layouts of the tests, which has adopted Keepsake."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

from keepsake.local.servers.create_supabase_roles import bootstrap
from keepsake.local.servers.postgres import EmbeddedPostgres
from tests.fixtures.db import Clone
from tests.fixtures.servers import Cluster
from tests.operations.layouts import CHATBOT_UI, Layout
from tests.operations.test_adopt import adopted, run


@contextmanager
def adopted_server(layout: Layout, *, folder: Path | None = None) -> Iterator[tuple[EmbeddedPostgres, Clone]]:
    """Make the application's tables and adopt; the server is removed at the end of the block."""
    home = Path(tempfile.mkdtemp(prefix="keepsake-bench-", dir=folder))
    try:
        with adopted_database(home / "data", layout) as adopted_one:
            yield adopted_one
    finally:
        shutil.rmtree(home, ignore_errors=True)


@contextmanager
def adopted_database(data: Path, layout: Layout) -> Iterator[tuple[EmbeddedPostgres, Clone]]:
    """The same in a folder of the database that stays."""
    with EmbeddedPostgres(data) as server, tempfile.TemporaryDirectory() as written:
        bootstrap(server.url())
        db = Clone(Cluster(16, str(conninfo_to_dict(server.url())["host"])), "postgres")
        run(db, layout.tables)
        adopted(db, Path(written), layout.known)
        run(db, "alter role keepsake_api login")
        yield server, db


@contextmanager
def conforming_server(data: Path) -> Iterator[EmbeddedPostgres]:
    """The server alone, of an application whose tables have the same types as Keepsake's, and people of auth.users."""
    with adopted_database(data, CHATBOT_UI) as (server, _):
        yield server
