"""The database goes away, before a request or in the middle of one: 503, nothing half-written, and all well after."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

import httpx
import psycopg
import pytest

from keepsake.infra.readers import Readers
from keepsake.infra.settings import Settings
from tests.acceptance.backend import Answer, Backend, running
from tests.fixtures.clock import FixedClock
from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People
from tests.rest.dump import rows_that_say

LOGIN = "keepsake_api"


@pytest.fixture
def backend(db: Clone, settings: Settings, clock: FixedClock, readers: Readers, tmp_path: Path) -> Iterator[Backend]:
    """A stack that gives up on its database after a second."""
    impatient = settings.model_copy(update={"database_timeout_seconds": 1.0})
    with running(db, impatient, clock, readers, tmp_path) as stack:
        yield stack


@dataclass(frozen=True)
class Chat:
    """Ada, in a conversation in which she is remembered."""

    ada: Account
    id: UUID


@pytest.fixture
def chat(people: People) -> Chat:
    ada = people.person("Ada")
    return Chat(ada, people.conversation(ada))


@pytest.mark.parametrize(
    "function, locked",
    [
        ("extract-user-memory", "select from user_memory_settings for update"),
        ("extract-user-memory", "select from conversations_participants for update"),
        ("extract-user-memory", "select from user_memory where memory_text like '%pizza' for update"),
        ("inject-memory", "lock table keepsake.injections"),
        ("chat-send", "lock table keepsake.procrastinate_jobs"),
        ("conversation-manager", "select from conversations_participants for update"),
    ],
)
def test_cut_in_the_middle_of_a_request__is_503_and_leaves_nothing(
    backend: Backend, db: Clone, chat: Chat, function: str, locked: str
) -> None:
    """The connection dies while the request waits for a lock; afterwards the same request succeeds."""
    backend.says(chat.ada, chat.id, "My favourite food is pizza.")
    db.run("insert into user_memory_settings (user_id) values (%s)", (chat.ada.user_id,))
    message = backend.save(chat.ada, chat.id, "Actually it's ramen.")
    body: Answer = {"conversation_id": str(chat.id), "message_id": str(message)}
    if function == "conversation-manager":
        body = {"conversation_id": str(chat.id), "action": "set_memory_enabled", "memory_enabled": False}
    by = backend.as_person(chat.ada) if function == "conversation-manager" else backend.as_service()
    before = without_claims(db, chat.ada)

    answer = cut_off(db, locked, lambda: by.post(f"/functions/v1/{function}", json=body))
    assert answer.status_code == 503, answer.text
    assert answer.json()["code"] == "database_unavailable"
    assert int(answer.headers["retry-after"]) > 0
    assert without_claims(db, chat.ada) == before
    backend.clock.advance(minutes=3)
    assert by.post(f"/functions/v1/{function}", json=body).is_success
    if function != "conversation-manager":
        backend.run_every_cron()
        assert backend.texts(chat.ada) == ["Favorite food is ramen"]


def test_away__every_function_says_so_and_comes_back_with_it(backend: Backend, db: Clone, chat: Chat) -> None:
    message = backend.save(chat.ada, chat.id, "My favourite food is ramen.")
    turn = {"conversation_id": str(chat.id), "message_id": str(message)}
    requests = {"inject-memory": turn, "chat-send": turn, "extract-user-memory": turn, "run-due-jobs": {}}
    service = backend.as_service()
    with shut(db):
        for function, body in requests.items():
            began = time.monotonic()
            answer = service.post(f"/functions/v1/{function}", json=body)
            assert (answer.status_code, answer.json()["code"]) == (503, "database_unavailable"), answer.text
            assert int(answer.headers["retry-after"]) > 0
            assert time.monotonic() - began < 30
        assert service.get("/functions/v1/health").status_code == 200
        assert service.get("/functions/v1/health", params={"ready": "true"}).status_code == 503
    assert db.value("select count(*) from keepsake.extractions") == 0
    time.sleep(1.5)  # the pool may be waiting to try again, but no longer than a request would
    for function, body in requests.items():
        answer = service.post(f"/functions/v1/{function}", json=body)
        assert answer.is_success, answer.text
    assert backend.texts(chat.ada) == ["Favorite food is ramen"]


def cut_off(db: Clone, locked: str, request: Callable[[], httpx.Response]) -> httpx.Response:
    """Make a request that has to wait for a lock, and end its connection while it waits."""
    with psycopg.connect(db.superuser_url) as holder, ThreadPoolExecutor(1) as pool:
        holder.execute(locked.encode())
        answer = pool.submit(request)
        until = time.monotonic() + 60
        while not terminated(db):
            assert time.monotonic() < until, "the request did not wait for the lock"
            time.sleep(0.02)
        found = answer.result(60)
        holder.rollback()
    return found


def terminated(db: Clone) -> int:
    """End the connections of the functions that wait for a lock; how many there were."""
    waiting = (
        "select pg_terminate_backend(pid) from pg_stat_activity"
        " where datname = %s and usename = %s and wait_event_type = 'Lock'"
    )
    return len(db.all(waiting, (db.name, LOGIN)))


@contextmanager
def shut(db: Clone) -> Iterator[None]:
    """Close the database to everybody, whoever is connected included."""
    closing = f"select pg_terminate_backend(pid) from pg_stat_activity where datname = '{db.name}'"
    db.cluster.run(f"alter database {db.name} allow_connections false", closing)
    try:
        yield
    finally:
        db.cluster.run(f"alter database {db.name} allow_connections true")


def without_claims(db: Clone, person: Account) -> dict[str, list[str]]:
    """Everything there is of a person, but for the claim on a turn and the count of this minute."""
    found = rows_that_say(db, [str(person.user_id)])
    return {name: rows for name, rows in found.items() if name not in {"keepsake.extractions", "keepsake.counters"}}


def test_disk_full__health_says_that_it_cannot_serve(backend: Backend, db: Clone) -> None:
    """No room for files: as on a full disk, what is in free pages may go on, and the next message may be lost."""
    service = backend.as_service()
    assert service.get("/functions/v1/health", params={"ready": "true"}).status_code == 200
    with psycopg.connect(db.superuser_url, autocommit=True) as owner:
        database = owner.info.dbname
        owner.execute(f'alter database "{database}" set temp_file_limit = 0'.encode())
        owner.execute(
            b"select pg_terminate_backend(pid) from pg_stat_activity"
            b" where datname = current_database() and pid <> pg_backend_pid()"
        )
        try:
            answer = service.get("/functions/v1/health", params={"ready": "true"})
            assert answer.status_code == 503
            assert service.get("/functions/v1/health").status_code == 200, "the process itself is well"
        finally:
            owner.execute(f'alter database "{database}" reset temp_file_limit'.encode())
