"""Gets the vectors of some memories: together where it goes, singling out the texts that the endpoint does not take.

No database connection is held here, and one deadline covers every call of a batch.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from keepsake.infra.models.chat_replies import ModelUnavailable
from keepsake.infra.models.embedding_replies import TextsRefused, Vectors
from keepsake.infra.resources import Resources
from keepsake.store.vectors import ToEmbed

if TYPE_CHECKING:  # slow to import, and not everybody has one
    from keepsake.infra.models.embeddings import Embedder

_PURPOSE = "memories"
_HARMLESS = "ok"
"""What any endpoint for embeddings takes; where it does not, no text is to blame."""


@dataclass
class Batch:
    """What came of a batch: vectors, texts refused, what the calls cost, and why the endpoint gave no more."""

    vectors: list[tuple[ToEmbed, Sequence[float]]] = field(default_factory=list)
    refused: list[ToEmbed] = field(default_factory=list)
    calls: int = 0
    tokens: int = 0
    failure: ModelUnavailable | None = None

    def left_of(self, memories: Sequence[ToEmbed]) -> list[ToEmbed]:
        """Those of the memories that nothing came of."""
        done = {memory.memory_id for memory, _ in self.vectors} | {memory.memory_id for memory in self.refused}
        return [memory for memory in memories if memory.memory_id not in done]


async def embed_batch(
    resources: Resources, embedder: Embedder, memories: Sequence[ToEmbed], *, dimensions: int | None
) -> Batch:
    """Embed the memories; those that were not taken before are tried alone. ``dimensions`` is what others have."""
    asking = _Asking(resources, embedder, dimensions)
    try:
        await asking.take([memory for memory in memories if not memory.suspect])
        for memory in memories:
            if memory.suspect:
                await asking.take([memory])
    except ModelUnavailable as failure:
        asking.batch.failure = failure
    return asking.batch


class _Asking:
    def __init__(self, resources: Resources, embedder: Embedder, dimensions: int | None) -> None:
        self.batch = Batch()
        self._use, self._embedder, self._dimensions = resources, embedder, dimensions
        self._deadline = asyncio.get_running_loop().time() + resources.settings.embedding_batch_seconds
        self._is_sound: bool | None = None

    async def take(self, memories: Sequence[ToEmbed]) -> None:
        """Embed these together, or half by half where the endpoint does not take all of them."""
        if not memories:
            return
        try:
            got = await self._call([memory.text or _HARMLESS for memory in memories])
        except (TextsRefused, ModelUnavailable) as refusal:
            if isinstance(refusal, ModelUnavailable) and refusal.kind != "bad_reply":
                raise
            await self._blame_the_endpoint_first(refusal)
            if len(memories) == 1:
                self.batch.refused.append(memories[0])
                return
            half = len(memories) // 2
            await self.take(memories[:half])
            await self.take(memories[half:])
        else:
            self._is_sound = True
            self.batch.vectors.extend(zip(memories, got.vectors, strict=True))

    async def _blame_the_endpoint_first(self, refusal: TextsRefused | ModelUnavailable) -> None:
        """Go on only if the endpoint takes anything at all; or every memory would be given up for a wrong setting."""
        if self._is_sound:
            return
        try:
            await self._call([_HARMLESS])
        except TextsRefused:
            raise ModelUnavailable("locked_out", "takes_nothing") from refusal
        self._is_sound = True

    async def _call(self, texts: Sequence[str]) -> Vectors:
        """One request, counted; its vectors as long as those that are kept."""
        metrics, started = self._use.metrics, time.perf_counter()
        outcome, sent = "refused", False
        self.batch.calls += 1
        try:
            got = await self._embedder.embed(texts, deadline=self._deadline)
            outcome, sent = "answered", True
        except ModelUnavailable as failure:
            outcome, sent = failure.kind, failure.sent
            raise
        finally:
            metrics.embedding_calls.labels(_PURPOSE, outcome).inc()
            metrics.embedding_seconds.labels(_PURPOSE).observe(time.perf_counter() - started)
            if outcome != "answered" and sent:
                self._count(texts, None)
        self._count(texts, got.tokens)
        if self._dimensions is not None and got.dimensions != self._dimensions:
            raise ModelUnavailable("locked_out", "wrong_dimension", sent=True)
        self._dimensions = got.dimensions
        return got

    def _count(self, texts: Sequence[str], told: int | None) -> None:
        """Count the tokens that the endpoint names, or about as many as there are where it names none."""
        tokens = sum(map(self._use.count_tokens, texts)) if told is None else told
        self.batch.tokens += tokens
        self._use.metrics.embedding_tokens.labels(_PURPOSE).inc(tokens)
