"""Tells whether the database has the migrations of this release."""

from __future__ import annotations

from collections.abc import Sequence

from keepsake.infra.database import Connection, queries

_SQL = queries.load("schema_age")


async def is_older(conn: Connection, *, versions: Sequence[str]) -> bool:
    """Whether the database lacks one of these migrations; false where its history does not say."""
    if not await _SQL["can_answer"].value(conn):
        return True
    return bool(await _SQL["missing_migrations"].value(conn, versions=list(versions)))
