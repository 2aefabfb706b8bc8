"""Authenticates callers: verifies secret keys, JWTs and webhooks, and returns a person or a service.

What a token may claim follows from the key that signed it: only the project's own HS256 secret can make a service,
and asymmetric keys make people. Algorithm, issuer, audience, role and a UUID subject are pinned.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

import jwt
import jwt.types

from keepsake.errors import Unauthenticated
from keepsake.identity import Caller, Identity, Person, Service
from keepsake.infra.auth.jwks import KeySet
from keepsake.infra.auth.webhooks import WebhookVerifier
from keepsake.infra.setting_checks import SECRET_KEY_PREFIX
from keepsake.infra.settings import Settings

_MAX_TOKEN_LENGTH = 16_384
_LEEWAY_SECONDS = 30
"""How far the clocks of who signs and who verifies may differ; PostgREST has the same, so both take the same tokens."""
_LEGACY_ISSUERS = frozenset({"supabase", "supabase-demo"})
_ASYMMETRIC = frozenset({"ES256", "RS256"})
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")
_REFUSAL_MESSAGE = "The credentials are missing or not valid."
_EXPIRED = "The token has expired. Renew the session, or sign in again."
_HINTS = {
    Caller.SERVICE: "Send a person's token: Authorization: Bearer … as Supabase Auth gives it.",
    Caller.PERSON: "Send the project's secret key as the header apikey, from a server only.",
}
"""What to send instead, by who was turned away."""


class Authenticator:
    """Authenticates requests by their headers, and deliveries of webhooks by their signatures."""

    def __init__(self, settings: Settings) -> None:
        secret = settings.supabase_jwt_secret
        self._secret = secret.get_secret_value() if secret else None
        self._secret_keys = tuple(key.encode() for key in settings.secret_keys)
        self._issuer = settings.issuer
        self._audience = settings.supabase_jwt_audience
        self._webhooks = WebhookVerifier(settings.webhook_keys)
        self._key_set = KeySet(url=settings.supabase_jwks_url, inline=settings.supabase_jwks)

    async def authenticate(
        self, allowed: Collection[Caller], headers: Mapping[str, str], body: bytes
    ) -> Identity | None:
        """The caller, or Unauthenticated where this kind of caller is not allowed; None for a public function."""
        if not allowed:
            return None
        if Caller.WEBHOOK in allowed and "webhook-signature" in headers:
            return Service(webhook_id=self._webhooks.verify(body, headers))
        if not any(headers.get(name, "").strip() for name in ("apikey", "authorization")):
            raise Unauthenticated(_REFUSAL_MESSAGE, hint=_what_to_send(allowed))
        try:
            identity = await self.identify(headers)
        except Unauthenticated as error:
            raise Unauthenticated(error.message, hint=error.hint or _what_to_send(allowed)) from None
        kind = Caller.PERSON if isinstance(identity, Person) else Caller.SERVICE
        if kind not in allowed:
            raise Unauthenticated(f"This function is not for a {kind}.", hint=_HINTS.get(kind))
        return identity

    async def identify(self, headers: Mapping[str, str]) -> Identity:
        """Authenticate the caller; a bearer token takes precedence over the ``apikey`` header."""
        api_key = headers.get("apikey", "").strip()
        bearer = _bearer(headers.get("authorization", ""))
        credential = bearer or api_key
        if not credential or len(credential) > _MAX_TOKEN_LENGTH:
            raise Unauthenticated(_REFUSAL_MESSAGE)
        if credential.startswith(SECRET_KEY_PREFIX):
            return self._service_of_key(credential)
        return await self._identity_of_token(credential)

    def _service_of_key(self, key: str) -> Service:
        """Authenticate a service by its secret key, compared in constant time with every valid key."""
        presented = key.encode()
        matches = [hmac.compare_digest(presented, key) for key in self._secret_keys]
        if not any(matches):
            raise Unauthenticated(_REFUSAL_MESSAGE)
        return Service()

    async def _identity_of_token(self, token: str) -> Identity:
        try:
            header = jwt.get_unverified_header(token)
        except (jwt.PyJWTError, ValueError, RecursionError):
            raise Unauthenticated(_REFUSAL_MESSAGE) from None
        algorithm = header.get("alg")
        if "crit" in header or not isinstance(algorithm, str):
            raise Unauthenticated(_REFUSAL_MESSAGE)
        if algorithm == "HS256" and self._secret:
            claims = self._verify_token(token, self._secret, "HS256")
            return (
                self._service_of_claims(claims)
                if claims.get("role") == "service_role"
                else self._person_of_claims(claims)
            )
        if algorithm in _ASYMMETRIC:
            key = await self._key_set.find(header.get("kid"), algorithm)
            if key is not None:
                return self._person_of_claims(self._verify_token(token, key, algorithm))
        raise Unauthenticated(_REFUSAL_MESSAGE)

    @staticmethod
    def _verify_token(token: str, key: Any, algorithm: str) -> Mapping[str, Any]:
        """Verify signature and expiry of a token and return its claims; the caller checks issuer and audience."""
        options: jwt.types.Options = {
            "require": ["exp"],
            "verify_aud": False,
            "verify_iss": False,
            "verify_sub": False,
        }
        try:
            claims: dict[str, Any] = jwt.decode(
                token, key, algorithms=[algorithm], options=options, leeway=_LEEWAY_SECONDS
            )
        except jwt.ExpiredSignatureError:  # raised where the signature is right: nobody else learns it
            raise Unauthenticated(_REFUSAL_MESSAGE, hint=_EXPIRED) from None
        except (jwt.PyJWTError, ValueError, TypeError, OverflowError, RecursionError):
            raise Unauthenticated(_REFUSAL_MESSAGE) from None
        return claims

    def _service_of_claims(self, claims: Mapping[str, Any]) -> Service:
        """Accept the claims of a legacy service-role key, which names neither a person nor the audience of people."""
        if claims.get("sub") is not None or self._audience in _audiences(claims):
            raise Unauthenticated(_REFUSAL_MESSAGE)
        if claims.get("iss") not in _LEGACY_ISSUERS | {self._issuer}:
            raise Unauthenticated(_REFUSAL_MESSAGE)
        return Service()

    def _person_of_claims(self, claims: Mapping[str, Any]) -> Person:
        if claims.get("role") != "authenticated" or claims.get("iss") != self._issuer:
            raise Unauthenticated(_REFUSAL_MESSAGE)
        if self._audience not in _audiences(claims) or not _is_storable(claims):
            raise Unauthenticated(_REFUSAL_MESSAGE)
        return Person(_uuid(claims.get("sub")), claims)


def _what_to_send(allowed: Collection[Caller]) -> str:
    """What a caller without credentials should send, of all who may call the function."""
    others = {Caller.SERVICE: Caller.PERSON, Caller.PERSON: Caller.SERVICE}
    return " Or: ".join(_HINTS[other] for caller, other in others.items() if caller in allowed)


def _bearer(header: str) -> str:
    """Return the bearer token of an Authorization header, or raise for another scheme."""
    scheme, _, token = header.strip().partition(" ")
    if header.strip() and scheme.lower() != "bearer":
        raise Unauthenticated(_REFUSAL_MESSAGE)
    return token.strip()


def _audiences(claims: Mapping[str, Any]) -> tuple[str, ...]:
    audience = claims.get("aud")
    if isinstance(audience, str):
        return (audience,)
    return tuple(item for item in audience if isinstance(item, str)) if isinstance(audience, list) else ()


def _is_storable(claims: Mapping[str, Any]) -> bool:
    """Whether the database can store the claims: no NUL, no lone surrogate, no NaN or infinity."""
    try:
        text = json.dumps(claims, allow_nan=False, ensure_ascii=False)
        text.encode()
    except (ValueError, RecursionError):
        return False
    return _NUL.search(text) is None


def _uuid(subject: object) -> UUID:
    """Return the subject as a UUID, or raise if it is none in canonical form."""
    try:
        parsed = UUID(str(subject))
    except ValueError:
        raise Unauthenticated(_REFUSAL_MESSAGE) from None
    if not isinstance(subject, str) or str(parsed) != subject.lower():
        raise Unauthenticated(_REFUSAL_MESSAGE)
    return parsed
