"""Days on which several people spoke in a shared conversation, and the leases of who asks the model for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from psycopg.rows import tuple_row

from keepsake.infra.database import Connection, queries
from keepsake.store.summaries import ProfilePeriod

_SQL = queries.load("shared_conversation_days")
_MAX_COMPANIONS = 7


async def is_leased(conn: Connection, target: ProfilePeriod, *, now: datetime) -> bool:
    """Whether another job asks the model about this day too."""
    return bool(await _SQL["is_leased"].value(conn, **target.params, now=now))


async def companions(conn: Connection, target: ProfilePeriod, span: tuple[datetime, datetime]) -> list[ProfilePeriod]:
    """This day of the others who spoke in a conversation with the person in the span, where it is due too."""
    found = await _SQL["companions"].all(
        conn, tuple_row, **target.params, start=span[0], end=span[1], limit=_MAX_COMPANIONS
    )
    return [ProfilePeriod(user_id, profile_id, target.period) for user_id, profile_id in found]


async def lease(
    conn: Connection, targets: Sequence[ProfilePeriod], *, until: datetime, now: datetime
) -> list[ProfilePeriod]:
    """Lease these periods of one day; returns those that nobody else had leased, in the order of the people's ids."""
    found = await _SQL["lease"].all(conn, tuple_row, **_params(targets), until=until, now=now)
    return [ProfilePeriod(user_id, profile_id, targets[0].period) for user_id, profile_id in sorted(found)]


async def release(conn: Connection, targets: Sequence[ProfilePeriod]) -> None:
    """End the leases of these periods of one day."""
    await _SQL["release"].execute(conn, **_params(targets))


def _params(targets: Sequence[ProfilePeriod]) -> dict[str, Any]:
    return {
        "user_ids": [target.user_id for target in targets],
        "profile_ids": [target.profile_id for target in targets],
        "first_date": targets[0].period.first,
    }
