"""procrastinate's schema in the private schema: unchanged, complete, and usable by the functions' login alone."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import procrastinate
import psycopg
import pytest

from keepsake.infra.package_files import schema_files
from tests.fixtures.db import Clone

INSTALLED = Path(procrastinate.__file__).parent / "sql" / "schema.sql"


@pytest.fixture
async def app(db: Clone) -> AsyncIterator[procrastinate.App]:
    """A queue that logs in as the functions do."""
    app = procrastinate.App(connector=procrastinate.PsycopgConnector(conninfo=db.api_url))
    async with app.open_async():
        yield app


def test_jobs_schema__is_the_installed_one() -> None:
    """The schema of the very version that is installed is carried word for word."""
    (ours,) = (path for path in schema_files() if path.name == "procrastinate.sql")
    assert INSTALLED.read_text().strip() in ours.read_text()


async def test_jobs_schema__runs_jobs(app: procrastinate.App) -> None:
    """A job is queued, fetched, run and finished by a role that owns nothing."""
    ran: list[int] = []

    @app.task(name="note")
    async def note(number: int) -> None:
        ran.append(number)

    assert await app.check_connection_async()
    await note.defer_async(number=1)
    await note.configure(schedule_in={"seconds": -1}, lock="a", queueing_lock="b").defer_async(number=2)
    await app.run_worker_async(wait=False, install_signal_handlers=False, listen_notify=False)
    assert sorted(ran) == [1, 2]


@pytest.mark.parametrize("role", ["authenticated", "service_role"])
def test_jobs_schema__belongs_to_no_other_role(db: Clone, role: str) -> None:
    """A person, and the service, must step back to the functions' login to queue: nobody queues through REST."""
    with psycopg.connect(db.api_url) as connection:
        connection.execute("select set_config('role', %s, true)", (role,))
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("insert into keepsake.procrastinate_jobs (queue_name, task_name) values ('q', 't')")


def test_functions_role__becomes_two_others_and_inherits_neither(db: Clone) -> None:
    """Logged in it reads nothing of anybody's; it must say for each transaction who it is."""
    assert db.one(
        "select rolsuper, rolbypassrls, rolinherit, rolcreaterole, rolcreatedb from pg_roles"
        " where rolname = 'keepsake_api'"
    ) == dict.fromkeys(["rolsuper", "rolbypassrls", "rolinherit", "rolcreaterole", "rolcreatedb"], False)
    with psycopg.connect(db.api_url) as connection:
        assert connection.execute("show search_path").fetchone() == ("keepsake",)
        for table in ("public.user_memory", "keepsake.extractions", "auth.users"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
                connection.execute(f"select from {table}".encode())
        for role, allowed in [
            ("authenticated", True),
            ("service_role", True),
            ("anon", False),
            ("supabase_owner", False),
        ]:
            if allowed:
                with connection.transaction():
                    connection.execute(f"set local role {role}".encode())
            else:
                with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
                    connection.execute(f"set local role {role}".encode())


def test_schema_files__state_their_grants() -> None:
    """What a file creates in the exposed schema it also closes; private.sql closes the rest. And it has a comment."""
    for file in schema_files():
        ours = file.read_text().replace(INSTALLED.read_text().strip(), "")
        for made in re.findall(r"^ *create (?:function|table) ([\w.]+)", ours, re.MULTILINE):
            is_closed = re.search(rf"revoke all on (?:function )?{re.escape(made)}\b", ours)
            assert is_closed or made.startswith("keepsake."), f"{file.name}: {made}"
            assert re.search(rf"comment on (?:function|table) {re.escape(made)}\b", ours), f"{file.name}: {made}"
