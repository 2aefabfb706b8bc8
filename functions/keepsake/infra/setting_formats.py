"""The formats of settings: lists, addresses, key sets and secrets."""

from __future__ import annotations

import base64
import binascii
import hmac
import json
from typing import Annotated, Literal
from urllib.parse import urlsplit

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict
from pydantic import AfterValidator, SecretStr

Verdict = Literal["good", "usable", "rules"]
"""How far a language model is believed."""

_SUMMARY_TASKS = (*("conversation", "session", "spine", "day", "history", "context", "week", "month", "year"),)
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


def _check_http_url(text: str) -> str:
    try:
        parts = urlsplit(text)
        is_address = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_address = False
    if not is_address:
        raise ValueError("not an http or https address")
    return text


def _check_postgres_url(secret: SecretStr) -> SecretStr:
    try:
        conninfo_to_dict(secret.get_secret_value())
    except ProgrammingError:
        raise ValueError("not a Postgres URL (postgresql://…)") from None
    return secret


def _check_origins(text: str) -> str:
    for origin in filter(None, map(str.strip, text.split(","))):
        parts = urlsplit(origin)
        if origin != "*" and (not parts.netloc or parts.path or parts.query):
            raise ValueError(f"{origin} is no origin: expected https://app.example.com, with nothing behind it, or *")
    return text


HttpUrl = Annotated[str, AfterValidator(_check_http_url)]
"""An address of http or https."""

PostgresUrl = Annotated[SecretStr, AfterValidator(_check_postgres_url)]
"""How to reach a Postgres database."""

Origins = Annotated[str, AfterValidator(_check_origins)]
"""Origins of web pages, separated by commas."""


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
