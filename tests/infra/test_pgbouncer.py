"""Behind PgBouncer in transaction mode the functions and the worker do all they do, and leave nothing in a session."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import httpx
import psycopg
import pytest
from pydantic import SecretStr

from keepsake.infra.database import Profile
from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.local.servers.postgrest import PostgREST
from keepsake.local.servers.processes import LOOPBACK
from keepsake.operations.check_services import check_services
from tests.fixtures.db import Clone, clone
from tests.fixtures.pgbouncer import SERVER_CONNECTIONS
from tests.fixtures.resources import worker
from tests.fixtures.scene import Scene
from tests.fixtures.servers import Cluster
from tests.fixtures.tokens import JWT_SECRET, service_token
from tests.http.conftest import Functions, as_person
from tests.rest.gateway import served

AT_ONCE = 24
"""More requests than there are connections of the server."""
_DUE = "select count(*) from keepsake.extractions where status in ('pending', 'claimed')"


@pytest.fixture
def db(cluster: Cluster, template: str) -> Iterator[Clone]:
    """A database of its own: the pooler would keep connections to one that another test uses again."""
    with clone(cluster, template) as copy:
        yield copy


@pytest.fixture
def pooled_url(db: Clone, pgbouncer: int) -> str:
    """How the functions reach the test's database through the pooler."""
    return f"postgresql://keepsake_api@{LOOPBACK}:{pgbouncer}/{db.name}?sslmode=disable&gssencmode=disable"


@pytest.fixture
def settings(settings: Settings, pooled_url: str) -> Settings:
    """The settings of a deployment behind the pooler."""
    return settings.model_copy(update={"database_url": SecretStr(pooled_url)})


@pytest.fixture
async def functions(scene: Scene) -> AsyncIterator[Functions]:
    """All functions, over HTTP."""
    del scene  # whose resources they share
    functions = Functions()
    yield functions
    await functions.close()


async def deliver(functions: Functions, scene: Scene, count: int) -> None:
    """Save messages, and deliver all of them at once."""
    turns = [
        {"conversation_id": str(scene.chat), "message_id": str(scene.says(f"My favourite number is {number}."))}
        for number in range(count)
    ]
    answers = await asyncio.gather(*(functions.call("chat-send", turn) for turn in turns))
    assert [answer.status_code for answer in answers] == [202] * count


async def until_worked_off(db: Clone) -> None:
    """Wait until no turn waits."""
    async with asyncio.timeout(60):
        while db.value(_DUE):  # noqa: ASYNC110 (it is the database that tells)
            await asyncio.sleep(0.1)


async def test_a_conversation__goes_through_every_function(functions: Functions, scene: Scene, db: Clone) -> None:
    person = as_person(scene.ada)
    turn = {"conversation_id": str(scene.chat), "message_id": str(scene.says("My favourite food is ramen."))}
    calls = [
        ("inject-memory", turn, None),
        ("chat-send", turn, None),
        ("extract-user-memory", turn, None),
        ("run-due-jobs", {"max_seconds": 5}, None),
        ("export-memories", {}, person),
        ("erase-memories", {"everything": True, "confirm": "erase"}, person),
        ("archive-old-memories", {}, None),
    ]
    for function, body, headers in calls:
        answer = await (functions.call(function, body, headers=headers) if headers else functions.call(function, body))
        assert answer.is_success, (function, answer.text)
        if function == "export-memories":
            assert "ramen" in answer.text
    assert db.value("select count(*) from user_memory where user_id = %s", (scene.ada.user_id,)) == 0


async def test_a_worker__works_off_what_many_deliver_at_once(
    functions: Functions, scene: Scene, resources: Resources, db: Clone
) -> None:
    async with worker(resources):
        await deliver(functions, scene, AT_ONCE)
        await until_worked_off(db)
    attempts = db.all("select status, attempts from keepsake.extractions")
    assert {(row["status"], row["attempts"]) for row in attempts} == {("extracted", 1)}
    assert len(attempts) == AT_ONCE
    assert db.value("select count(*) from keepsake.procrastinate_jobs where task_name = 'extract_user_memory'") == 0


def _sessions(pooled_url: str) -> dict[int, tuple[object, ...]]:
    """What each connection of the server keeps, by its process."""
    state = (
        "select current_user as role, current_setting('request.jwt.claims', true) as claims,"
        " current_setting('statement_timeout') as timeout, current_setting('plan_cache_mode') as plans,"
        " (select count(*) from pg_prepared_statements) as prepared,"
        " (select count(*) from pg_listening_channels()) as channels,"
        " (select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks,"
        " pg_backend_pid() as pid"
    )
    found = {}
    with ExitStack() as clients:
        for _ in range(SERVER_CONNECTIONS):  # each in a transaction, so each on a connection of its own
            client = clients.enter_context(closing(psycopg.connect(pooled_url, prepare_threshold=None)))
            *kept, pid = client.execute(state.encode()).fetchone() or ()
            found[pid] = tuple(kept)
    return found


async def test_sessions__keep_nothing_of_their_clients(
    functions: Functions, scene: Scene, resources: Resources, db: Clone, pooled_url: str
) -> None:
    """No role, setting, prepared statement, lock or subscription stays on a connection that the next client gets."""
    async with worker(resources):
        await deliver(functions, scene, AT_ONCE)
        for profile in Profile:
            async with resources.database.as_service(profile) as conn:
                await (await conn.execute("select 1")).fetchone()
        await until_worked_off(db)
        found = await asyncio.to_thread(_sessions, pooled_url)  # the worker goes on meanwhile, and gives its own back
    assert len(found) == SERVER_CONNECTIONS
    assert set(found.values()) <= {
        ("keepsake_api", None, "0", "auto", 0, 0, 0),
        ("keepsake_api", "", "0", "auto", 0, 0, 0),
    }


def test_rest__works_behind_it_without_prepared_statements(pooled_url: str, tmp_path: Path) -> None:
    """As `keepsake up --database-url` starts it; many requests at once share the few connections of the server."""
    log = tmp_path / "postgrest.log"
    with (
        PostgREST(pooled_url, jwt_secret=JWT_SECRET, log_file=log, prepares_statements=False) as rest,
        ThreadPoolExecutor(8) as threads,
    ):
        headers = {"authorization": f"Bearer {service_token()}"}
        queries = [f"{rest.url}/user_memory?select=id&limit={limit}" for limit in (1, 2, 3, 4)] * 15
        statuses = list(threads.map(lambda query: httpx.get(query, headers=headers, timeout=60).status_code, queries))
    assert statuses == [200] * len(queries)


def test_doctor__knows_a_rest_server_that_prepares_statements_behind_it(
    db: Clone, settings: Settings, pooled_url: str, tmp_path: Path
) -> None:
    """Its next transaction gets another session, in which nothing was prepared."""
    end_sessions = "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'keepsake_api'"
    end_sessions += " and datname = current_database()"
    with (
        PostgREST(pooled_url, jwt_secret=JWT_SECRET, log_file=tmp_path / "postgrest.log") as rest,
        served(rest.url) as url,
        psycopg.connect(db.owner_url, autocommit=True) as owner,
    ):
        project = settings.model_copy(update={"supabase_url": url, "supabase_jwks_url": None})
        for _ in range(20):
            found = next(check_services(project, None))
            if found.failed:
                break
            owner.execute(end_sessions)
    assert found.failed
    assert found.remedy is not None
    assert "db-prepared-statements" in found.remedy
