"""A chat backend in Python through ``keepsake_client``, on the whole stack."""

from __future__ import annotations

import ast
import json
import re
import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import pytest

from keepsake_client import KeepsakeClient, KeepsakeRefusal
from tests.acceptance.backend import Backend
from tests.fixtures.people import Account, People
from tests.fixtures.tokens import SECRET_KEY, person_token

CONTRACT_README = Path(__file__).resolve().parents[2] / "frontend_contract" / "README.md"

_RESET = 0
"""The status of a connection that the server resets without an answer."""


@pytest.fixture
def ada(people: People) -> Account:
    return people.person("Ada")


@pytest.fixture
def chat(people: People, ada: Account) -> UUID:
    return people.conversation(ada)


async def test_a_turn__is_remembered_and_its_answer_knows_by_what(backend: Backend, ada: Account, chat: UUID) -> None:
    backend.says(ada, chat, "My favorite food is ramen.")
    question, answer = uuid4(), uuid4()
    async with KeepsakeClient(backend.url, SECRET_KEY) as keepsake:
        await keepsake.save_message(chat, question, "What is my favorite food?", user_id=ada.user_id)
        injection = await keepsake.inject_memory(chat, question)
        assert "ramen" in injection["context"]
        for _ in range(2):
            await keepsake.save_message(chat, answer, "Ramen!")
        linked = await keepsake.record_injection(injection["injection_id"], answer)
        assert linked["memory_ids"] == injection["memory_ids"]
        assert (await keepsake.chat_send(chat, question))["status"] in {"accepted", "ignored"}


async def test_the_readme__shows_a_call_that_works(backend: Backend, ada: Account, chat: UUID) -> None:
    code = re.search(
        r"<!-- python: client -->\n```python\n(.*?)```", CONTRACT_README.read_text(encoding="utf-8"), re.DOTALL
    )
    assert code is not None
    message_id = backend.save(ada, chat, "Hello!")
    names: dict[str, Any] = {
        "url": backend.url,
        "secret_key": SECRET_KEY,
        "conversation_id": chat,
        "message_id": message_id,
    }
    block = eval(compile(code[1], "README", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)  # noqa: S307 (our own)
    await block
    assert names["injection"]["memory_count"] >= 0


async def test_a_person__calls_in_their_own_name(backend: Backend, ada: Account, chat: UUID) -> None:
    async with KeepsakeClient(backend.url, SECRET_KEY) as keepsake:
        body = {"action": "set_memory_enabled", "conversation_id": chat, "memory_enabled": False}
        answer = await keepsake.call("conversation-manager", body, token=person_token(ada.user_id))
        assert answer["memory_enabled"] is False
        with pytest.raises(KeepsakeRefusal) as refused:
            await keepsake.call("conversation-manager", body)
    assert (refused.value.code, refused.value.status) == ("unauthenticated", 401)


async def test_a_function__takes_a_query_and_may_answer_with_text(backend: Backend, ada: Account) -> None:
    async with KeepsakeClient(backend.url, SECRET_KEY) as keepsake:
        table = await keepsake.call_for_text("export-memories", {"format": "csv"}, token=person_token(ada.user_id))
        assert "memory_text" in table.partition("\n")[0]
        with pytest.raises(KeepsakeRefusal) as refused:
            await keepsake.call("generate-daily-summaries", query={"action": "backfill", "date": "yesterday"})
    assert "date" in str(refused.value.details)


async def test_a_refusal__says_what_was_wrong(backend: Backend, chat: UUID) -> None:
    async with KeepsakeClient(backend.url, SECRET_KEY) as keepsake:
        with pytest.raises(KeepsakeRefusal) as refused:
            await keepsake.call("inject-memory", {"conversation_id": chat, "surprise": 1})
    assert (refused.value.code, refused.value.status) == ("invalid_input", 400)
    assert "surprise" in str(refused.value.details)
    assert refused.value.request_id


@contextmanager
def _refusing(
    statuses: list[int], retry_after: str, body: bytes = b'{"code": "retry_later", "message": "Not now."}'
) -> Iterator[tuple[str, list[str]]]:
    """A server that refuses with these statuses, one after another, and then accepts; and the paths it was asked."""
    asked: list[str] = []

    class RefusingHandler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            asked.append(self.path)
            if len(asked) <= len(statuses) and statuses[len(asked) - 1] == _RESET:
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                self.close_connection = True
                return
            self.send_response(statuses[len(asked) - 1] if len(asked) <= len(statuses) else 200)
            self.send_header("content-type", "application/json")
            self.send_header("retry-after", retry_after)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), RefusingHandler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join(10)


