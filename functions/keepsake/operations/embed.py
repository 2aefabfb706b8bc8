"""``keepsake embed``: works through what has no vector yet, saying how far it is; and how it stands with vectors."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, LiteralString

from keepsake.errors import KeepsakeError, MisconfiguredError
from keepsake.infra.database import Job
from keepsake.infra.models.chat_replies import ModelUnavailable
from keepsake.infra.models.embedding_replies import TextsRefused
from keepsake.infra.resources import Resources, get_resources
from keepsake.infra.settings import Settings
from keepsake.operations.connection import connect
from keepsake.operations.environment import required_environment, target_stack
from keepsake.operations.function_loader import load_functions
from keepsake.project.folder import ProjectFolder

_JOB = "embed_memories"
_AT_ONCE = 4
_BEHIND = -10
_ROUND_SECONDS = 10.0
_PAUSE_SECONDS = 1.0
_TRIED = "ok"
_PATIENCE = 10.0

_IS_KEPT = "select to_regclass('keepsake.memory_vectors') is not null as kept"
_LEFT = """
select (select count(*) from keepsake.memory_vectors where model = %(model)s) as done,
  (select count(*) from keepsake.memories_to_embed where due_at <= now())
    + (select count(*) from keepsake.memory_vectors where model <> %(model)s) as due,
  (select count(*) from keepsake.memories_to_embed where due_at > now()) as later,
  (select count(*) from keepsake.memories_to_embed where due_at is null) as given_up
"""
_LENGTH = "select dimensions from keepsake.embedding_models where model = %(model)s"
_AGAIN = """
with gone as (
  delete from keepsake.memory_vectors where model = %(model)s returning user_id, memory_id
), listed as (
  insert into keepsake.memories_to_embed (user_id, memory_id) select user_id, memory_id from gone
  on conflict (user_id, memory_id) do nothing
), forgotten as (
  delete from keepsake.embedding_models where model = %(model)s
), let_in as (
  update keepsake.model_circuits set opened_at = null, reason = null, next_probe_at = null, paused_until = null
  where model = %(circuit)s
)
update keepsake.memories_to_embed set due_at = '-infinity', attempts = 0, reason = null where due_at is null
"""
_REMEDIES = {
    "too_many_dimensions": "Set OPENAI_EMBEDDING_DIMENSIONS to 2000 or less, or take a model with shorter vectors.",
    "wrong_dimension": "Set OPENAI_EMBEDDING_DIMENSIONS to what the model can give, or leave it out.",
}
NO_PGVECTOR = "Install pgvector on the server (as its superuser: create extension vector;), then `keepsake migrate`."


@dataclass(frozen=True, slots=True)
class Standing:
    """How it stands with vectors: what was found, what to do about it, and whether something is wrong."""

    found: str
    remedy: str = ""
    failed: bool = False


def embed_all(project: ProjectFolder, database_url: str | None, *, again: bool, say: Callable[[str], None]) -> None:
    """Embed until nothing is due any more, saying now and then how far it is."""
    if running := target_stack(project, database_url):
        os.environ.update({name: value for name, value in running.settings.items() if not os.environ.get(name)})
    os.environ.update(required_environment(project, database_url))
    load_functions()  # the jobs are registered where the functions are
    asyncio.run(_embed_all(get_resources(), again=again, say=say))


async def _embed_all(resources: Resources, *, again: bool, say: Callable[[str], None]) -> None:
    try:
        if resources.embedder is None:
            raise MisconfiguredError("OPENAI_EMBEDDING_MODEL is not set.", hint="README.md says what to set.")
        if not (await _row(resources, _IS_KEPT))["kept"]:
            raise MisconfiguredError("The database cannot keep vectors.", hint=NO_PGVECTOR)
        if again:
            async with resources.database.as_service() as conn:
                await conn.execute(_AGAIN, {"model": resources.embedder.model, "circuit": resources.embedder.circuit})
        await _until_nothing_is_due(resources, resources.embedder.model, say)
    finally:
        await resources.close()


async def _until_nothing_is_due(resources: Resources, model: str, say: Callable[[str], None]) -> None:
    """Queue the job that embeds, a few at once, and work; other workers may take it up too."""
    patience = resources.settings.embedding_batch_seconds + _ROUND_SECONDS
    counts: Mapping[str, int] = {}
    changed = time.monotonic()
    while True:
        before, counts = counts, await _row(resources, _LEFT, model=model)
        if counts != before:
            changed = time.monotonic()
            say(_told(counts, model))
        unchanged = time.monotonic() - changed
        if not counts["due"] and (not counts["later"] or unchanged > _ROUND_SECONDS):
            return
        if unchanged > patience:
            raise MisconfiguredError("The endpoint embeds nothing now.", hint="`keepsake doctor` says why.")
        for _ in range(_AT_ONCE if counts["due"] else 0):
            async with resources.database.as_service() as conn:
                conn.enqueue_on_commit(Job(_JOB, priority=_BEHIND))
        await resources.queue.run_until_idle(_ROUND_SECONDS)
        await asyncio.sleep(_PAUSE_SECONDS)


def _told(counts: Mapping[str, int], model: str) -> str:
    more = {"to go": counts["due"], "under way or to be tried later": counts["later"], "given up": counts["given_up"]}
    rest = "".join(f", {count} {what}" for what, count in more.items() if count)
    return f"{counts['done']} embedded with {model}{rest}"


async def _row(resources: Resources, query: LiteralString, **given: str) -> Mapping[str, Any]:
    async with resources.database.as_service() as conn:
        return await (await conn.execute(query, given)).fetchone() or {}


def standing(settings: Settings) -> Standing:
    """Whether vectors can be made and kept, found out by making one."""
    if not settings.openai_embedding_model:
        return Standing("off: what a message is about is found by words alone")
    if missing := what_is_missing(settings):
        return missing
    return asyncio.run(_tried(Resources.build(settings)))


def what_is_missing(settings: Settings) -> Standing | None:
    """What the database lacks for the vectors that the settings ask for; the endpoint is not looked at."""
    if not settings.openai_embedding_model:
        return None
    try:
        with connect(settings.database_url.get_secret_value()) as conn:
            if conn.execute(_IS_KEPT).fetchone() == (True,):
                return None
    except KeepsakeError as error:
        return Standing(error.message, failed=True)
    found = "OPENAI_EMBEDDING_MODEL is set, but the database has no pgvector: words alone decide"
    return Standing(found, NO_PGVECTOR, failed=True)


async def _tried(resources: Resources) -> Standing:
    embedder = resources.embedder
    if embedder is None:
        return Standing("off")
    try:
        got = await embedder.embed([_TRIED], deadline=asyncio.get_running_loop().time() + _PATIENCE)
        kept = (await _row(resources, _LENGTH, model=embedder.model)).get("dimensions")
    except TextsRefused:
        found = f"{embedder.circuit} refuses every text"
        return Standing(found, "Check OPENAI_EMBEDDING_MODEL, its key, and OPENAI_EMBEDDING_DIMENSIONS.", failed=True)
    except ModelUnavailable as failure:
        remedy = _REMEDIES.get(failure.why, "Check its address and key; meanwhile words alone decide.")
        return Standing(f"{embedder.circuit} gives none ({failure.why})", remedy, failed=True)
    finally:
        await resources.close()
    if kept not in {None, got.dimensions}:
        found = f"{embedder.circuit} gives vectors of {got.dimensions} numbers, and those that are kept have {kept}"
        return Standing(found, "If the model has changed under its name: `keepsake embed --again`.", failed=True)
    return Standing(f"{embedder.circuit} gives vectors of {got.dimensions} numbers")
