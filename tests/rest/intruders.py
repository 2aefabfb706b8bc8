"""Everybody who is not the person: strangers, other people, and those whose token is forged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID, uuid4

import jwt

from tests.fixtures.people import Account
from tests.fixtures.tokens import AUDIENCE, anon_token, person_token, service_token

WRONG_SECRET = "another-secret-that-this-project-never-had"


@dataclass(frozen=True)
class Intruder:
    """How somebody tries to get in."""

    name: str
    token: Callable[[Account, Account], str | None]
    """Given the victim and the other person."""

    signed_in: bool = False
    """Whether the token is one that the project itself has given to a person."""


def _unsigned(user_id: UUID) -> str:
    claims = {"sub": str(user_id), "role": "authenticated", "aud": AUDIENCE}
    return jwt.encode(claims, "", algorithm="none")


INTRUDERS = (
    Intruder("nobody", lambda _victim, _other: None),
    Intruder("anon", lambda _victim, _other: anon_token()),
    Intruder("another-person", lambda _victim, other: person_token(other.user_id), signed_in=True),
    Intruder("anonymous", lambda _victim, other: person_token(other.user_id, is_anonymous=True), signed_in=True),
    Intruder("long-gone", lambda _victim, _other: person_token(uuid4()), signed_in=True),
    Intruder("no-subject", lambda victim, _other: person_token(victim.user_id, sub=None), signed_in=True),
    Intruder("empty-subject", lambda victim, _other: person_token(victim.user_id, sub=""), signed_in=True),
    Intruder("no-uuid", lambda victim, _: person_token(victim.user_id, sub="ada' or '1'='1"), signed_in=True),
    Intruder(
        "metadata",
        lambda victim, other: person_token(other.user_id, user_metadata={"sub": str(victim.user_id), "role": "admin"}),
        signed_in=True,
    ),
    Intruder("expired", lambda victim, _other: person_token(victim.user_id, lifetime=-120)),
    Intruder("other-audience", lambda victim, _other: person_token(victim.user_id, aud="elsewhere")),
    Intruder("wrong-secret", lambda victim, _other: person_token(victim.user_id, secret=WRONG_SECRET)),
    Intruder("unsigned", lambda victim, _other: _unsigned(victim.user_id)),
    Intruder("forged-service", lambda _victim, _other: service_token(secret=WRONG_SECRET)),
    Intruder("no-token", lambda _victim, _other: "not.a.token"),
)
"""Everybody who must get nothing."""
