"""Edits of a person that were not screened yet, and rejected ones that no context has mentioned yet."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from psycopg.rows import args_row

from keepsake.infra.database import Connection, queries

_SQL = queries.load("unscreened_edits")


@dataclass(frozen=True, slots=True)
class UnscreenedEdit:
    """One edit, and the memory as it is now."""

    memory_id: UUID
    operation_id: UUID
    text: str
    persona_id: str | None
    has_key: bool


@dataclass(frozen=True, slots=True)
class RejectedEdit:
    """The reference of a memory whose edit was undone, and why."""

    ref: str
    rejection: str


async def list_edits(conn: Connection, *, user_id: UUID) -> list[UnscreenedEdit]:
    """The unscreened edits of a person, the newest first."""
    return await _SQL["list_edits"].all(conn, args_row(UnscreenedEdit), user_id=user_id)


async def reject_edit(conn: Connection, edit: UnscreenedEdit, rejection: str, *, user_id: UUID) -> None:
    """Undo an edit, unless the memory was edited again meanwhile, and keep the reason for the next context."""
    params = {
        "user_id": user_id,
        "memory_id": edit.memory_id,
        "operation_id": edit.operation_id,
        "rejection": rejection,
    }
    text = {"memory_text": edit.text, "persona_id": edit.persona_id}
    if await _SQL["reject_edit"].value(conn, **params, **text) is not None:
        await _SQL["note_rejection"].execute(conn, **params)


async def accept_edits(conn: Connection, edit: UnscreenedEdit, key: tuple[str, str] | None, *, user_id: UUID) -> None:
    """Remove the edits of a memory whose text passed, and store the key and value of the text.

    Neither where the memory was edited again meanwhile.
    """
    params = {"user_id": user_id, "memory_id": edit.memory_id, "memory_text": edit.text}
    await _SQL["accept_edits"].execute(conn, **params, persona_id=edit.persona_id)
    if key is not None:
        await _SQL["store_derived_key"].execute(conn, **params, key=key[0], value=key[1])
        await _SQL["end_raw_write"].execute(conn)


async def list_rejections(conn: Connection, *, user_id: UUID) -> list[RejectedEdit]:
    """The rejected edits that no context has mentioned."""
    return await _SQL["list_rejections"].all(conn, args_row(RejectedEdit), user_id=user_id)


async def forget_rejections(conn: Connection, *, user_id: UUID) -> None:
    """Remove the rejected edits that a context has mentioned."""
    await _SQL["forget_rejections"].execute(conn, user_id=user_id)
