"""A body that does not arrive is not waited for without end, and credentials that are sent twice are refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

import pytest
from starlette.requests import Request

from keepsake.endpoints import _handler, openapi
from keepsake.endpoints._handler import receive_body
from keepsake.errors import RequestTimeout
from keepsake.infra.resources import Resources
from tests.fixtures.resources import use_resources
from tests.fixtures.scene import Scene
from tests.fixtures.tokens import person_token, service_token
from tests.http.conftest import AS_SERVICE, Functions, as_person

TAKES_BODY = [one for one in openapi.declarations() if one.method == "POST"]
PROTECTED = [one for one in openapi.declarations() if one.callers]


@pytest.fixture
def impatient(resources: Resources) -> Iterator[None]:
    """Functions that wait for a body for a tenth of a second."""
    settings = resources.settings.model_copy(update={"body_deadline_seconds": 0.1})
    with use_resources(replace(resources, settings=settings)):
        yield


async def stuck(*pieces: bytes) -> AsyncIterator[bytes]:
    """A body that begins and never ends."""
    for piece in pieces:
        yield piece
    await asyncio.Event().wait()


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("name", [one.name for one in TAKES_BODY])
async def test_a_body_that_does_not_arrive__is_408(functions: Functions, scene: Scene, name: str) -> None:
    headers = as_person(scene.ada) if name in {"import-memories", "export-memories", "erase-memories"} else AS_SERVICE
    for pieces in ((), (b"{",), (b"[", b" ", b" ")):
        answer = await functions.send("POST", name, headers=headers, content=stuck(*pieces))
        assert (answer.status_code, answer.json()["code"]) == (408, "request_timeout")
        assert answer.headers["connection"] == "close"


async def received(*pieces: bytes, seconds: float) -> bytes:
    """A body whose next piece arrives only when the deadline of the one before has passed."""
    pending = list(pieces)

    async def receive() -> dict[str, object]:
        await asyncio.sleep(0.02)
        return {"type": "http.request", "body": pending.pop(0), "more_body": bool(pending)}

    request = Request({"type": "http", "headers": [], "method": "POST"}, receive)
    return b"".join([piece async for piece in receive_body(request, max_bytes=10**8, seconds=seconds)])


async def test_what_has_arrived__extends_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """A large file on a slow line is taken, a trickle is not."""
    monkeypatch.setattr(_handler, "MIN_BYTES_PER_SECOND", 1000)
    whole = [b"x" * 1000] * 8
    assert len(await received(*whole, seconds=0.1)) == 8000
    with pytest.raises(RequestTimeout):
        await received(*[b"x"] * 50, seconds=0.1)


@pytest.mark.parametrize("name", [one.name for one in PROTECTED])
async def test_two_authorizations__are_refused(functions: Functions, scene: Scene, name: str) -> None:
    """Whichever comes first, also twice the same."""
    method = next(one.method for one in PROTECTED if one.name == name)
    ada, ben = (f"Bearer {person_token(one.user_id)}" for one in (scene.ada, scene.people.person("Ben")))
    service = f"Bearer {service_token()}"
    for first, second in ((ada, ben), (ben, ada), (ada, ada), (ada, service), (service, ada), (ada, "")):
        headers = [("authorization", first), ("Authorization", second)]
        answer = await functions.send(method, name, headers=headers, content=b"{}" if method == "POST" else None)
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")


async def test_two_keys__are_refused(functions: Functions, scene: Scene) -> None:
    body = {"conversation_id": str(scene.chat), "message_id": str(scene.says("I live in Graz."))}
    twice = [("apikey", AS_SERVICE["apikey"]), ("apikey", "sb_publishable_x")]
    assert (await functions.send("POST", "inject-memory", headers=twice, json=body)).status_code == 401
    assert (await functions.send("POST", "inject-memory", headers=twice[:1], json=body)).status_code == 200
