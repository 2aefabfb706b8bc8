"""``keepsake embed``: embeds all memories that have no vector yet, and prints the progress."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any

from keepsake.errors import MisconfiguredError
from keepsake.infra.database.queries import load
from keepsake.infra.package_files import SQL_FOLDER
from keepsake.infra.resources import Resources, get_resources
from keepsake.operations.check_embedding_setup import NO_PGVECTOR
from keepsake.operations.environment import load_environment
from keepsake.operations.function_loader import load_functions
from keepsake.project.folder import ProjectFolder

_SQL = load("embed", SQL_FOLDER / "operations")
_CONCURRENT_JOBS = 4
_ROUND_SECONDS = 10.0
_PAUSE_SECONDS = 1.0


def embed_all(project: ProjectFolder, database_url: str | None, *, again: bool, say: Callable[[str], None]) -> None:
    """Embed until nothing is due; with ``again``, embed also what has a vector or was given up."""
    load_environment(project, database_url)
    load_functions()  # registers the jobs
    asyncio.run(_embed_all(get_resources(), again=again, say=say))


async def _embed_all(resources: Resources, *, again: bool, say: Callable[[str], None]) -> None:
    embedder = resources.embedder
    try:
        if embedder is None:
            raise MisconfiguredError("Embeddings are off.", hint="docs/models.md says what to install or set.")
        if not (await _read_row(resources, "are_vectors_available"))["available"]:
            raise MisconfiguredError("The database cannot keep vectors.", hint=NO_PGVECTOR)
        if again:
            async with resources.database.as_service() as conn:
                await conn.execute(_SQL["requeue_all"].sql, {"model": embedder.model, "circuit": embedder.circuit})
        await _embed_until_done(resources, embedder.model, say)
    finally:
        await resources.close()


async def _embed_until_done(resources: Resources, model: str, say: Callable[[str], None]) -> None:
    """Queue the job that embeds, several at once, and run jobs; other workers may take them too."""
    patience = resources.settings.embedding_batch_seconds + _ROUND_SECONDS
    counts: Mapping[str, int] = {}
    changed = time.monotonic()
    while True:
        previous, counts = counts, await _read_row(resources, "progress", model=model)
        if counts != previous:
            changed = time.monotonic()
            say(_progress_line(counts, model))
        unchanged = time.monotonic() - changed
        if not counts["due"] and (not counts["later"] or unchanged > _ROUND_SECONDS):
            return
        if unchanged > patience:
            raise MisconfiguredError("The endpoint embeds nothing now.", hint="`keepsake doctor` says why.")
        for _ in range(_CONCURRENT_JOBS if counts["due"] else 0):
            async with resources.database.as_service() as conn:
                resources.enqueue_embedding(conn)
        await resources.queue.run_until_idle(_ROUND_SECONDS)
        await asyncio.sleep(_PAUSE_SECONDS)


def _progress_line(counts: Mapping[str, int], model: str) -> str:
    more = {"to go": counts["due"], "under way or to be tried later": counts["later"], "given up": counts["given_up"]}
    rest = "".join(f", {count} {label}" for label, count in more.items() if count)
    return f"{counts['done']} embedded with {model}{rest}"


async def _read_row(resources: Resources, query: str, **params: str) -> Mapping[str, Any]:
    async with resources.database.as_service() as conn:
        return await (await conn.execute(_SQL[query].sql, params)).fetchone() or {}
