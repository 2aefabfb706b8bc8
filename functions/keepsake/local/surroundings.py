"""The settings that the functions of a local project get, by the names that the environment has for them."""

from __future__ import annotations

import os

from keepsake.errors import MisconfiguredError
from keepsake.local.home import Home, Running
from keepsake.local.tokens import Keys

ANY_MODEL = "scripted"
"""What a model is called where only its endpoint is named: the tests' own server takes any name."""


def name_model(url: str | None, model: str | None) -> None:
    """Tell the functions of this process which model to ask; what is not named here, the environment names."""
    if url:
        os.environ["OPENAI_BASE_URL"] = url
        os.environ.setdefault("OPENAI_EXTRACTION_MODEL", ANY_MODEL)
    if model:
        os.environ["OPENAI_EXTRACTION_MODEL"] = model


def functions_environment(running: Running, keys: Keys) -> dict[str, str]:
    """What the functions of this stack are told."""
    return {
        "DATABASE_URL": running.functions_url,
        "SUPABASE_URL": running.api_url,
        "SUPABASE_JWT_SECRET": keys.jwt_secret,
        "SUPABASE_SECRET_KEY": keys.secret_key,
        "WEBHOOK_SECRETS": keys.webhook_secret,
    }


def surroundings(home: Home, database_url: str | None) -> dict[str, str]:
    """What to add to the environment: what the running stack was told, unless another database is named."""
    running = home.running()
    if running is not None and database_url in {None, running.functions_url}:
        return functions_environment(running, home.keys())
    if database_url:
        return {}
    raise MisconfiguredError(
        f"DATABASE_URL is not set, and no stack is running in {home.folder}.",
        hint="Set what .env.example lists, or start a stack with `keepsake up`.",
    )
