"""The backend that people copy from ``client/examples/fastapi`` answers with memory, and only those who take part."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator

import httpx
import pytest

from keepsake.local.servers.processes import LOOPBACK, free_port
from tests.acceptance.backend import Backend
from tests.acceptance.talk import ANSWER, QUESTION, Talk
from tests.architecture.source import ROOT
from tests.fixtures.model import API_KEY
from tests.fixtures.people import Account, People
from tests.fixtures.tokens import SECRET_KEY, person_token
from tests.model_server.running import ModelServer
from tests.rest.gateway import KEYS
from tests.support.serving import serving

EXAMPLE = ROOT / "frontend_contract" / "client" / "examples" / "fastapi"


@pytest.fixture
def url(backend: Backend, model: ModelServer) -> Iterator[str]:
    """The example as its page starts it, with the settings that its page names."""
    port = free_port()
    environment = {
        "SUPABASE_URL": backend.url,
        "SUPABASE_PUBLISHABLE_KEY": KEYS.publishable_key,
        "SUPABASE_SECRET_KEY": SECRET_KEY,
        "OPENAI_BASE_URL": model.url,
        "OPENAI_API_KEY": API_KEY,
        "OPENAI_MODEL": "scripted",
        "PYTHONPATH": str(ROOT / "frontend_contract" / "python"),
        "PATH": os.environ["PATH"],
    }
    command = [sys.executable, "-m", "uvicorn", "main:app", "--host", LOOPBACK, "--port", str(port)]
    with serving(command, port=port, folder=EXAMPLE, environment=environment) as url:
        yield url


def _ask(url: str, talk: Talk, person: Account) -> httpx.Response:
    headers = {"authorization": f"Bearer {person_token(person.user_id)}"}
    body = {"conversation_id": str(talk.id), "text": QUESTION}
    return httpx.post(f"{url}/chat", json=body, headers=headers, timeout=60)


def test_fastapi__answers_with_memory_those_who_take_part(
    backend: Backend, people: People, model: ModelServer, url: str
) -> None:
    ada, eve = people.person("Ada"), people.person("Eve")
    talk = Talk(backend, ada, people.conversation(ada))
    backend.says(ada, talk.id, "My favorite food is ramen.")
    model.script.always(ANSWER)
    assert _ask(url, talk, eve).status_code == httpx.codes.NOT_FOUND
    assert httpx.post(f"{url}/chat", json={}, headers={"authorization": "none"}).is_client_error
    assert _ask(url, talk, ada).text == ANSWER["content"]
    (asked,) = model.script.chats
    assert "Favorite food is ramen" in asked["messages"][0]["content"]
    _wait_for_link(talk)
    talk.check_turn()


def _wait_for_link(talk: Talk) -> None:
    """What follows an answer is sent after it."""
    patience = time.monotonic() + 60
    while not any((row["meta"] or {}).get("memory_ids") for row in talk.messages()):
        assert time.monotonic() < patience, "the answer was not linked"
        time.sleep(0.05)
