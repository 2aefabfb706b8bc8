"""Undoes an operation in one transaction, by statements that each lock or revert a bounded number of rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

import psycopg
from psycopg.rows import tuple_row

from keepsake.errors import Conflict, KeepsakeError, NotFound
from keepsake.infra.database import Connection, queries

_SQL = queries.load("undo")
_MAX_POSITION = 2**63 - 1
_NO_ID = UUID(int=0)
_MIN_STEP = 16
_REFUSALS: dict[str | None, type[KeepsakeError]] = {"PT404": NotFound, "PT409": Conflict, "PT410": Conflict}

Reporter = Callable[[int, int], None]
"""Called after each statement with the number of changes that are reverted, and the number of all."""


@dataclass(frozen=True, slots=True)
class UndoLimits:
    """Rows that one statement locks, and changes that one statement reverts."""

    locked: int = 5_000
    reverted: int = 1_000


async def undo_operation(
    conn: Connection,
    *,
    user_id: UUID,
    operation_id: UUID,
    report: Reporter | None = None,
    limits: UndoLimits = UndoLimits(),
) -> tuple[UUID, int]:
    """Undo an operation; returns the operation that undid it, and the number of changes that were reverted.

    Raises NotFound where the person has no such operation, and Conflict where it can no longer be undone.
    """
    try:
        async with conn.transaction():
            return await _undo(conn, {"user_id": user_id, "operation_id": operation_id}, report, limits)
    except psycopg.DatabaseError as error:
        if (refusal := _REFUSALS.get(error.sqlstate)) is not None:
            raise refusal(
                error.diag.message_primary, details=error.diag.message_detail, hint=error.diag.message_hint
            ) from error
        raise


async def _undo(
    conn: Connection, ids: dict[str, UUID], report: Reporter | None, limits: UndoLimits
) -> tuple[UUID, int]:
    undo_id: UUID = await _SQL["begin_undo"].value(conn, **ids)
    tables = await _SQL["changed_tables"].all(conn, tuple_row, **ids)
    changes = sum(count for _, count in tables)
    for table, _ in tables:
        above: UUID | None = _NO_ID
        while above is not None:
            above = await _SQL["lock_rows_to_undo"].value(
                conn, table_name=table, above=above, max_rows=limits.locked, **ids
            )
    below, reverted, size = _MAX_POSITION, 0, _MIN_STEP
    while (step := await _SQL["undo_step"].value(conn, below=below, max_rows=size, **ids)) is not None:
        below, reverted = step["reached"], reverted + step["changes"]
        # A long run may go on; where the kinds of changes alternate, looking far ahead would be in vain.
        size = min(2 * size, limits.reverted) if step["changes"] == size else _MIN_STEP
        if report is not None:
            report(reverted, changes)
    await _SQL["end_operation"].execute(conn, undo_id=undo_id, affected=reverted)
    return undo_id, reverted
