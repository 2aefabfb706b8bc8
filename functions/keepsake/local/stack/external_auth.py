"""Supabase Auth as the sign-in of a local stack: where it is, and what verifies the tokens that it issues."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import httpx

from keepsake.errors import MisconfiguredError
from keepsake.project.keys import Keys

_TIMEOUT_SECONDS = 10


@dataclass(frozen=True, slots=True)
class SupabaseAuth:
    """The Auth service of a Supabase project."""

    url: str
    """Up to ``/auth/v1``."""
    publishable_key: str
    jwt_secret: str | None
    """The project's legacy secret, where it signs tokens."""
    key_set: tuple[Mapping[str, Any], ...]
    """The public keys that verify tokens otherwise."""

    @classmethod
    def load(cls, url: str, environment: Mapping[str, str]) -> Self:
        """Read its keys; raise MisconfiguredError where no token could be verified."""
        url, jwt_secret = url.rstrip("/"), environment.get("SUPABASE_JWT_SECRET") or None
        publishable_key = environment.get("SUPABASE_PUBLISHABLE_KEY")
        if not publishable_key:
            raise MisconfiguredError(
                "SUPABASE_PUBLISHABLE_KEY is not set.", hint="Supabase Auth wants it: Project settings, API keys."
            )
        key_set = _fetch_key_set(url, publishable_key)
        if not (jwt_secret or key_set):
            raise MisconfiguredError(
                f"{url} publishes no signing key, and SUPABASE_JWT_SECRET is not set.",
                hint="Set it to the project's legacy JWT secret: Project settings, JWT keys.",
            )
        return cls(url, publishable_key, jwt_secret, key_set)

    def replace_secret(self, keys: Keys) -> Keys:
        """Return the stack's keys as they are where the project's own secret signs, if it has one."""
        return keys.with_jwt_secret(self.jwt_secret) if self.jwt_secret else keys

    def verification_key(self, keys: Keys) -> str:
        """Return what PostgREST verifies tokens with: the secret alone, or a key set with it."""
        if not self.key_set:
            return keys.jwt_secret
        encoded = base64.urlsafe_b64encode(keys.jwt_secret.encode()).rstrip(b"=").decode()
        return json.dumps({"keys": [{"kty": "oct", "k": encoded, "alg": "HS256"}, *self.key_set]})


def _fetch_key_set(url: str, publishable_key: str) -> tuple[Mapping[str, Any], ...]:
    try:
        with httpx.Client(trust_env=False, timeout=_TIMEOUT_SECONDS) as client:
            answer = client.get(f"{url}/.well-known/jwks.json", headers={"apikey": publishable_key})
            answer.raise_for_status()
            return tuple(answer.json()["keys"])
    except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError) as error:
        raise MisconfiguredError(
            f"{url} does not answer as Supabase Auth does ({type(error).__name__}).",
            hint="Its address ends with /auth/v1.",
        ) from error
