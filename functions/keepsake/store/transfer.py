"""What an import asks of the database, and writes: a batch of rows a statement, in the person's own transaction."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from types import MappingProxyType
from typing import Any
from uuid import UUID

from keepsake.domain.memory import MemoryType
from keepsake.domain.transfer.plan import Found
from keepsake.domain.transfer.rows import Judged
from keepsake.infra.database import Connection, queries

_SQL = queries.load("transfer")
_LOOKED_UP = (
    "id", "profile_id", "persona_id", "memory_text", "memory_key", "memory_no", "status", "conversation_id",
    "source_message_id", "supersedes_id", "folded_into", "entity_refs",
)  # fmt: skip


async def own_profiles(conn: Connection, *, user_id: UUID) -> Mapping[str, bool]:
    """The person's profiles, and whether each is the primary one; that one comes first."""
    rows = await (await conn.execute(_SQL["own_profiles"].sql, {"user_id": user_id})).fetchall()
    return {str(row["id"]): row["is_primary"] for row in rows}


async def allowed_types(conn: Connection, *, user_id: UUID) -> frozenset[str]:
    """The kinds of memories the person allows: all, where they have not chosen."""
    row = await (await conn.execute(_SQL["allowed_types"].sql, {"user_id": user_id})).fetchone()
    return frozenset(row["allowed_types"] if row else MemoryType)


async def hold_merges(conn: Connection, *, user_id: UUID, profiles: Sequence[str]) -> None:
    """Wait until nobody merges into these profiles; held until this transaction ends."""
    await conn.execute(_SQL["hold_merges"].sql, {"user_id": user_id, "profiles": list(profiles)})


async def count_active(conn: Connection, *, user_id: UUID, profiles: Sequence[str]) -> dict[str, int]:
    """How many active memories each profile holds."""
    given = {"user_id": user_id, "profiles": list(profiles)}
    rows = await (await conn.execute(_SQL["count_active"].sql, given)).fetchall()
    return {row["profile_id"]: row["active"] for row in rows}


async def look_up(conn: Connection, *, user_id: UUID, operation_id: UUID, batch: Sequence[Judged]) -> list[Found]:
    """What the database says of each row of a batch before it is written."""
    asked = [_question(n, judged) for n, judged in enumerate(batch)]
    given = {"user_id": user_id, "operation_id": operation_id, "rows": json.dumps(asked)}
    rows = await (await conn.execute(_SQL["look_up_rows"].sql, given)).fetchall()
    return [Found(**row) for row in rows]


async def take_numbers(conn: Connection, *, user_id: UUID, wanted: int, at_least: int = 0) -> int:
    """Take running numbers beyond `at_least`; the last of them."""
    given = {"user_id": user_id, "wanted": wanted, "at_least": at_least}
    row = await (await conn.execute(_SQL["take_numbers"].sql, given)).fetchone()
    return int(row["value"]) if row else 0


async def insert(conn: Connection, *, user_id: UUID, rows: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """Write rows exactly as they are given; the ids of those that are written."""
    given = {"user_id": user_id, "rows": json.dumps(rows)}
    async with _as_given(conn):
        written = await (await conn.execute(_SQL["insert_rows"].sql, given)).fetchall()
    return frozenset(str(row["id"]) for row in written)


async def tie_chains(conn: Connection, *, user_id: UUID, chains: Sequence[Mapping[str, str | None]]) -> None:
    """Point rows at those they replaced, or went into, where these came later in the file."""
    async with _as_given(conn):
        await conn.execute(_SQL["tie_chains"].sql, {"user_id": user_id, "chains": json.dumps(chains)})


async def restore(conn: Connection, section: str, *, user_id: UUID, rows: Sequence[Mapping[str, Any]]) -> int:
    """Write signed rows of one of RESTORED as they were, where nothing stands in their place; how many."""
    by_decision = section == "entities"
    given = {"user_id": user_id, "rows": json.dumps([row for row in rows if not by_decision or _is_decided(row)])}
    await conn.execute(_SQL["keep_every_column"].sql, {"on": "on"})
    written = await (await conn.execute(_SQL[RESTORED[section]].sql, given)).fetchall()
    await conn.execute(_SQL["keep_every_column"].sql, {"on": ""})
    if by_decision:  # those that nobody ever touched come and go with their memories, and are not recorded
        given["rows"] = json.dumps([row for row in rows if not _is_decided(row)])
        written += await (await conn.execute(_SQL[RESTORED[section]].sql, given)).fetchall()
    return len(written)


async def drop_idle_entities(conn: Connection, *, user_id: UUID, profile_id: str, keys: Sequence[str]) -> None:
    """Take back entities that no memory refers to."""
    given = {"user_id": user_id, "profile_id": profile_id, "keys": list(keys)}
    await conn.execute(_SQL["drop_idle_entities"].sql, given)


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
    for setting in ("keep_every_column", "leave_entities_unsaid"):
        await conn.execute(_SQL[setting].sql, {"on": "on"})
    yield
    for setting in ("keep_every_column", "leave_entities_unsaid"):
        await conn.execute(_SQL[setting].sql, {"on": ""})


def _is_decided(entity: Mapping[str, Any]) -> bool:
    """Whether a person gave the entity its name, or another."""
    return bool(entity.get("renamed") or entity.get("aliases"))


def _question(n: int, judged: Judged) -> dict[str, Any]:
    row = judged.row or {}
    return {"n": n, "signed": judged.signed, **{name: row[name] for name in _LOOKED_UP}}
