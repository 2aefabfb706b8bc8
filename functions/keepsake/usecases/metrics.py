"""Gathers what this process counted and what the database holds into one page of Prometheus text."""

from __future__ import annotations

from keepsake.infra.resources import Resources
from keepsake.store import metrics as stored


async def metrics(use: Resources) -> bytes:
    """The page a Prometheus server scrapes."""
    async with use.database.as_service() as conn:
        samples = await stored.read(conn, now=use.clock.now())
    return use.metrics.render(samples)
