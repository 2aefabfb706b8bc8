"""The queries of consolidation: finds profiles with many memories, inserts folds, and opens them again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from psycopg.rows import dict_row, tuple_row

from keepsake.domain.lifecycle.consolidation import Fold
from keepsake.infra.database import Connection, queries
from keepsake.store.row_keys import ProfileKey

_SQL = queries.load("consolidation")


async def next_crowded_profile(
    conn: Connection, *, after: ProfileKey, people: int, min_memories: int, min_growth: int
) -> tuple[ProfileKey | None, ProfileKey | None]:
    """The first of the next profiles with many memories, and with new ones since its last consolidation; and where to
    continue: None after the last profile.
    """
    row = await _SQL["next_crowded_profile"].one(
        conn,
        dict_row,
        after_user=after.user_id,
        after=after.profile_id,
        people=people,
        min_memories=min_memories,
        min_growth=min_growth,
    )
    if row is None:
        return None, None
    if row["user_id"] is not None:
        found = ProfileKey(row["user_id"], row["profile_id"])
        return found, found
    return None, ProfileKey(row["last_user"], row["last"]) if row["seen"] == people else None


async def record_consolidation(conn: Connection, profile: ProfileKey, *, now: datetime) -> None:
    """Record that a profile was consolidated."""
    await _SQL["record_consolidation"].execute(conn, **profile.params, now=now)


async def insert_fold(conn: Connection, profile: ProfileKey, fold: Fold, *, now: datetime) -> None:
    """Insert a fold and archive its members; requires an operation."""
    ids = [member.id for member in fold.members]
    params = {
        **profile.params,
        "ids": ids,
        "text": fold.text,
        "key": fold.key,
        "subtype": fold.subtype.value,
        "entity_refs": list(fold.entity_refs),
        "now": now,
    }
    (fold_id,) = await _SQL["insert_fold"].single(conn, tuple_row, **params)
    await _SQL["archive_members"].execute(conn, user_id=profile.user_id, ids=ids, fold=fold_id, now=now)


async def open_folds(conn: Connection, *, user_id: UUID, of: Sequence[UUID]) -> bool:
    """Open the folds that these memories are, or are in; returns whether there was one. Requires an operation."""
    folds = await _SQL["folds_of"].values(conn, user_id=user_id, ids=list(of))
    return bool(folds) and bool(await _SQL["open_folds"].value(conn, user_id=user_id, folds=folds))
