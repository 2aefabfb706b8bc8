"""Which summaries are due, and the time zones by which a profile's periods end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

from psycopg.rows import args_row, class_row, dict_row

from keepsake.domain.screening.screen import shown_name
from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.local_days import BEGINNING, ZoneChange, ZoneHistory
from keepsake.domain.summaries.model_wait import ModelWait
from keepsake.domain.summaries.periods import Level, Period
from keepsake.domain.timezones import find_timezone
from keepsake.infra.database import Connection, queries
from keepsake.store.retention import BatchResult
from keepsake.store.row_keys import ProfileKey
from keepsake.store.summaries import ProfilePeriod

_SQL = queries.load("summary_schedule")


@dataclass(frozen=True, slots=True)
class Calendar:
    """By which time zones a profile's periods end, and whether its person wants anything to be made of memories."""

    history: ZoneHistory
    is_enabled: bool
    author: Author | None = None
    """The person in this profile; None where their name may not reach a model: its person writes it directly."""
    birth_chart: object = None
    """As the host stores it; None where there is none."""


async def fold_marks(conn: Connection, *, limit: int) -> int:
    """Turn the oldest marks of changed memories into due periods; returns how many, at most ``limit``."""
    return int(await _SQL["fold_marks"].value(conn, limit=limit))


async def claim_due(
    conn: Connection, level: Level, *, now: datetime, next_attempt_at: datetime, limit: int
) -> list[ProfileKey]:
    """The next profiles with due summaries; the next call takes others until the next attempt."""
    params = {"level": level, "now": now, "next_attempt_at": next_attempt_at, "limit": limit}
    return await _SQL["claim_due"].all(conn, args_row(ProfileKey), **params)


async def count_due(conn: Connection, level: Level, *, now: datetime, limit: int) -> int:
    """How many summaries are due, at most ``limit``."""
    return int(await _SQL["count_due"].value(conn, level=level, now=now, limit=limit))


async def waiting_periods(conn: Connection, profile: ProfileKey, level: Level, *, before: date) -> list[ProfilePeriod]:
    """The periods of a profile that wait for a summary and began before this date, oldest first."""
    found = await _SQL["periods_of_profile"].values(conn, **profile.params, level=level, before=before)
    return [ProfilePeriod(*profile, Period(level, first)) for first in found]


async def lock(conn: Connection, target: ProfilePeriod) -> bool:
    """Lock a waiting period; False where somebody else writes it or has written it."""
    return await _SQL["lock_period"].value(conn, **_key(target)) is not None


async def postpone(conn: Connection, target: ProfilePeriod, *, due_at: datetime) -> None:
    """Look at a period again at this moment."""
    await _SQL["postpone"].execute(conn, **_key(target), due_at=due_at)


async def model_wait(conn: Connection, target: ProfilePeriod) -> ModelWait | None:
    """How long a period has waited for the model; None where it waits for no summary."""
    return await _SQL["model_wait"].one(conn, class_row(ModelWait), **_key(target))


async def wait_for_model(conn: Connection, target: ProfilePeriod, *, due_at: datetime, wait: ModelWait) -> None:
    """Keep a period until the model is asked again; the counts are added to those of the period."""
    await _SQL["wait_for_model"].execute(conn, **_key(target), due_at=due_at, **asdict(wait))


async def finish(conn: Connection, target: ProfilePeriod) -> None:
    """Remove a period whose summary has been written."""
    await _SQL["finish"].execute(conn, **_key(target))


async def mark(conn: Connection, target: ProfilePeriod, *, due_at: datetime) -> None:
    """Make the summary of a period due."""
    await _SQL["mark"].execute(conn, **_key(target), due_at=due_at)


async def mark_periods(
    conn: Connection,
    periods: Sequence[Period],
    *,
    user_id: UUID | None,
    after: ProfileKey,
    now: datetime,
    limit: int,
) -> BatchResult[ProfileKey]:
    """Make these summaries due for the next profiles, of one person or of all, that have something in them."""
    row = await _SQL["mark_periods"].single(
        conn,
        dict_row,
        level=periods[0].level,
        first_dates=[period.first for period in periods],
        last_dates=[period.last for period in periods],
        user_id=user_id,
        after_user=after.user_id,
        after=after.profile_id,
        now=now,
        limit=limit,
    )
    return BatchResult(row["marked"], ProfileKey(row["last_user"], row["last"]) if row["seen"] == limit else None)


async def calendar(conn: Connection, profile: ProfileKey) -> Calendar | None:
    """By which time zones the periods of a profile end; None where there is no such profile."""
    rows = await _SQL["time_zones"].all(conn, dict_row, **profile.params)
    if not rows:
        return None
    changes = [ZoneChange(row["since"] or BEGINNING, find_timezone(row["timezone"]) or UTC) for row in rows]
    name, pronouns = (shown_name(rows[0][column]) for column in ("name", "pronouns"))
    author = Author(name, pronouns or "") if name else None
    return Calendar(ZoneHistory(changes), bool(rows[0]["enabled"]), author, rows[0]["birth_chart"])


def _key(target: ProfilePeriod) -> dict[str, Any]:
    return {**target.params, "level": target.period.level}
