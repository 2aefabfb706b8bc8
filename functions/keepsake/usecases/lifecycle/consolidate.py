"""The curator: looks through crowded profiles and folds many small statements about one thing into one."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from keepsake.domain.lifecycle.consolidation import find_folds
from keepsake.infra.database import Connection
from keepsake.store import curation, memories
from keepsake.store.curation import Crowded
from keepsake.store.locks import lock_memories, lock_profile
from keepsake.store.operations import operation
from keepsake.store.retention import Step


async def curate(conn: Connection, after: tuple[UUID, UUID], *, now: datetime, people: int) -> Step[tuple[UUID, UUID]]:
    """Fold what can be folded in the first crowded one of the next profiles; how many memories went into folds."""
    profile, last = await curation.next_crowded(conn, after=after, people=people)
    if profile is None:
        return Step(0, last)
    folded = await _curate(conn, profile, now)
    await curation.note(conn, profile, now=now)
    return Step(folded, last)


async def _curate(conn: Connection, profile: Crowded, now: datetime) -> int:
    await lock_profile(conn, user_id=profile.user_id, profile_id=profile.profile_id)
    made = find_folds(await memories.active(conn, user_id=profile.user_id, profile_id=profile.profile_id), now)
    touched = sorted(member.id for fold in made for member in fold.members)
    await lock_memories(conn, user_id=profile.user_id, ids=touched)
    for fold in made:
        async with operation(conn, actor="cron", reason="folded with others like it"):
            await curation.fold(conn, profile, fold, now=now)
    return len(touched)
