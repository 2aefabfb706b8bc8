"""Consolidates crowded profiles: many small statements about one thing are replaced by one fold."""

from __future__ import annotations

from datetime import datetime

from keepsake.domain.lifecycle.consolidation import find_folds
from keepsake.infra.database import Connection
from keepsake.store import consolidation, memories
from keepsake.store.locks import lock_memories, lock_profile
from keepsake.store.operations import operation
from keepsake.store.retention import BatchResult
from keepsake.store.row_keys import ProfileKey


async def consolidate(
    conn: Connection, after: ProfileKey, *, now: datetime, people: int, min_memories: int, min_growth: int
) -> BatchResult[ProfileKey]:
    """Consolidate the first crowded one of the next profiles; the number of folded memories."""
    profile, last = await consolidation.next_crowded_profile(
        conn, after=after, people=people, min_memories=min_memories, min_growth=min_growth
    )
    if profile is None:
        return BatchResult(0, last)
    folded = await _consolidate_profile(conn, profile, now)
    await consolidation.record_consolidation(conn, profile, now=now)
    return BatchResult(folded, last)


async def _consolidate_profile(conn: Connection, profile: ProfileKey, now: datetime) -> int:
    await lock_profile(conn, **profile.params)
    planned = find_folds(await memories.active(conn, **profile.params), now)
    touched = sorted(member.id for fold in planned for member in fold.members)
    await lock_memories(conn, user_id=profile.user_id, ids=touched)
    for fold in planned:
        async with operation(conn, actor="cron", reason="folded with others like it"):
            await consolidation.insert_fold(conn, profile, fold, now=now)
    return len(touched)