@pytest.mark.parametrize(
    "status, code", [(401, "PGRST303"), (502, "bad_gateway"), (504, "gateway_timeout"), (_RESET, "")]
)
async def test_a_fault_of_the_gateway__is_repeated_once(status: int, code: str) -> None:
    """Whatever the retries are, and a message that is saved too."""
    body = json.dumps({"code": code, "message": "JWT issued at future"}).encode()
    message: tuple[UUID, UUID, str] = (uuid4(), uuid4(), "Ramen!")
    with _refusing([status], "0", body) as (url, asked):
        async with KeepsakeClient(url, SECRET_KEY, retries=0) as keepsake:
            began = time.monotonic()
            await keepsake.save_message(*message)
            assert time.monotonic() - began > 0.2
    assert asked == ["/rest/v1/rpc/save_message"] * 2
    with _refusing([status] * 3, "0", body) as (url, asked):
        async with KeepsakeClient(url, SECRET_KEY) as keepsake:
            with pytest.raises((KeepsakeRefusal, httpx.TransportError)):
                await keepsake.save_message(*message)
    assert len(asked) == 2


@pytest.mark.parametrize("status, code", [(401, "PGRST301"), (504, "statement_timeout")])
async def test_a_refusal__that_will_not_pass_is_not_repeated(status: int, code: str) -> None:
    body = json.dumps({"code": code, "message": "No."}).encode()
    with _refusing([status], "0", body) as (url, asked):
        async with KeepsakeClient(url, SECRET_KEY) as keepsake:
            with pytest.raises(KeepsakeRefusal, match=code):
                await keepsake.call("run-due-jobs")
    assert len(asked) == 1


@pytest.mark.parametrize("status", [429, 503])
async def test_a_refusal__that_may_pass_is_tried_again(status: int) -> None:
    with _refusing([status, status], "0") as (url, asked):
        async with KeepsakeClient(url, SECRET_KEY) as keepsake:
            await keepsake.call("run-due-jobs")
    assert asked == ["/functions/v1/run-due-jobs"] * 3


@pytest.mark.parametrize(
    "statuses, retry_after, calls", [([503] * 9, "0", 3), ([429], "900", 1), ([400], "0", 1), ([502] * 3, "0", 2)]
)
async def test_a_refusal__is_raised_where_trying_again_is_no_use(
    statuses: list[int], retry_after: str, calls: int
) -> None:
    with _refusing(statuses, retry_after) as (url, asked):
        async with KeepsakeClient(url, SECRET_KEY) as keepsake:
            with pytest.raises(KeepsakeRefusal, match="retry_later: Not now"):
                await keepsake.call("run-due-jobs")
    assert len(asked) == calls


@pytest.mark.parametrize("status", [200, 400])
@pytest.mark.parametrize("body", [b"<html>Sign in to the network</html>", b"", b"[]", b"\xff"])
async def test_what_is_no_answer_of_keepsake__is_said_to_be_none(status: int, body: bytes) -> None:
    """As the page of a proxy, whatever it says of its kind."""
    with _refusing([status], "0", body) as (url, _):
        async with KeepsakeClient(url, SECRET_KEY) as keepsake:
            with pytest.raises(KeepsakeRefusal) as refused:
                await keepsake.call("run-due-jobs")
    assert (refused.value.code, refused.value.status) == ("unexpected_answer", status)


async def test_keepsake__that_is_away_raises_what_httpx_raises() -> None:
    async with KeepsakeClient("http://127.0.0.1:1", SECRET_KEY) as keepsake:
        with pytest.raises(httpx.ConnectError):
            await keepsake.call("run-due-jobs")
