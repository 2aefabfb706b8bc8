"""The way to embeddings: any OpenAI-compatible endpoint, some texts at a time, under an absolute deadline.

With ``llm`` the only speaker to ``openai``, and as careful: no retries of the SDK's own, and bodies read here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import httpx2
import openai

from keepsake.infra.models.chat import meaning, open_client, place_of
from keepsake.infra.models.chat_replies import ModelUnavailable, by_connection
from keepsake.infra.models.circuit_breaker import Breaker
from keepsake.infra.models.embedding_replies import TextsRefused, Vectors, read_vectors

__all__ = ["Embedder", "ModelUnavailable", "TextsRefused", "Vectors"]

_MOST_LATE = 16
_MOST_BYTES = 32 * 1024 * 1024
_REFUSALS = frozenset({400, 413, 422})


class Embedder:
    """One endpoint and one model; opens no connection before it is asked."""

    def __init__(
        self, *, model: str, base_url: str | None = None, api_key: str | None = None, dimensions: int | None = None
    ) -> None:
        self._name, self._dimensions = model, dimensions
        self._base_url = base_url
        self._client = open_client(base_url, api_key, most_bytes=_MOST_BYTES)  # now: no message has time for that
        self._late: set[asyncio.Task[Any]] = set()
        self.breaker = Breaker()
        """Whether a message may wait for it; of this process alone."""
        self.is_kept: bool | None = None
        """Whether the database can keep vectors, once somebody has looked."""

    @property
    def model(self) -> str:
        """What its vectors are kept under: those of another model, or of another length, are no neighbours of these."""
        return f"{self._name}:{self._dimensions}" if self._dimensions else self._name

    @property
    def circuit(self) -> str:
        """The model and where it is: what calls are counted and held back by."""
        return f"{self.model} at {place_of(self._base_url)}"

    async def embed(self, texts: Sequence[str], *, deadline: float) -> Vectors:
        """The texts' vectors by ``deadline`` (of the event loop's clock); or TextsRefused, or ModelUnavailable."""
        try:
            async with asyncio.timeout_at(deadline):
                body = await self._once(texts)
        except TimeoutError:
            raise ModelUnavailable("busy", "deadline", sent=True) from None
        return read_vectors(body, count=len(texts), dimensions=self._dimensions)

    def let_end(self, call: asyncio.Task[Any]) -> None:
        """Let a call that nobody waits for any more end by itself: broken off, it would take its connection along."""
        if len(self._late) >= _MOST_LATE:
            call.cancel()
            return
        self._late.add(call)
        call.add_done_callback(self._late.discard)

    async def close(self) -> None:
        """Give the connections back."""
        for call in self._late:
            call.cancel()
        await asyncio.gather(*self._late, return_exceptions=True)
        await self._client.close()

    async def _once(self, texts: Sequence[str]) -> bytes:
        question: Any = {"model": self._name, "input": list(texts), "encoding_format": "float"}
        if self._dimensions:
            question["dimensions"] = self._dimensions
        try:
            raw = await self._client.embeddings.with_raw_response.create(**question)
        except openai.APIStatusError as error:
            if error.status_code in _REFUSALS:
                raise TextsRefused(f"status {error.status_code}") from error
            raise meaning(error) from error
        except openai.OpenAIError as error:
            raise meaning(error) from error
        except (OSError, httpx2.HTTPError) as error:  # what the SDK does not wrap
            raise by_connection(error) from error
        except (ValueError, TypeError, AttributeError, LookupError, RecursionError) as error:
            raise ModelUnavailable("bad_reply", "unreadable", sent=True) from error
        return raw.http_response.content
