"""The functions as they are deployed: loaded by functions-framework from main.py, and called in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any
from uuid import UUID

import httpx
import pytest
from standardwebhooks.webhooks import Webhook
from starlette.types import ASGIApp

from keepsake.infra.resources import Resources
from keepsake.operations.function_loader import load_functions
from tests.fixtures.people import Account
from tests.fixtures.tokens import SECRET_KEY, WEBHOOK_SECRET, person_token

AS_SERVICE = {"apikey": SECRET_KEY}


def as_person(person: Account | UUID, **claims: Any) -> dict[str, str]:
    """The headers of a browser in which this person is signed in."""
    user_id = person.user_id if isinstance(person, Account) else person
    return {"authorization": f"Bearer {person_token(user_id, **claims)}"}


def signed(body: bytes, *, webhook_id: str = "msg_1", secret: str = WEBHOOK_SECRET) -> dict[str, str]:
    """The headers of a delivery signed just now."""
    now = datetime.now(UTC)
    signature = Webhook(secret).sign(webhook_id, now, body.decode())
    return {
        "webhook-id": webhook_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": signature,
    }


@cache
def deployed() -> Mapping[str, ASGIApp]:
    """Every function by its deployed name."""
    return load_functions()


class Functions:
    """Calls a function over HTTP, with the headers of whoever calls."""

    def __init__(self) -> None:
        self._clients: dict[str, httpx.AsyncClient] = {}

    async def call(self, name: str, body: Any = None, *, headers: Mapping[str, str] = AS_SERVICE) -> httpx.Response:
        """POST a JSON body to a function."""
        return await self.send("POST", name, headers=headers, json=body if body is not None else {})

    async def send(self, method: str, name: str, path: str | None = None, **more: Any) -> httpx.Response:
        """Send any request to a function, under its usual path or another."""
        client = self._clients.setdefault(name, self._client(name))
        return await client.request(method, f"/functions/v1/{name}" if path is None else path, **more)

    async def close(self) -> None:
        """Close every client."""
        for client in self._clients.values():
            await client.aclose()

    def _client(self, name: str) -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=httpx.ASGITransport(deployed()[name]), base_url="http://keepsake")


@pytest.fixture
async def functions(resources: Resources) -> AsyncIterator[Functions]:
    """The functions over this test's database."""
    functions = Functions()
    yield functions
    await functions.close()
