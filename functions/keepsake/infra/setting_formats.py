"""The formats of settings: lists, addresses, key sets and secrets."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
from urllib.parse import urlsplit

from pydantic import SecretStr

_SUMMARY_TASKS = (
    *("conversation", "session", "rolling", "spine", "day", "history", "context", "week", "month", "year"),
)
"""What a model may summarize."""


def split_list(secret: SecretStr | None) -> tuple[str, ...]:
    """The parts of a list that is separated by commas."""
    if secret is None:
        return ()
    return tuple(part.strip() for part in secret.get_secret_value().split(",") if part.strip())


def split_models(text: str) -> dict[str, str]:
    """The models of a list such as ``week=a,month=b``, by task; ValueError where a task is unknown."""
    pairs = (part.partition("=") for part in text.split(",") if part.strip())
    models = {task.strip(): model.strip() for task, _, model in pairs}
    if not models.keys() <= set(_SUMMARY_TASKS) or not all(models.values()):
        raise ValueError(f"OPENAI_SUMMARY_MODELS must look like week=a,month=b; tasks: {', '.join(_SUMMARY_TASKS)}")
    return models


def signing_key(secret: str) -> bytes:
    """Derive a key for signing exports from a secret, which it does not reveal."""
    return hmac.digest(secret.encode(), b"keepsake export signing key 1", "sha256")


def is_http_url(text: str) -> bool:
    """Whether a text is an address of http or https."""
    try:
        parts = urlsplit(text)
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def is_key_set(text: str) -> bool:
    """Whether a text is a JSON Web Key Set with at least one key."""
    try:
        parsed = json.loads(text)
    except ValueError:
        return False
    return isinstance(parsed, dict) and isinstance(parsed.get("keys"), list) and bool(parsed["keys"])


def is_webhook_secret(secret: str) -> bool:
    """Whether a text is a secret of Standard Webhooks."""
    try:
        return 24 <= len(base64.b64decode(secret.removeprefix("whsec_") + "==", validate=False)) <= 64
    except (ValueError, binascii.Error):
        return False
