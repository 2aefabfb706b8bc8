"""Renders the metrics of this process and of the database as Prometheus text."""

from __future__ import annotations

from keepsake.infra.resources import Resources
from keepsake.store import metrics as stored

WITHOUT_VECTOR = "keepsake_memories_without_vector"
"""The metric of memories without a vector: waiting ones, and abandoned ones."""


async def metrics(resources: Resources) -> bytes:
    """The page a Prometheus server scrapes."""
    async with resources.database.as_service() as conn:
        samples = await stored.read(conn, now=resources.clock.now())
    if resources.embedder is None:  # then nothing waits for a vector
        samples = [sample for sample in samples if sample.name != WITHOUT_VECTOR]
    return resources.metrics.render(samples)
