"""Embeds a batch of memories in one call; if the endpoint refuses it, halves the batch to find the refused texts.

No database connection is held here, and one deadline covers every call of a batch.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from keepsake.domain.context.similarity_baseline import UNRELATED_TEXTS, Calibration, calibrate
from keepsake.domain.extraction.prompt import mask_secrets
from keepsake.infra.logs import log
from keepsake.infra.models.chat_reply_parser import ModelUnavailable
from keepsake.infra.models.choose_embedder import Embedder
from keepsake.infra.models.embedding_reply_parser import TextsRefused, Vectors
from keepsake.infra.resources import Resources
from keepsake.store.embeddings import KnownModel, UnembeddedMemory

_PURPOSE = "memories"
_PROBE_TEXT = "ok"
"""A text that every endpoint accepts; if it is refused, the fault is not in the memories."""


@dataclass
class Batch:
    """The result of a batch: vectors, refused memories, usage, and why the endpoint failed."""

    vectors: list[tuple[UnembeddedMemory, Sequence[float]]] = field(default_factory=list)
    refused: list[UnembeddedMemory] = field(default_factory=list)
    calibration: Calibration | None = None
    """How similar the model finds unrelated texts, where that was not known."""
    calls: int = 0
    tokens: int = 0
    failure: ModelUnavailable | None = None

    def unfinished(self, memories: Sequence[UnembeddedMemory]) -> list[UnembeddedMemory]:
        """Those of the memories without a vector or refusal."""
        done = {memory.memory_id for memory, _ in self.vectors} | {memory.memory_id for memory in self.refused}
        return [memory for memory in memories if memory.memory_id not in done]


async def embed_batch(
    resources: Resources, embedder: Embedder, memories: Sequence[UnembeddedMemory], *, model: KnownModel
) -> Batch:
    """Embed the memories; those rejected before go one by one. A new model is calibrated first."""
    run = _BatchRun(resources, embedder, model.dimensions)
    try:
        if not model.is_calibrated and memories:
            await run.calibrate()
        await run.embed([memory for memory in memories if not memory.was_rejected])
        for memory in memories:
            if memory.was_rejected:
                await run.embed([memory])
    except ModelUnavailable as failure:
        run.batch.failure = failure
    return run.batch


class _BatchRun:
    def __init__(self, resources: Resources, embedder: Embedder, dimensions: int | None) -> None:
        self.batch = Batch()
        self._use, self._embedder, self._dimensions = resources, embedder, dimensions
        self._deadline = asyncio.get_running_loop().time() + resources.settings.embedding_batch_seconds
        self._is_sound: bool | None = None

    async def embed(self, memories: Sequence[UnembeddedMemory]) -> None:
        """Embed these in one call, or half by half if the endpoint refuses them."""
        if not memories:
            return
        try:
            got = await self._call([mask_secrets(memory.text or _PROBE_TEXT) for memory in memories])
        except (TextsRefused, ModelUnavailable) as refusal:
            if isinstance(refusal, ModelUnavailable) and refusal.kind != "bad_reply":
                raise
            await self._probe_endpoint(refusal)
            if len(memories) == 1:
                self.batch.refused.append(memories[0])
                return
            half = len(memories) // 2
            await self.embed(memories[:half])
            await self.embed(memories[half:])
        else:
            self._is_sound = True
            self.batch.vectors.extend(zip(memories, got.vectors, strict=True))

    async def calibrate(self) -> None:
        """Embed unrelated texts, to know what a similarity of this model means."""
        try:
            self.batch.calibration = calibrate((await self._call(UNRELATED_TEXTS)).vectors)
        except TextsRefused:
            log.warning("the endpoint refuses the texts of the calibration; words alone decide what is relevant")
        except ModelUnavailable as failure:
            if failure.kind != "bad_reply":  # which may be due to the memories' own texts later, too
                raise

    async def _probe_endpoint(self, refusal: TextsRefused | ModelUnavailable) -> None:
        """Raise if the endpoint refuses every text, so that no memory is blamed for a wrong setting."""
        if self._is_sound:
            return
        try:
            await self._call([_PROBE_TEXT])
        except TextsRefused:
            raise ModelUnavailable("locked_out", "takes_nothing") from refusal
        self._is_sound = True

    async def _call(self, texts: Sequence[str]) -> Vectors:
        """One request, with its metrics; its vectors must have the dimensions of the stored ones."""
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

    def _count(self, texts: Sequence[str], reported: int | None) -> None:
        """Count the tokens that the endpoint reports, or an estimate."""
        tokens = sum(map(self._use.count_tokens, texts)) if reported is None else reported
        self.batch.tokens += tokens
        self._use.metrics.embedding_tokens.labels(_PURPOSE).inc(tokens)
