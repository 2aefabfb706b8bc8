"""Where embeddings come from, and what every source of them can do: an endpoint, or a model in this process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from keepsake.infra.models.circuit_breaker import CircuitBreaker
from keepsake.infra.models.embedding_reply_parser import Vectors
from keepsake.infra.settings import Settings

if TYPE_CHECKING:  # both import numpy
    from keepsake.infra.models.model_folder import ModelFolder
    from keepsake.infra.models.sentence_classifier import SentenceScores

ENDPOINT, LOCAL, OFF = "endpoint", "local", "off"


class Classifier(Protocol):
    """Scores what sentences are meant as, by the layers of the model in this process."""

    async def classify(self, sentences: Sequence[str], *, deadline: float | None) -> list[SentenceScores]:
        """Score them as attacks by ``deadline`` (None: whenever it is done), or raise ModelUnavailable."""


class Embedder(Protocol):
    """Embeds texts with one model."""

    breaker: CircuitBreaker
    """Whether a message may wait for it; of this process alone."""
    is_kept: bool | None
    """Whether the database can keep vectors, once somebody has looked."""

    @property
    def model(self) -> str:
        """The name under which vectors are stored: vectors of different models or lengths cannot be compared."""

    @property
    def circuit(self) -> str:
        """The key of the shared circuit breaker."""

    @property
    def classifier(self) -> Classifier | None:
        """What scores sentences by this model; None where nothing was trained for it."""

    async def embed(self, texts: Sequence[str], *, deadline: float) -> Vectors:
        """Embed texts by ``deadline`` (of the event loop's clock), or raise TextsRefused or ModelUnavailable."""

    async def embed_message(self, text: str, *, deadline: float) -> Vectors:
        """The vector with which memories are compared for a message: that of its text, or one that was learned."""

    def detach(self, call: asyncio.Task[Any]) -> None:
        """Let a late call finish in the background."""

    async def close(self) -> None:
        """Release what it holds."""


def embedding_source(settings: Settings) -> str:
    """Where embeddings come from: what EMBEDDING says, else the endpoint if a model is named, else the extra."""
    if settings.embedding:
        return settings.embedding
    if settings.openai_embedding_model:
        return ENDPOINT
    from keepsake.infra.models.model_folder import is_bundled_model_installed  # noqa: PLC0415 (imports numpy)

    return LOCAL if is_bundled_model_installed() else OFF


def build_embedder(settings: Settings) -> Embedder | None:
    """The source of embeddings that the settings name; None if they are off."""
    source = embedding_source(settings)
    if source == OFF:
        return None
    if source == ENDPOINT:
        return _at_endpoint(settings)
    from keepsake.infra.models.local_embedder import LocalEmbedder  # noqa: PLC0415 (as above)

    return LocalEmbedder(_model_folder(source))


def check_embedding(settings: Settings) -> None:
    """Check that the model that EMBEDDING names is there, or raise MisconfiguredError."""
    if (source := embedding_source(settings)) not in {OFF, ENDPOINT}:
        _model_folder(source)


def _model_folder(source: str) -> ModelFolder:
    from keepsake.infra.models.model_folder import bundled_model, model_in  # noqa: PLC0415 (as above)

    return bundled_model() if source == LOCAL else model_in(Path(source))


def _at_endpoint(settings: Settings) -> Embedder:
    from keepsake.infra.models.endpoint_embedder import EndpointEmbedder  # noqa: PLC0415 (slow to import)

    url, key = settings.embedding_endpoint
    return EndpointEmbedder(
        model=settings.openai_embedding_model or "",
        base_url=url,
        api_key=key.get_secret_value() if key else None,
        dimensions=settings.openai_embedding_dimensions or None,
    )
