"""The MCP endpoint refuses a request as the functions do: credentials twice, a body that is too slow or too large."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from uuid import uuid4

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from keepsake.endpoints._request_guard import RequestGuard
from keepsake.endpoints.mcp import http_app
from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from tests.fixtures.scene import Scene
from tests.http.conftest import as_person

URL = "http://127.0.0.1:8808/mcp"


@pytest.fixture
async def client(resources: Resources) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the MCP server over this test's database."""
    app = http_app(resources, url=URL)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1:8808") as client:
        yield client


async def test_two_authorization_headers__are_401(client: httpx.AsyncClient, scene: Scene) -> None:
    """Also where the first of them is valid."""
    valid = as_person(scene.ada)["authorization"]
    answer = await client.post("/mcp", json={}, headers=[("authorization", valid), ("authorization", "Bearer x")])
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")


async def test_a_body_that_is_too_large__is_413(client: httpx.AsyncClient, scene: Scene) -> None:
    answer = await client.post("/mcp", content=b" " * (1024 * 1024 + 1), headers=as_person(scene.ada))
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")


async def test_a_body_that_never_ends__is_408(resources: Resources, scene: Scene) -> None:
    app = RequestGuard(http_app(resources, url=URL), seconds=0.2)

    async def trickle() -> AsyncIterator[bytes]:
        yield b"{"
        await asyncio.Event().wait()

    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8808") as client:
        answer = await client.post("/mcp", content=trickle(), headers=as_person(scene.ada))
    assert (answer.status_code, answer.json()["code"]) == (408, "request_timeout")


async def test_sign_in_keys_that_cannot_be_fetched__are_503(settings: Settings) -> None:
    """The token may be valid: whoever throws it away because of a 401 has to sign in again."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    key = ec.generate_private_key(ec.SECP256R1())
    token = jwt.encode({"sub": str(uuid4())}, key, algorithm="ES256", headers={"kid": "one"})
    unreachable = settings.model_copy(update={"supabase_jwks_url": f"http://127.0.0.1:{port}/jwks.json"})
    resources = Resources.build(unreachable)
    try:
        transport = httpx.ASGITransport(http_app(resources, url=URL))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8808") as client:
            answer = await client.post("/mcp", json={}, headers={"authorization": f"Bearer {token}"})
    finally:
        await resources.close()
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "30")
