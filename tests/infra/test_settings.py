"""Settings are read once; what is missing or contradicts itself is one clear line, and no secret is ever shown."""

from __future__ import annotations

import os
from typing import Any

import pytest

from keepsake.errors import MisconfiguredError
from keepsake.infra.settings import Settings

GOOD = {"database_url": "postgresql://u:hidden@h/d", "supabase_jwt_secret": "s" * 32}


@pytest.fixture(autouse=True)
def empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting comes from the machine the test runs on."""
    for name in Settings.model_fields:
        for given in [key for key in os.environ if key.lower() == name]:
            monkeypatch.delenv(given)


def load(**given: Any) -> Settings:
    return Settings.load(**{name: value for name, value in {**GOOD, **given}.items() if value is not None})


@pytest.mark.parametrize(
    "given, said",
    [
        ({"database_url": None}, "DATABASE_URL is not set"),
        ({"supabase_jwt_secret": None}, "nobody could sign in"),
        ({"supabase_jwt_secret": None, "supabase_jwks_url": "https://x/jwks"}, "no service could call"),
        ({"supabase_jwt_secret": "s" * 31}, "shorter than 32 characters"),
        ({"export_signing_key": f"{'k' * 32}, short"}, "EXPORT_SIGNING_KEY is shorter than 32 characters"),
        ({"supabase_jwks_url": "https://x", "supabase_jwks": '{"keys": [{}]}'}, "not both"),
        ({"supabase_jwks": "{}"}, "not a key set"),
        ({"supabase_jwks": "nonsense"}, "not a key set"),
        ({"supabase_secret_key": "service"}, "must look like sb_secret_"),
        ({"supabase_secret_key": "sb_secret_short"}, "16 characters"),
        ({"supabase_secret_key": "sb_secret_0123456789abcdef,"}, None),
        ({"webhook_secrets": "whsec_short"}, "24 to 64 bytes"),
        ({"webhook_secrets": "not base64!"}, "24 to 64 bytes"),
        ({"database_url": "mysql://u:hidden@h/d"}, "DATABASE_URL: not a Postgres URL"),
        ({"database_url": "host=/tmp dbname=d password=hidden"}, None),
        ({"migration_database_url": "hidden"}, "MIGRATION_DATABASE_URL: not a Postgres URL"),
        ({"supabase_url": "project.supabase.co"}, "SUPABASE_URL: not an http"),
        ({"supabase_jwks_url": "project.supabase.co"}, "SUPABASE_JWKS_URL: not an http"),
        ({"openai_embedding_base_url": "localhost"}, "OPENAI_EMBEDDING_BASE_URL: not an http"),
        ({"cors_origins": "https://a.example, b.example"}, "CORS_ORIGINS: b.example is no origin"),
        ({"cors_origins": "https://a.example/"}, "CORS_ORIGINS: https://a.example/ is no origin"),
        ({"cors_origins": "https://a.example, http://localhost:3000,capacitor://localhost"}, None),
        ({"control_share": 1.5}, "CONTROL_SHARE"),
        ({"max_memories": 11}, "MAX_MEMORIES"),
        ({"token_budget": 601}, "TOKEN_BUDGET"),
        ({"log_level": "loud"}, "LOG_LEVEL"),
        ({"openai_extraction_model": "m"}, "without OPENAI_API_KEY or OPENAI_BASE_URL"),
        ({"openai_extraction_model": "m", "openai_base_url": "localhost:11434"}, "OPENAI_BASE_URL: not an http"),
        ({"openai_extraction_model": "m", "openai_base_url": "http://localhost:11434/v1"}, None),
        ({"openai_extraction_model": "m", "openai_api_key": "hidden"}, None),
        ({"openai_schema_mode": "xml"}, "OPENAI_SCHEMA_MODE"),
        ({"model_tokens_per_day": -1}, "MODEL_TOKENS_PER_DAY"),
    ],
)
def test_what_does_not_fit__is_one_clear_line(given: dict[str, Any], said: str | None) -> None:
    if said is None:
        load(**given)
        return
    with pytest.raises(MisconfiguredError) as refusal:
        load(**given)
    assert said in refusal.value.message
    assert "\n" not in refusal.value.message
    assert "hidden" not in refusal.value.message


def test_an_empty_variable__is_no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty secret must not open a door."""
    monkeypatch.setenv("DATABASE_URL", "postgresql://h/d")
    monkeypatch.setenv("SUPABASE_JWT_SECRET", "")
    with pytest.raises(MisconfiguredError, match="nobody could sign in"):
        Settings.load()


def test_environment__is_read_by_the_names_of_the_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://h/d")
    monkeypatch.setenv("SUPABASE_JWT_SECRET", "s" * 32)
    monkeypatch.setenv("SUPABASE_URL", "https://x.supabase.co/")
    monkeypatch.setenv("WORKER_CONCURRENCY", "7")
    settings = Settings.load()
    assert (settings.issuer, settings.worker_concurrency) == ("https://x.supabase.co/auth/v1", 7)


def test_secrets__are_never_shown() -> None:
    shown = repr(load(supabase_secret_key="sb_secret_0123456789abcdef"))
    assert not [secret for secret in ("hidden", "s" * 32, "0123456789abcdef") if secret in shown]


def test_exports__are_signed_by_the_key_given_or_one_made_of_another_secret() -> None:
    """Those signed by the other secrets, or by a key that was given before, are known again."""
    derived = Settings.load(**GOOD).signing_keys
    assert len(derived) == 1
    assert len(derived[0]) == 32
    first, second, third = Settings.load(**GOOD, export_signing_key=f"{'n' * 32}, {'o' * 32}").signing_keys
    assert len({first, second, third}) == 3
    assert (third,) == derived


def test_settings__cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        setattr(load(), "log_level", "debug")  # noqa: B010  # as a caller would who does not read types


def test_every_setting__says_what_it_is() -> None:
    assert not [
        name for name, field in Settings.model_fields.items() if not (field.description or "").endswith((".", ")"))
    ]
