"""Random vectors for the memories of a stage, and an embedder that answers at once: vectors without a model."""

from __future__ import annotations

import asyncio
import random
from array import array
from collections.abc import Sequence
from typing import Any

import psycopg

from bench.harness.stage import Stage
from keepsake.infra.models.circuit_breaker import CircuitBreaker
from keepsake.infra.models.embedding_reply_parser import Vectors

MODEL = "random"
DIMENSIONS = 384
_REGISTER = "insert into keepsake.embedding_models (model, dimensions) values (%s, %s)"
_STORE = """
insert into keepsake.memory_vectors (user_id, memory_id, profile_id, model, vector)
select m.user_id, m.id, m.profile_id, %s,
  (select array_agg(random() - 0.5) from generate_series(1, %s) where m.id is not null)::real[]::extensions.vector
from public.user_memory as m order by m.created_at
"""


class RandomEmbedder:
    """Gives every text a random vector, made before anything is timed."""

    model = circuit = MODEL
    classifier = None

    def __init__(self, texts: Sequence[str], *, seed: int = 1) -> None:
        dice = random.Random(seed)  # noqa: S311 (the same in every run)
        self._vectors = {text: array("f", [dice.gauss(0, 1) for _ in range(DIMENSIONS)]) for text in texts}
        self.breaker = CircuitBreaker()
        self.is_kept: bool | None = None

    async def embed(self, texts: Sequence[str], *, deadline: float) -> Vectors:  # noqa: ARG002 (the protocol's)
        """The vectors of texts that were announced."""
        return Vectors(tuple(self._vectors[text] for text in texts), None)

    async def embed_message(self, text: str, *, deadline: float) -> Vectors:
        """The vector of its text."""
        return await self.embed([text], deadline=deadline)

    def detach(self, call: asyncio.Task[Any]) -> None:
        """Nothing is ever late."""

    async def close(self) -> None:
        """Holds nothing."""


def store_random_vectors(on: Stage) -> None:
    """Give every memory a random vector, stored in the order in which the memories were made."""
    with psycopg.connect(on.superuser_url, autocommit=True) as connection:
        connection.execute(_REGISTER, (MODEL, DIMENSIONS))
        connection.execute(_STORE, (MODEL, DIMENSIONS))
        connection.execute("vacuum (analyze) keepsake.memory_vectors, keepsake.memory_vector_halves")
