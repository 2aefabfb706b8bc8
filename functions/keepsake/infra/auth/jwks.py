"""The public keys (JWKS) that verify people's tokens: read from a URL or inline, cached, and kept during an outage."""

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

_CACHE_SECONDS = 600.0
_MIN_REFETCH_SECONDS = 30.0
_FETCH_TIMEOUT = 5.0
_MIN_RSA_BITS = 2048


class KeySet:
    """Finds the key that a token names; an unknown key id refetches the set, at most every 30 seconds.

    Keys older than ten minutes are fetched again in the background: only a token with an unknown key waits for a fetch.
    While fetching fails, an unknown key may be a new one, so nobody is refused for it.
    """

    def __init__(self, *, url: str | None, inline: str | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._url = url
        self._clock = clock
        self._keys = _usable_keys(json.loads(inline)["keys"]) if inline else {}
        self._fetched_at = float("-inf")
        self._attempted_at = float("-inf")
        self._fetching = asyncio.Lock()
        self._background: asyncio.Task[None] | None = None

    async def find(self, kid: object, algorithm: str) -> Any | None:
        """Return the key with that id for that algorithm; raise RetryLater if it is unknown and fetching failed."""
        if self._url and not self._find_cached(kid, algorithm):
            await self._refresh(kid, algorithm)
            if self._fetched_at < self._attempted_at and not self._find_cached(kid, algorithm):
                raise RetryLater("The sign-in keys cannot be reached.", retry_after=int(_MIN_REFETCH_SECONDS))
        elif self._url and self._is_stale() and (self._background is None or self._background.done()):
            self._background = asyncio.create_task(self._refresh(kid, algorithm))
        return self._find_cached(kid, algorithm)

    def _find_cached(self, kid: object, algorithm: str) -> Any | None:
        return self._keys.get((kid, algorithm)) if isinstance(kid, str) else None

    def _is_stale(self) -> bool:
        return self._clock() - self._fetched_at > _CACHE_SECONDS

    async def _refresh(self, kid: object, algorithm: str) -> None:
        """Fetch the keys once for all waiting requests; if that fails, the last keys remain valid."""
        async with self._fetching:
            if self._find_cached(kid, algorithm) and not self._is_stale():
                return
            if self._clock() - self._attempted_at < _MIN_REFETCH_SECONDS:
                return
            self._attempted_at = self._clock()
            keys = await _fetch(str(self._url))
            if keys:
                self._keys, self._fetched_at = keys, self._clock()


async def _fetch(url: str) -> Mapping[tuple[str, str], Any]:
    """Fetch the key set at ``url``; empty if that fails; redirects are not followed."""
    try:
        async with httpx.AsyncClient(timeout=_FETCH_TIMEOUT, follow_redirects=False) as client:
            response = await client.get(url)
            response.raise_for_status()
            return _usable_keys(response.json()["keys"])
    except (httpx.HTTPError, ValueError, KeyError, TypeError) as error:
        log.warning("sign-in keys could not be fetched", exc_info=error)
        return {}


def _usable_keys(keys: Iterable[Any]) -> Mapping[tuple[str, str], Any]:
    """Return the usable signing keys by key id and algorithm; others are skipped."""
    found: dict[tuple[str, str], Any] = {}
    for key in keys:
        algorithm = _algorithm(key) if isinstance(key, dict) else None
        if algorithm is None:
            continue
        try:
            parsed = jwt.PyJWK(key, algorithm=algorithm).key
        except (jwt.PyJWTError, ValueError, TypeError, KeyError):
            continue
        if algorithm == "ES256" or parsed.key_size >= _MIN_RSA_BITS:
            found[key["kid"], algorithm] = parsed
    return found


def _algorithm(key: Mapping[str, Any]) -> str | None:
    """Return the algorithm that a published key may verify, by its type: never HS256, never a private key."""
    if not isinstance(key.get("kid"), str) or key.get("use", "sig") != "sig" or "d" in key:
        return None
    algorithm = "ES256" if (key.get("kty"), key.get("crv")) == ("EC", "P-256") else None
    algorithm = "RS256" if key.get("kty") == "RSA" else algorithm
    return algorithm if key.get("alg", algorithm) == algorithm else None
