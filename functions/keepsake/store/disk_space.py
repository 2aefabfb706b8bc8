"""Finds out whether the database has room to write, without writing a row."""

from __future__ import annotations

from keepsake.infra.database import Connection, queries

_SQL = queries.load("disk_space")


async def write_temporarily(conn: Connection) -> None:
    """Write a temporary file; an error of the database where its disk is full."""
    await _SQL["set_small_memory"].execute(conn)
    await _SQL["sort_through_a_file"].value(conn)
