"""Edits of a person that were not screened yet, and rejected ones that no context has mentioned yet."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg.rows import args_row

from keepsake.infra.database import Connection, queries
from keepsake.store.operations import operation

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


Key = tuple[str, str]
"""The key of a text, and its value."""


async def list_edits(conn: Connection, *, user_id: UUID, limit: int) -> list[UnscreenedEdit]:
    """The unscreened edits of a person, the newest first."""
    return await _SQL["list_edits"].all(conn, args_row(UnscreenedEdit), user_id=user_id, limit=limit)


async def list_with_keys(conn: Connection, keys: Collection[Key], *, user_id: UUID) -> list[UUID]:
    """The active memories of the person that have one of these keys, in any profile."""
    return await _SQL["list_with_keys"].values(conn, user_id=user_id, keys=[key for key, _ in keys]) if keys else []


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


async def accept_edits(conn: Connection, edits: Collection[UnscreenedEdit], *, user_id: UUID) -> None:
    """Remove the edits of memories whose text passed, where the memory was not edited again meanwhile."""
    await _SQL["accept_edits"].execute(conn, user_id=user_id, **_edit_params(edits))


async def store_keys(conn: Connection, keys: Mapping[UnscreenedEdit, Key], *, user_id: UUID, now: datetime) -> None:
    """Store the key and value of each text, given oldest first, unless the memory was edited again meanwhile.

    Another memory that has the key is superseded, under the operation of the edit: both are undone together.
    """
    if not keys:
        return
    params = _edit_params(keys) | {"keys": [key for key, _ in keys.values()], "values": [it for _, it in keys.values()]}
    taken = set(await _SQL["store_keys"].values(conn, user_id=user_id, **params))
    await _SQL["end_raw_write"].execute(conn)
    for edit, (key, value) in keys.items():
        if edit.memory_id in taken:
            named = {"user_id": user_id, "memory_id": edit.memory_id, "key": key}
            async with operation(
                conn, actor="user", reason="the person's edit says it otherwise", id=edit.operation_id
            ):
                other = await _SQL["supersede_other"].value(conn, **named, now=now)
                await _SQL["take_over_key"].execute(conn, **named, value=value, other_id=other)


def _edit_params(edits: Collection[UnscreenedEdit]) -> dict[str, Any]:
    return {
        "memory_ids": [edit.memory_id for edit in edits],
        "texts": [edit.text for edit in edits],
        "personas": [edit.persona_id for edit in edits],
    }


async def list_rejections(conn: Connection, *, user_id: UUID) -> list[RejectedEdit]:
    """The rejected edits that no context has mentioned."""
    return await _SQL["list_rejections"].all(conn, args_row(RejectedEdit), user_id=user_id)


async def forget_rejections(conn: Connection, *, user_id: UUID) -> None:
    """Remove the rejected edits that a context has mentioned."""
    await _SQL["forget_rejections"].execute(conn, user_id=user_id)
