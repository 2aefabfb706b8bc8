"""The public keys that sign people's tokens: a JWKS by URL or inline, cached, and kept through an outage."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import httpx
import jwt

from keepsake.errors import RetryLater
from keepsake.infra.logs import log

_FRESH_SECONDS = 600.0
_REFETCH_SECONDS = 30.0
_FETCH_TIMEOUT = 5.0
_SMALLEST_RSA_BITS = 2048


class KeySet:
    """Finds the key a token names; an unknown name refetches, at most once in half a minute."""

    def __init__(self, *, url: str | None, inline: str | None, seconds: Callable[[], float] = time.monotonic) -> None:
        self._url = url
        self._seconds = seconds
        self._keys = _usable(json.loads(inline)["keys"]) if inline else {}
        self._fetched_at = float("-inf")
        self._tried_at = float("-inf")
        self._fetching = asyncio.Lock()

    async def find(self, kid: object, algorithm: str) -> Any | None:
        """The key of that name for that algorithm; RetryLater while none were ever fetched and none can be."""
        if self._url and (self._stale() or not self._known(kid, algorithm)):
            await self._refresh(kid, algorithm)
        return self._known(kid, algorithm)

    def _known(self, kid: object, algorithm: str) -> Any | None:
        return self._keys.get((kid, algorithm)) if isinstance(kid, str) else None

    def _stale(self) -> bool:
        return self._seconds() - self._fetched_at > _FRESH_SECONDS

    async def _refresh(self, kid: object, algorithm: str) -> None:
        """Fetch once for all who wait; between fetches the last good keys stand."""
        async with self._fetching:
            if self._known(kid, algorithm) and not self._stale():
                return None
            if self._seconds() - self._tried_at < _REFETCH_SECONDS:
                return self._need_some()
            self._tried_at = self._seconds()
            keys = await _fetch(str(self._url))
            if keys:
                self._keys, self._fetched_at = keys, self._seconds()
            return self._need_some()

    def _need_some(self) -> None:
        if not self._keys:
            raise RetryLater("The sign-in keys cannot be reached.", retry_after=int(_REFETCH_SECONDS))


async def _fetch(url: str) -> Mapping[tuple[str, str], Any]:
    """The key set at ``url``, or nothing where it cannot be had; redirects are not followed."""
    try:
        async with httpx.AsyncClient(timeout=_FETCH_TIMEOUT, follow_redirects=False) as client:
            response = await client.get(url)
            response.raise_for_status()
            return _usable(response.json()["keys"])
    except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
        log.warning("sign-in keys could not be fetched", exc_info=error)
        return {}


def _usable(keys: Iterable[Any]) -> Mapping[tuple[str, str], Any]:
    """Signing keys by name and the one algorithm their type stands for; others are passed over."""
    found: dict[tuple[str, str], Any] = {}
    for key in keys:
        algorithm = _algorithm(key) if isinstance(key, dict) else None
        if algorithm is None:
            continue
        try:
            parsed = jwt.PyJWK(key, algorithm=algorithm).key
        except (jwt.PyJWTError, ValueError, TypeError, KeyError):
            continue
        if algorithm == "ES256" or parsed.key_size >= _SMALLEST_RSA_BITS:
            found[key["kid"], algorithm] = parsed
    return found


def _algorithm(key: Mapping[str, Any]) -> str | None:
    """What a published key may verify, by its type: never HS256, never a private key's half."""
    if not isinstance(key.get("kid"), str) or key.get("use", "sig") != "sig" or "d" in key:
        return None
    algorithm = "ES256" if (key.get("kty"), key.get("crv")) == ("EC", "P-256") else None
    algorithm = "RS256" if key.get("kty") == "RSA" else algorithm
    return algorithm if key.get("alg", algorithm) == algorithm else None
