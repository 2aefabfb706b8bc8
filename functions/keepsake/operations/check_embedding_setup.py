"""Checks whether vectors can be made and stored: pgvector in the database, and the source of embeddings."""

from __future__ import annotations

import asyncio

from keepsake.errors import KeepsakeError, MisconfiguredError
from keepsake.infra.database import Connection
from keepsake.infra.database.queries import load
from keepsake.infra.models.chat_reply_parser import ModelUnavailable
from keepsake.infra.models.choose_embedder import ENDPOINT, LOCAL, OFF, Embedder, embedding_source
from keepsake.infra.models.embedding_reply_parser import TextsRefused
from keepsake.infra.models.model_folder import INSTALL_HINT
from keepsake.infra.package_files import SQL_FOLDER
from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.operations.connection import connect
from keepsake.operations.finding import Finding

NO_PGVECTOR = "Install pgvector on the server (as its superuser: create extension vector;), then `keepsake migrate`."
_ANOTHER_MODEL = (
    "They are made anew, which `keepsake embed` shows. If it never ends, a worker or a function has another EMBEDDING "
    "or OPENAI_EMBEDDING_MODEL, and each undoes the other's work: give all the same."
)
_SQL = load("embed", SQL_FOLDER / "operations")
_SUBJECT = "vectors"
_PROBE_TEXT = "ok"
_PROBE_SECONDS = 10.0
_MIN_CONTEXTS = 20
_MAX_FALLBACK_SHARE = 0.05
_BUNDLED_MODEL = "all-MiniLM-L6-v2"
_REMEDIES = {
    "too_many_dimensions": "Set OPENAI_EMBEDDING_DIMENSIONS to 2000 or less, or take a model with shorter vectors.",
    "wrong_dimension": "Set OPENAI_EMBEDDING_DIMENSIONS to what the model can give, or leave it out.",
}


def check_vectors(settings: Settings) -> Finding:
    """Check that vectors can be made and stored, by making one."""
    if embedding_source(settings) == OFF:
        return Finding(_SUBJECT, "off: what a message is about is found by words alone")
    try:
        return check_pgvector(settings) or asyncio.run(_check_embedder(settings))
    except MisconfiguredError as error:
        return Finding(_SUBJECT, error.message, error.hint or "Check EMBEDDING.", failed=True)


def describe_embedding(settings: Settings) -> str:
    """Where vectors come from, in one line."""
    source = embedding_source(settings)
    if source == OFF:
        return f"Embeddings: off; words alone decide ({INSTALL_HINT})"
    if source == ENDPOINT:
        return f"Embeddings: {settings.openai_embedding_model}, at an endpoint"
    return f"Embeddings: {_BUNDLED_MODEL if source == LOCAL else source}, computed in this process"


def check_pgvector(settings: Settings) -> Finding | None:
    """Check that the database can store the vectors that the settings ask for; None if nothing is wrong."""
    if embedding_source(settings) == OFF:
        return None
    try:
        with connect(settings.database_url.get_secret_value()) as conn:
            if conn.execute(_SQL["are_vectors_available"].sql.encode()).fetchone() == (True,):
                return None
    except KeepsakeError as error:
        return Finding(_SUBJECT, error.message, failed=True)
    result = "embeddings are on, but the database has no pgvector: words alone decide"
    return Finding(_SUBJECT, result, NO_PGVECTOR, failed=True)


async def _check_embedder(settings: Settings) -> Finding:
    resources = Resources.build(settings)
    embedder = resources.embedder
    if embedder is None:
        return Finding(_SUBJECT, "off")
    try:
        deadline = asyncio.get_running_loop().time() + _PROBE_SECONDS
        made = (await embedder.embed([_PROBE_TEXT], deadline=deadline)).dimensions
        async with resources.database.as_service() as conn:
            return await _check_stored(conn, embedder, made)
    except TextsRefused:
        remedy = "Check OPENAI_EMBEDDING_MODEL, its key, and OPENAI_EMBEDDING_DIMENSIONS."
        return Finding(_SUBJECT, f"{embedder.circuit} refuses every text", remedy, failed=True)
    except ModelUnavailable as failure:
        remedy = _REMEDIES.get(failure.why, "Check its address and key; meanwhile words alone decide.")
        return Finding(_SUBJECT, f"{embedder.circuit} gives none ({failure.why})", remedy, failed=True)
    finally:
        await resources.close()


async def _check_stored(conn: Connection, embedder: Embedder, made: int) -> Finding:
    """Compare the vectors that are made with those that are kept, and say how often contexts went without."""
    of_model = {"model": embedder.model}
    row = await (await conn.execute(_SQL["stored_dimensions"].sql, of_model)).fetchone()
    other = await (await conn.execute(_SQL["another_model"].sql, of_model)).fetchone()
    fallbacks = await (await conn.execute(_SQL["fallback_share"].sql)).fetchone() or {"contexts": 0}
    if row is not None and row["dimensions"] != made:
        result = f"{embedder.circuit} gives vectors of {made} numbers, and those that are kept have {row['dimensions']}"
        remedy = "If the model has changed under its name: `keepsake embed --again`."
        return Finding(_SUBJECT, result, remedy, failed=True)
    if other is not None and other["model"]:
        result = f"{embedder.circuit} gives vectors of {made} numbers; some that are kept are of {other['model']}"
        return Finding(_SUBJECT, result, _ANOTHER_MODEL)
    if fallbacks["contexts"] >= _MIN_CONTEXTS and fallbacks["share"] > _MAX_FALLBACK_SHARE:
        result = f"{fallbacks['share']:.0%} of the last week's {fallbacks['contexts']} contexts fell back to words"
        return Finding(_SUBJECT, result, "Raise EMBEDDING_DEADLINE_MS, or give the machine more to compute with.")
    return Finding(_SUBJECT, f"{embedder.circuit} gives vectors of {made} numbers")
