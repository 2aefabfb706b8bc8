"""The copies of an application's own chats: rows that could not be copied are copied again."""

from __future__ import annotations

from keepsake.infra.database import Connection, queries

_SQL = queries.load("chat_copies")


async def repair_copies(conn: Connection, *, limit: int) -> int:
    """Copy again what could not be copied; returns how many rows were. 0 where the application has no copies."""
    if not await _SQL["can_repair"].value(conn):
        return 0
    repaired: int = await _SQL["repair"].value(conn, limit=limit)
    return repaired
