"""Embeds texts at any OpenAI-compatible endpoint, under an absolute deadline.

As careful as ``chat``: no retries of the SDK, and bodies are read here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import httpx2
import openai

from keepsake.infra.models.chat import endpoint_of, open_client, to_model_error
from keepsake.infra.models.chat_reply_parser import ModelUnavailable, error_of_connection
from keepsake.infra.models.circuit_breaker import CircuitBreaker
from keepsake.infra.models.embedding_reply_parser import TextsRefused, Vectors, read_vectors

_MAX_DETACHED = 16
_MAX_BYTES = 32 * 1024 * 1024
_REFUSALS = frozenset({400, 413, 422})


class EndpointEmbedder:
    """A client for one embedding model; it connects at the first call."""

    def __init__(
        self, *, model: str, base_url: str | None = None, api_key: str | None = None, dimensions: int | None = None
    ) -> None:
        self._name, self._dimensions = model, dimensions
        self._base_url = base_url
        self._client = open_client(base_url, api_key, max_bytes=_MAX_BYTES)  # now: no message has time for that
        self._detached: set[asyncio.Task[Any]] = set()
        self.breaker = CircuitBreaker()
        """Whether a message may wait for it; of this process alone."""
        self.is_kept: bool | None = None
        """Whether the database can keep vectors, once somebody has looked."""

    @property
    def model(self) -> str:
        """The name under which vectors are stored: vectors of different models or lengths cannot be compared."""
        return f"{self._name}:{self._dimensions}" if self._dimensions else self._name

    @property
    def classifier(self) -> None:
        """None: an endpoint does not show the layers of its model."""
        return None

    @property
    def circuit(self) -> str:
        """The key of the shared circuit breaker: model and endpoint."""
        return f"{self.model} at {endpoint_of(self._base_url)}"

    async def embed(self, texts: Sequence[str], *, deadline: float) -> Vectors:
        """Embed texts by ``deadline`` (of the event loop's clock), or raise TextsRefused or ModelUnavailable."""
        try:
            async with asyncio.timeout_at(deadline):
                body = await self._call(texts)
        except TimeoutError:
            raise ModelUnavailable("busy", "deadline", sent=True) from None
        return read_vectors(body, count=len(texts), dimensions=self._dimensions)

    async def embed_message(self, text: str, *, deadline: float) -> Vectors:
        """The vector of its text."""
        return await self.embed([text], deadline=deadline)

    def detach(self, call: asyncio.Task[Any]) -> None:
        """Let a late call finish in the background; canceling it would close its connection."""
        if len(self._detached) >= _MAX_DETACHED:
            call.cancel()
            return
        self._detached.add(call)
        call.add_done_callback(self._detached.discard)

    async def close(self) -> None:
        """Cancel detached calls and close the connections."""
        for call in self._detached:
            call.cancel()
        await asyncio.gather(*self._detached, return_exceptions=True)
        await self._client.close()

    async def _call(self, texts: Sequence[str]) -> bytes:
        request: Any = {"model": self._name, "input": list(texts), "encoding_format": "float"}
        if self._dimensions:
            request["dimensions"] = self._dimensions
        try:
            raw = await self._client.embeddings.with_raw_response.create(**request)
        except openai.APIStatusError as error:
            if error.status_code in _REFUSALS:
                raise TextsRefused(f"status {error.status_code}") from error
            raise to_model_error(error) from error
        except openai.OpenAIError as error:
            raise to_model_error(error) from error
        except (OSError, httpx2.HTTPError) as error:  # what the SDK does not wrap
            raise error_of_connection(error) from error
        except (ValueError, TypeError, AttributeError, LookupError, RecursionError) as error:
            raise ModelUnavailable("bad_reply", "unreadable", sent=True) from error
        return raw.http_response.content
