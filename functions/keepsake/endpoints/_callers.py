"""Authenticates the caller of a function and checks that this kind of caller is allowed."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from keepsake.errors import Unauthenticated
from keepsake.identity import Identity, Person, Service
from keepsake.infra.resources import Resources


class Caller(StrEnum):
    """The kinds of callers that a function may allow; without any, it is public."""

    SERVICE = "service"
    PERSON = "person"
    WEBHOOK = "webhook"


_HINTS = {
    Caller.SERVICE: "Send a person's token: Authorization: Bearer … as Supabase Auth gives it.",
    Caller.PERSON: "Send the project's secret key as the header apikey, from a server only.",
}
"""What to send instead, by who was turned away."""


async def identify(
    allowed: frozenset[Caller], headers: Mapping[str, str], body: bytes, resources: Resources
) -> Identity | None:
    """Return the authenticated caller, or raise Unauthenticated; None for a public function."""
    if not allowed:
        return None
    if Caller.WEBHOOK in allowed and "webhook-signature" in headers:
        return Service(webhook_id=resources.webhooks.verify(body, headers))
    identity = await resources.authenticator.identify(headers)
    kind = Caller.PERSON if isinstance(identity, Person) else Caller.SERVICE
    if kind not in allowed:
        raise Unauthenticated(f"This function is not for a {kind}.", hint=_HINTS.get(kind))
    return identity
