"""A change that is told by a picture: the doubt, the person's answer, and undo, on a whole stack with its own model."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest

from keepsake.infra.readers import Readers
from keepsake.infra.settings import Settings
from tests.acceptance.backend import Answer, Backend, running
from tests.fixtures.clock import FixedClock
from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People

_TOLD = "handed in my badge this morning"


@pytest.fixture
def ada(people: People) -> Account:
    return people.person("Ada")


@pytest.fixture
def chat(people: People, ada: Account) -> UUID:
    return people.conversation(ada)


@pytest.fixture
def backend(db: Clone, settings: Settings, clock: FixedClock, readers: Readers, tmp_path: Path) -> Iterator[Backend]:
    """A chat backend on a whole stack that embeds in its own process."""
    with running(db, settings.model_copy(update={"embedding": "local"}), clock, readers, tmp_path) as stack:
        yield stack


async def _load_model(backend: Backend) -> None:
    embedder = backend.resources.embedder
    assert embedder is not None
    await embedder.embed([_TOLD], deadline=asyncio.get_running_loop().time() + 60)


def _work(backend: Backend, ada: Account) -> Answer:
    (memory,) = backend.remembered(ada, memory_text="eq.Works at Tesco")
    return memory


@pytest.fixture
def doubted(backend: Backend, ada: Account, chat: UUID) -> Answer:
    """A memory that is in doubt, because a message said without any word for it that it is over."""
    asyncio.run(_load_model(backend))
    backend.says(ada, chat, "I work at Tesco")
    assert _work(backend, ada)["doubted_at"] is None
    backend.says(ada, chat, _TOLD)
    memory = _work(backend, ada)
    assert (memory["status"], memory["doubted_at"] is not None) == ("active", True)
    return memory


def test_doubted__is_in_no_context_unless_it_is_asked_for(
    backend: Backend, ada: Account, chat: UUID, doubted: Answer
) -> None:
    assert "Tesco" not in backend.context(ada, chat, "Good morning!")["context"]
    (line,) = [
        line
        for line in backend.context(ada, chat, "Do I work at Tesco?")["context"].splitlines()
        if doubted["memory_text"] in line
    ]
    assert "may no longer hold" in line


def test_confirmed__the_doubt_is_gone_and_comes_back_by_undo(backend: Backend, ada: Account, doubted: Answer) -> None:
    as_ada = backend.as_person(ada)
    confirmed = as_ada.post("/rest/v1/rpc/confirm_memory", json={"memory_id": doubted["id"]})
    assert confirmed.is_success, confirmed.text
    assert _work(backend, ada)["doubted_at"] is None
    undone = as_ada.post("/rest/v1/rpc/undo_operation", json={"operation_id": confirmed.json()["operation_id"]})
    assert undone.is_success, undone.text
    assert _work(backend, ada)["doubted_at"] is not None


def test_the_message__is_taken_back_with_its_doubt(backend: Backend, ada: Account, chat: UUID, doubted: Answer) -> None:
    message = backend.save(ada, chat, "don't remember this")
    answer = backend.call("inject-memory", {"conversation_id": str(chat), "message_id": str(message)})
    assert answer["command_result"]["status"] == "done"
    assert _work(backend, ada)["doubted_at"] is None
    taken_back = {"operation_id": answer["command_result"]["operation_id"]}
    undone = backend.as_person(ada).post("/rest/v1/rpc/undo_operation", json=taken_back)
    assert undone.is_success, undone.text
    assert _work(backend, ada)["doubted_at"] is not None
