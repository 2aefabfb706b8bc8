"""The queries of an import: finds duplicates and conflicts of a batch of rows, and inserts them."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Any
from uuid import UUID

from psycopg.rows import class_row, dict_row, tuple_row

from keepsake.domain.memory import MemoryType
from keepsake.domain.transfer.import_plan import RowMatch
from keepsake.domain.transfer.validate_row import ValidatedRow
from keepsake.infra.database import Connection, queries

_SQL = queries.load("imports")
_MATCHED_COLUMNS = (
    "id", "profile_id", "persona_id", "memory_text", "memory_key", "memory_no", "status", "conversation_id",
    "source_message_id", "supersedes_id", "folded_into", "entity_refs",
)  # fmt: skip


async def own_profiles(conn: Connection, *, user_id: UUID) -> Mapping[str, bool]:
    """The person's profiles, and whether each is the primary one; the primary one comes first."""
    rows = await _SQL["own_profiles"].all(conn, dict_row, user_id=user_id)
    return {str(row["id"]): row["is_primary"] for row in rows}


async def allowed_types(conn: Connection, *, user_id: UUID) -> frozenset[str]:
    """The memory types that the person allows: all by default."""
    row = await _SQL["allowed_types"].one(conn, dict_row, user_id=user_id)
    return frozenset(row["allowed_types"] if row else MemoryType)


async def count_erasures(conn: Connection, *, user_id: UUID) -> int:
    """How many times the person has erased anything."""
    return await _SQL["count_erasures"].value(conn, user_id=user_id)


async def count_active(conn: Connection, *, user_id: UUID, profiles: Sequence[str]) -> dict[str, int]:
    """The number of active memories of each profile."""
    return dict(await _SQL["count_active"].all(conn, tuple_row, user_id=user_id, profiles=list(profiles)))


async def match_rows(
    conn: Connection, *, user_id: UUID, operation_id: UUID, batch: Sequence[ValidatedRow]
) -> list[RowMatch]:
    """The duplicates and conflicts of each row of a batch."""
    rows = json.dumps([_columns_to_match(n, validated) for n, validated in enumerate(batch)])
    return await _SQL["match_rows"].all(
        conn, class_row(RowMatch), user_id=user_id, operation_id=operation_id, rows=rows
    )


async def reserve_numbers(conn: Connection, *, user_id: UUID, count: int, minimum: int = 0) -> int:
    """Reserve memory numbers after `minimum`; returns the last."""
    return int(await _SQL["reserve_numbers"].value(conn, user_id=user_id, count=count, minimum=minimum))


async def insert_rows(conn: Connection, *, user_id: UUID, rows: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """Insert memories unchanged; returns the ids of those inserted."""
    async with _raw_write(conn):
        written = await _SQL["insert_rows"].values(conn, user_id=user_id, rows=json.dumps(rows))
    return frozenset(map(str, written))


async def link_deferred(conn: Connection, *, user_id: UUID, links: Sequence[Mapping[str, str | None]]) -> None:
    """Set the references to superseded memories and folds that came later in the file."""
    async with _raw_write(conn):
        await _SQL["link_deferred"].execute(conn, user_id=user_id, links=json.dumps(links))


async def restore(conn: Connection, section: str, *, user_id: UUID, rows: Sequence[Mapping[str, Any]]) -> int:
    """Insert signed rows of a section of RESTORED_SECTIONS, where no such row exists; returns how many."""
    is_entity = section == "entities"
    restore_rows = _SQL[RESTORED_SECTIONS[section]]
    recorded = json.dumps([row for row in rows if not is_entity or _is_named_by_person(row)])
    await _SQL["set_raw_write"].execute(conn, on="on")
    written = await restore_rows.values(conn, user_id=user_id, rows=recorded)
    await _SQL["set_raw_write"].execute(conn, on="")
    if is_entity:  # the others are created and deleted with their memories, and are not in the audit log
        implicit = json.dumps([row for row in rows if not _is_named_by_person(row)])
        written += await restore_rows.values(conn, user_id=user_id, rows=implicit)
    return len(written)


async def delete_unreferenced_entities(
    conn: Connection, *, user_id: UUID, profile_id: str, keys: Sequence[str]
) -> None:
    """Delete entities that no memory refers to."""
    await _SQL["delete_unreferenced_entities"].execute(conn, user_id=user_id, profile_id=profile_id, keys=list(keys))


RESTORED_SECTIONS: Mapping[str, str] = MappingProxyType(
    {
        "entities": "restore_entities",
        "alias_proposals": "restore_alias_proposals",
        "places": "restore_places",
        "place_mentions": "restore_place_mentions",
        "todos": "restore_todos",
    }
)
"""The sections beside the memories that an import restores, in this order, and the query of each."""


@asynccontextmanager
async def _raw_write(conn: Connection) -> AsyncIterator[None]:
    """Within the block memories are written unchanged, and the entities created with them are not logged."""
    for setting in ("set_raw_write", "set_implicit_entity_changes"):
        await _SQL[setting].execute(conn, on="on")
    yield
    for setting in ("set_raw_write", "set_implicit_entity_changes"):
        await _SQL[setting].execute(conn, on="")


def _is_named_by_person(entity: Mapping[str, Any]) -> bool:
    """Whether the person renamed the entity or gave it an alias."""
    return bool(entity.get("renamed") or entity.get("aliases"))


def _columns_to_match(n: int, validated: ValidatedRow) -> dict[str, Any]:
    row = validated.row or {}
    return {"n": n, "signed": validated.signed, **{name: row[name] for name in _MATCHED_COLUMNS}}
