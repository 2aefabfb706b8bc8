"""What is busy, locked or read-only in one place leaves the rest to work."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator, MutableMapping
from contextlib import AsyncExitStack, contextmanager
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from keepsake.endpoints import _uploads_and_downloads
from keepsake.endpoints._uploads_and_downloads import ChunkedResponse
from keepsake.errors import DatabaseUnavailable
from keepsake.infra.database import Database, Profile
from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.operations import migrate as migrations
from keepsake.usecases.chat_send import chat_send
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from tests.fixtures.db import Clone
from tests.fixtures.scene import Scene


@pytest.fixture
async def small(settings: Settings) -> AsyncIterator[Database]:
    """A pool of four, one of which is kept for noting messages."""
    database = Database(settings.model_copy(update={"database_pool_size": 4, "database_timeout_seconds": 0.3}))
    yield database
    await database.close()


@contextmanager
def locked(db: Clone, table: str) -> Iterator[None]:
    """Somebody else's lock on a table."""
    with psycopg.connect(db.superuser_url) as connection:
        connection.execute(f"lock table {table} in access exclusive mode".encode())
        yield


async def test_a_full_pool__still_notes_messages(small: Database) -> None:
    async with AsyncExitStack() as stack:
        for _ in range(3):
            await stack.enter_async_context(small.as_service())
        with pytest.raises(DatabaseUnavailable):
            await small.ping()
        async with small.as_service(Profile.RECEIVING) as conn:
            assert await (await conn.execute("select 1 as one")).fetchone() == {"one": 1}
    await small.ping()


async def test_a_locked_table__refuses_readers_soon_and_no_message(scene: Scene, settings: Settings) -> None:
    """Waiting for `user_memory`, injections take no connection from `chat-send`, which does not use it."""
    message = scene.says("I live in Graz.")
    hasty = settings.model_copy(update={"inject_patience_seconds": 0.5, "database_pool_size": 4})
    built = Resources.build(hasty, clock=scene.clock)
    resources = replace(built, readers=scene.resources.readers)
    request = ContextRequest(scene.chat, message_id=message)
    with locked(scene.db, "public.user_memory"):
        waiting = [asyncio.create_task(inject_memory(resources, request)) for _ in range(8)]
        await asyncio.sleep(0.2)
        receipt = await chat_send(resources, conversation_id=scene.chat, message_id=message)
        assert receipt.status == "accepted"
        refused = await asyncio.gather(*waiting, return_exceptions=True)
    assert {type(one) for one in refused} == {DatabaseUnavailable}
    await inject_memory(resources, request)
    await built.database.close()


async def test_read_only__a_context_comes_and_writes_are_refused(scene: Scene, settings: Settings) -> None:
    """As when the disk is full: people are still known, and callers are told to come back."""
    await scene.tell("I live in Graz.")
    message = scene.says("Where do I live?")
    scene.db.run(f"alter database {scene.db.name} set default_transaction_read_only = on")
    scene.db.run("select pg_terminate_backend(pid, 5000) from pg_stat_activity where usename = 'keepsake_api'")
    built = Resources.build(settings, clock=scene.clock)
    resources = replace(built, readers=scene.resources.readers)
    injected = await inject_memory(resources, ContextRequest(scene.chat, message_id=message))
    assert "Graz" in injected.context
    assert injected.injection_id is None
    with pytest.raises(DatabaseUnavailable) as refused:
        await chat_send(resources, conversation_id=scene.chat, message_id=message)
    assert refused.value.retry_after > 0
    with pytest.raises(DatabaseUnavailable, match="no writes"):
        await built.database.ping()
    await built.database.close()


async def test_no_database__a_context_is_refused_within_a_second(settings: Settings) -> None:
    away = settings.model_copy(update={"inject_patience_seconds": 0.2, "database_timeout_seconds": 60.0})
    database = Database(
        away.model_copy(update={"database_url": type(away.database_url)("postgresql://x@127.0.0.1:1/x")})
    )
    async with asyncio.timeout(30):
        with pytest.raises(DatabaseUnavailable):
            async with database.as_service(Profile.HOT):
                pass
    await database.close()


async def test_a_slow_reader__is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who does not read what they asked for keeps no connection."""
    monkeypatch.setattr(_uploads_and_downloads, "CHUNK_SECONDS", 0.1)
    closed = asyncio.Event()

    class Export:
        def __aiter__(self) -> AsyncIterator[bytes]:
            return self._chunks()

        async def _chunks(self) -> AsyncIterator[bytes]:
            for _ in range(10):
                yield b"row"

        async def aclose(self) -> None:
            closed.set()

    async def send(message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.body":
            await asyncio.sleep(3600)

    response = ChunkedResponse(Export(), 200, {}, media_type="application/json", context={})
    with pytest.raises(OSError, match="slowly"):
        await response.stream_response(send)
    assert closed.is_set()


def test_migrate__does_not_wait_behind_an_open_transaction_for_vectors(
    db: Clone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind whom all traffic would wait, too."""
    db.run(
        "drop function keepsake.enable_vectors();"
        " create function keepsake.enable_vectors() returns void language sql as"
        " 'lock table public.user_memory in access exclusive mode'"
    )
    monkeypatch.setattr(migrations, "_LOCK_TIMEOUT", "set local lock_timeout = '200ms'")
    done = threading.Thread(target=migrations.migrate, args=(db.owner_url,), daemon=True)
    with locked(db, "public.user_memory"):
        done.start()
        done.join(30)
        assert not done.is_alive()


def test_migrate__says_that_another_is_at_work(db: Clone) -> None:
    said = threading.Event()
    waiting = threading.Thread(
        target=migrations.migrate, args=(db.owner_url,), kwargs={"on_wait": said.set}, daemon=True
    )
    with psycopg.connect(db.owner_url) as other:
        other.execute("select pg_advisory_xact_lock(hashtext('keepsake.migrate'))")
        waiting.start()
        assert said.wait(30)
    waiting.join(30)
    assert not waiting.is_alive()
