"""Checks whether vectors can be made and stored: pgvector in the database, and the endpoint for embeddings."""

from __future__ import annotations

import asyncio

from keepsake.errors import KeepsakeError
from keepsake.infra.database.queries import load
from keepsake.infra.models.chat_reply_parser import ModelUnavailable
from keepsake.infra.models.embedding_reply_parser import TextsRefused
from keepsake.infra.package_files import SQL_FOLDER
from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.operations.connection import connect
from keepsake.operations.finding import Finding

NO_PGVECTOR = "Install pgvector on the server (as its superuser: create extension vector;), then `keepsake migrate`."
_SQL = load("embed", SQL_FOLDER / "operations")
_SUBJECT = "vectors"
_PROBE_TEXT = "ok"
_PROBE_SECONDS = 10.0
_REMEDIES = {
    "too_many_dimensions": "Set OPENAI_EMBEDDING_DIMENSIONS to 2000 or less, or take a model with shorter vectors.",
    "wrong_dimension": "Set OPENAI_EMBEDDING_DIMENSIONS to what the model can give, or leave it out.",
}


def check_vectors(settings: Settings) -> Finding:
    """Check that vectors can be made and stored, by making one."""
    if not settings.openai_embedding_model:
        return Finding(_SUBJECT, "off: what a message is about is found by words alone")
    return check_pgvector(settings) or asyncio.run(_check_endpoint(Resources.build(settings)))


def check_pgvector(settings: Settings) -> Finding | None:
    """Check that the database can store the vectors that the settings ask for; None if nothing is wrong."""
    if not settings.openai_embedding_model:
        return None
    try:
        with connect(settings.database_url.get_secret_value()) as conn:
            if conn.execute(_SQL["are_vectors_available"].sql.encode()).fetchone() == (True,):
                return None
    except KeepsakeError as error:
        return Finding(_SUBJECT, error.message, failed=True)
    result = "OPENAI_EMBEDDING_MODEL is set, but the database has no pgvector: words alone decide"
    return Finding(_SUBJECT, result, NO_PGVECTOR, failed=True)


async def _check_endpoint(resources: Resources) -> Finding:
    embedder = resources.embedder
    if embedder is None:
        return Finding(_SUBJECT, "off")
    try:
        deadline = asyncio.get_running_loop().time() + _PROBE_SECONDS
        made = (await embedder.embed([_PROBE_TEXT], deadline=deadline)).dimensions
        async with resources.database.as_service() as conn:
            row = await (await conn.execute(_SQL["stored_dimensions"].sql, {"model": embedder.model})).fetchone()
    except TextsRefused:
        remedy = "Check OPENAI_EMBEDDING_MODEL, its key, and OPENAI_EMBEDDING_DIMENSIONS."
        return Finding(_SUBJECT, f"{embedder.circuit} refuses every text", remedy, failed=True)
    except ModelUnavailable as failure:
        remedy = _REMEDIES.get(failure.why, "Check its address and key; meanwhile words alone decide.")
        return Finding(_SUBJECT, f"{embedder.circuit} gives none ({failure.why})", remedy, failed=True)
    finally:
        await resources.close()
    if row is not None and row["dimensions"] != made:
        result = f"{embedder.circuit} gives vectors of {made} numbers, and those that are kept have {row['dimensions']}"
        remedy = "If the model has changed under its name: `keepsake embed --again`."
        return Finding(_SUBJECT, result, remedy, failed=True)
    return Finding(_SUBJECT, f"{embedder.circuit} gives vectors of {made} numbers")
