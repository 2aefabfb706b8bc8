"""The stored summaries that a context shows: of the period that a message asks about, and the newest week.

Only the person themself reads them: in a conversation with others there are none.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from keepsake.domain.context.render import SECTION_LENGTH
from keepsake.domain.summaries.local_days import ZoneHistory, local_date
from keepsake.domain.summaries.named_period import describe, find_named_period
from keepsake.domain.summaries.sentences import fit
from keepsake.domain.timezones import find_timezone
from keepsake.infra.database import Connection
from keepsake.store import summary_texts
from keepsake.store.injections import InjectionTurn
from keepsake.store.summaries import ProfilePeriod

NOTHING = "Nothing is stored for it."
RECENT = timedelta(days=28)
"""How long ago the newest week may have ended."""


async def named_summary(conn: Connection, injected: InjectionTurn, now: datetime) -> tuple[str, str] | None:
    """The name of the period that the message asks about, and its summary; None where it asks about none."""
    turn = injected.turn
    if injected.shared or turn.author is None or turn.profile_id is None:
        return None
    today = local_date(ZoneHistory.of(find_timezone(turn.timezone) or UTC), now)
    period = find_named_period(turn.text, today)
    if period is None:
        return None
    texts = await summary_texts.read(conn, ProfilePeriod(turn.author, turn.profile_id, period))
    return describe(period), fit(texts, SECTION_LENGTH) or NOTHING


async def recent_summary(conn: Connection, injected: InjectionTurn, now: datetime) -> str | None:
    """The summary of the newest week, for the first message of a conversation."""
    turn = injected.turn
    if not injected.first_message or injected.shared or turn.author is None or turn.profile_id is None:
        return None
    return await summary_texts.newest_week(
        conn, user_id=turn.author, profile_id=turn.profile_id, since=(now - RECENT).date()
    )
