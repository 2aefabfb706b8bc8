"""What is stored of a person, section by section as it stands, fetched bit by bit from the server."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import tuple_row

from keepsake.domain.transfer.sections import Section
from keepsake.infra import queries
from keepsake.infra.db import Connection, become_service

_SQL = queries.load("exports")
BATCH = 250
"""Rows fetched at a time."""


async def rows(
    conn: Connection, section: Section, *, user_id: UUID, now: datetime
) -> AsyncIterator[list[dict[str, Any]]]:
    """The rows of a section, some at a time. What is private is read as the service, which the transaction stays."""
    await conn.execute(_SQL["in_utc"].sql)
    if any(table.startswith("keepsake.") for table in section.tables):
        await become_service(conn)
    async with conn.cursor(name="export", row_factory=tuple_row) as cursor:
        await cursor.execute(_SQL[section.name].sql, {"user_id": user_id, "now": now})
        while batch := await cursor.fetchmany(BATCH):
            yield [json.loads(text) for (text,) in batch]
