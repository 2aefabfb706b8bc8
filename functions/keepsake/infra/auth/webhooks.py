"""Verifies the signatures and timestamps of webhook deliveries (Standard Webhooks)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

from keepsake.errors import Unauthenticated

ID_HEADER = "webhook-id"
"""Names the delivery; a repeated one is answered with the first outcome."""

_ID = re.compile(r"^[!-~]{1,128}$")
_SIGNATURES = re.compile(r"^v[0-9]+[a-z]?,[A-Za-z0-9+/]+=*( v[0-9]+[a-z]?,[A-Za-z0-9+/]+=*)*$")
_CANONICAL = re.compile(r"(?:^| )v1,[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=(?= |$)")
_TIMESTAMP = re.compile(r"^[0-9]{1,12}$")


class WebhookVerifier:
    """Verifies signatures with each of the secrets, so that secrets can be rotated."""

    def __init__(self, secrets: tuple[str, ...]) -> None:
        self._webhooks = tuple(Webhook(secret) for secret in secrets)

    def verify(self, body: bytes, headers: Mapping[str, str]) -> str:
        """Verify a delivery and return its id, or raise Unauthenticated."""
        delivery_id = headers.get(ID_HEADER, "")
        timestamp = headers.get("webhook-timestamp", "")
        signatures = headers.get("webhook-signature", "")
        if not (
            _ID.match(delivery_id) and _TIMESTAMP.match(timestamp) and _SIGNATURES.match(signatures) and self._webhooks
        ):
            raise Unauthenticated("The webhook's signature is missing or malformed.")
        headers_to_check = {
            ID_HEADER: delivery_id,
            "webhook-timestamp": timestamp,
            "webhook-signature": _canonical_signatures(signatures),
        }
        if not any(_is_signed(webhook, body, headers_to_check) for webhook in self._webhooks):
            raise Unauthenticated("The webhook's signature does not match, or is too old.")
        return delivery_id


def _canonical_signatures(signatures: str) -> str:
    """Return only signatures in canonical base64 of 32 bytes; the library would accept other forms too."""
    return "".join(match[0] for match in _CANONICAL.finditer(signatures)).strip()


def _is_signed(webhook: Webhook, body: bytes, headers: dict[str, str]) -> bool:
    """Whether this secret signed the body; the library raises ValueError for malformed input."""
    try:
        webhook.verify(body, headers, json_parse=False)
    except (WebhookVerificationError, ValueError):
        return False
    return True
