"""Checks of settings that belong together: which endpoint a model has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from keepsake.infra import setting_formats as formats

if TYPE_CHECKING:
    from keepsake.infra.settings import Settings


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
