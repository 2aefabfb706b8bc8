"""Checks of settings that belong together: which endpoint a model has, and what keys and secrets look like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from keepsake.infra import setting_formats as formats

if TYPE_CHECKING:
    from keepsake.infra.settings import Settings


SECRET_KEY_PREFIX = "sb_secret_"  # noqa: S105 (a prefix, not a secret)
"""What Supabase's secret API keys begin with."""

MIN_SECRET_LENGTH = 32


def check_model_endpoints(settings: Settings) -> None:
    """Raise ValueError where a model is named and no endpoint for it."""
    summarizes = settings.openai_summary_model or formats.split_models(settings.openai_summary_models)
    if summarizes and not (settings.openai_api_key or settings.openai_base_url):
        raise ValueError("OPENAI_SUMMARY_MODEL is set without OPENAI_API_KEY or OPENAI_BASE_URL")
    if settings.openai_extraction_model and not (settings.openai_api_key or settings.openai_base_url):
        raise ValueError("OPENAI_EXTRACTION_MODEL is set without OPENAI_API_KEY or OPENAI_BASE_URL")
    url, key = settings.embedding_endpoint
    if settings.embedding == "endpoint" and not settings.openai_embedding_model:
        raise ValueError("EMBEDDING is endpoint, but OPENAI_EMBEDDING_MODEL is not set")
    if settings.openai_embedding_model and not (url or key):
        raise ValueError("OPENAI_EMBEDDING_MODEL is set without a key (OPENAI_API_KEY) or an OPENAI_BASE_URL")


def check_secret_formats(settings: Settings) -> None:
    """Raise ValueError where a key or secret is none, or too short."""
    for key in settings.secret_keys:
        if not key.startswith(SECRET_KEY_PREFIX) or len(key) < len(SECRET_KEY_PREFIX) + 16:
            raise ValueError(f"SUPABASE_SECRET_KEY must look like {SECRET_KEY_PREFIX}… with 16 characters or more")
    for secret in formats.split_list(settings.export_signing_key):
        if len(secret) < MIN_SECRET_LENGTH:
            raise ValueError(f"EXPORT_SIGNING_KEY is shorter than {MIN_SECRET_LENGTH} characters")
    for secret in settings.webhook_keys:
        if not formats.is_webhook_secret(secret):
            raise ValueError("WEBHOOK_SECRETS must each be whsec_ and base64 of 24 to 64 bytes")
