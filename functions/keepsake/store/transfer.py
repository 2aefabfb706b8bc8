"""What an import asks of the database, and writes: a batch of rows a statement, in the person's own transaction."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Any
from uuid import UUID

from psycopg.rows import class_row, dict_row, tuple_row

from keepsake.domain.memory import MemoryType
from keepsake.domain.transfer.import_plan import Found
from keepsake.domain.transfer.validate_row import Judged
from keepsake.infra.database import Connection, queries

_SQL = queries.load("transfer")
_LOOKED_UP = (
    "id", "profile_id", "persona_id", "memory_text", "memory_key", "memory_no", "status", "conversation_id",
    "source_message_id", "supersedes_id", "folded_into", "entity_refs",
)  # fmt: skip


async def own_profiles(conn: Connection, *, user_id: UUID) -> Mapping[str, bool]:
    """The person's profiles, and whether each is the primary one; that one comes first."""
    rows = await _SQL["own_profiles"].all(conn, dict_row, user_id=user_id)
    return {str(row["id"]): row["is_primary"] for row in rows}


async def allowed_types(conn: Connection, *, user_id: UUID) -> frozenset[str]:
    """The kinds of memories the person allows: all, where they have not chosen."""
    row = await _SQL["allowed_types"].one(conn, dict_row, user_id=user_id)
    return frozenset(row["allowed_types"] if row else MemoryType)


async def count_active(conn: Connection, *, user_id: UUID, profiles: Sequence[str]) -> dict[str, int]:
    """How many active memories each profile holds."""
    return dict(await _SQL["count_active"].all(conn, tuple_row, user_id=user_id, profiles=list(profiles)))


async def look_up(conn: Connection, *, user_id: UUID, operation_id: UUID, batch: Sequence[Judged]) -> list[Found]:
    """What the database says of each row of a batch before it is written."""
    asked = [_question(n, judged) for n, judged in enumerate(batch)]
    given = {"user_id": user_id, "operation_id": operation_id, "rows": json.dumps(asked)}
    return await _SQL["match_rows"].all(conn, class_row(Found), **given)


async def take_numbers(conn: Connection, *, user_id: UUID, wanted: int, at_least: int = 0) -> int:
    """Take running numbers beyond `at_least`; the last of them."""
    return int(await _SQL["reserve_numbers"].value(conn, user_id=user_id, wanted=wanted, at_least=at_least))


async def insert(conn: Connection, *, user_id: UUID, rows: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """Write rows exactly as they are given; the ids of those that are written."""
    async with _as_given(conn):
        written = await _SQL["insert_rows"].values(conn, user_id=user_id, rows=json.dumps(rows))
    return frozenset(map(str, written))


async def tie_chains(conn: Connection, *, user_id: UUID, chains: Sequence[Mapping[str, str | None]]) -> None:
    """Point rows at those they replaced, or went into, where these came later in the file."""
    async with _as_given(conn):
        await _SQL["link_deferred"].execute(conn, user_id=user_id, chains=json.dumps(chains))


async def restore(conn: Connection, section: str, *, user_id: UUID, rows: Sequence[Mapping[str, Any]]) -> int:
    """Write signed rows of one of RESTORED as they were, where nothing stands in their place; how many."""
    by_decision = section == "entities"
    restore_rows = _SQL[RESTORED[section]]
    decided = json.dumps([row for row in rows if not by_decision or _is_decided(row)])
    await _SQL["set_raw_write"].execute(conn, on="on")
    written = await restore_rows.values(conn, user_id=user_id, rows=decided)
    await _SQL["set_raw_write"].execute(conn, on="")
    if by_decision:  # those that nobody ever touched come and go with their memories, and are not recorded
        untouched = json.dumps([row for row in rows if not _is_decided(row)])
        written += await restore_rows.values(conn, user_id=user_id, rows=untouched)
    return len(written)


async def drop_idle_entities(conn: Connection, *, user_id: UUID, profile_id: str, keys: Sequence[str]) -> None:
    """Take back entities that no memory refers to."""
    await _SQL["delete_unreferenced_entities"].execute(conn, user_id=user_id, profile_id=profile_id, keys=list(keys))


RESTORED: Mapping[str, str] = MappingProxyType(
    {
        "entities": "restore_entities",
        "alias_proposals": "restore_alias_proposals",
        "places": "restore_places",
        "place_mentions": "restore_place_mentions",
    }
)
"""The sections beside the memories that come back, in the order in which they can; and the query of each."""


@asynccontextmanager
async def _as_given(conn: Connection) -> AsyncIterator[None]:
    """Write memories in the block exactly as they are given, and entities along with them."""
    for setting in ("set_raw_write", "set_implicit_entity_changes"):
        await _SQL[setting].execute(conn, on="on")
    yield
    for setting in ("set_raw_write", "set_implicit_entity_changes"):
        await _SQL[setting].execute(conn, on="")


def _is_decided(entity: Mapping[str, Any]) -> bool:
    """Whether a person gave the entity its name, or another."""
    return bool(entity.get("renamed") or entity.get("aliases"))


def _question(n: int, judged: Judged) -> dict[str, Any]:
    row = judged.row or {}
    return {"n": n, "signed": judged.signed, **{name: row[name] for name in _LOOKED_UP}}
