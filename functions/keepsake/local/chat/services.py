"""What the chat page's backend calls: PostgREST and the functions, as the service or as the person."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import httpx
from starlette.types import ASGIApp

from keepsake.errors import DatabaseUnavailable, NotFound
from keepsake.project.keys import Keys

Row = dict[str, Any]
_ORIGIN = "http://keepsake.local"
_NOT_FOUND = frozenset({401, 403, 404})


class Services:
    """Clients for PostgREST and for the functions of this process; the secret key stays here."""

    def __init__(self, rest_url: str, keys: Keys, functions: Mapping[str, ASGIApp]) -> None:
        self._keys = keys
        self._rest = httpx.AsyncClient(base_url=rest_url, trust_env=False, timeout=30)
        self._functions = {
            name: httpx.AsyncClient(transport=httpx.ASGITransport(function), base_url=_ORIGIN, timeout=60)
            for name, function in functions.items()
        }

    async def close(self) -> None:
        """Close the connections."""
        for client in (self._rest, *self._functions.values()):
            await client.aclose()

    async def select(self, table: str, query: Mapping[str, str], *, token: str | None = None) -> list[Row]:
        """Read rows, as the service or with a person's token."""
        answer = await self._rest.get(f"/{table}", params=query, headers=self._bearer(token))
        return _rows(answer)

    async def insert(self, table: str, row: Mapping[str, Any], *, ignore_duplicates: bool = False) -> list[Row]:
        """Insert a row as the service, and return it."""
        resolution = ",resolution=ignore-duplicates" if ignore_duplicates else ""
        headers = self._bearer(None) | {"prefer": f"return=representation{resolution}"}
        return _rows(await self._rest.post(f"/{table}", json=row, headers=headers))

    async def invoke(self, function: str, body: Mapping[str, Any]) -> tuple[int, Row]:
        """Call a function as the service; return status and body."""
        headers = {"apikey": self._keys.secret_key}
        answer = await self._functions[function].post(f"/functions/v1/{function}", json=body, headers=headers)
        try:
            parsed = answer.json()
        except json.JSONDecodeError:
            parsed = None
        return answer.status_code, parsed if isinstance(parsed, dict) else {}

    def _bearer(self, token: str | None) -> dict[str, str]:
        return {"authorization": f"Bearer {token or self._keys.service_role_key}"}


def _rows(answer: httpx.Response) -> list[Row]:
    """Return the rows of an answer; raise NotFound where the caller may not see them."""
    if answer.status_code in _NOT_FOUND:
        raise NotFound("There is no such row, or it is not yours.")
    if answer.is_error:
        raise DatabaseUnavailable("PostgREST refused a request of the chat page.", retry_after=2)
    rows: list[Row] = answer.json()
    return rows
