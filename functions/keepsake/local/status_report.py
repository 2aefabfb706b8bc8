"""Formats the URLs and keys of a running stack, for people or as shell assignments (like ``supabase status``)."""

from __future__ import annotations

from keepsake.local.gateway import FUNCTIONS_PATH, REST_PATH
from keepsake.project.folder import RunningStack
from keepsake.project.keys import Keys

LABELS = {
    "API_URL": "API URL",
    "REST_URL": "REST URL",
    "FUNCTIONS_URL": "Functions URL",
    "DB_URL": "DB URL",
    "PUBLISHABLE_KEY": "Publishable key",
    "SECRET_KEY": "Secret key",
    "ANON_KEY": "anon key",
    "SERVICE_ROLE_KEY": "service_role key",
    "JWT_SECRET": "JWT secret",
    "WEBHOOK_SECRET": "Webhook secret",
}


def variables(running: RunningStack, keys: Keys) -> dict[str, str]:
    """The URLs and keys, by the names of ``supabase status -o env``."""
    return {
        "API_URL": running.api_url,
        "REST_URL": f"{running.api_url}{REST_PATH}",
        "FUNCTIONS_URL": f"{running.api_url}{FUNCTIONS_PATH}",
        "DB_URL": running.db_url,
        "PUBLISHABLE_KEY": keys.publishable_key,
        "SECRET_KEY": keys.secret_key,
        "ANON_KEY": keys.anon_key,
        "SERVICE_ROLE_KEY": keys.service_role_key,
        "JWT_SECRET": keys.jwt_secret,
        "WEBHOOK_SECRET": keys.webhook_secret,
    }


def describe(running: RunningStack, keys: Keys) -> str:
    """One aligned line for each."""
    width = max(map(len, LABELS.values()))
    return "\n".join(f"{LABELS[name]:>{width}}: {value}" for name, value in variables(running, keys).items())


def assignments(running: RunningStack, keys: Keys) -> str:
    """One ``NAME="value"`` for each, as a shell and a dotenv file read it."""
    return "\n".join(f'{name}="{_escaped(value)}"' for name, value in variables(running, keys).items())


def _escaped(value: str) -> str:
    return "".join(f"\\{character}" if character in '\\"$`' else character for character in value)
