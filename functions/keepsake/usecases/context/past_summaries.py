"""The stored summary that a context shows where a message asks about a past period.

Only the person themself reads them: in a conversation with others there are none.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from keepsake.domain.context.context_sections import ANSWER_LENGTH
from keepsake.domain.context.outline import Outline
from keepsake.domain.summaries.compose_sentences import fit_outlines
from keepsake.domain.summaries.local_days import ZoneHistory, local_date
from keepsake.domain.summaries.named_period import describe, find_named_period
from keepsake.domain.summaries.periods import Period, bounds
from keepsake.infra.database import Connection
from keepsake.store import summary_texts
from keepsake.store.injections import InjectionTurn
from keepsake.store.row_keys import PersonaKey
from keepsake.store.summaries import ProfilePeriod

NOTHING = Outline.of_text("Nothing is stored for it.")


@dataclass(frozen=True, slots=True)
class PeriodInQuestion:
    """The period that a message asks about, and when it begins and ends for its author."""

    period: Period
    start: datetime
    end: datetime


def find_period_in_question(injected: InjectionTurn, now: datetime) -> PeriodInQuestion | None:
    """The period that the message asks about; None where it asks about none, or others read the answer."""
    if injected.shared:
        return None
    history = ZoneHistory.of(injected.zone)
    period = find_named_period(injected.turn.text, local_date(history, now))
    return None if period is None else PeriodInQuestion(period, *bounds(history, period))


async def named_summary(
    conn: Connection, injected: InjectionTurn, period: PeriodInQuestion | None
) -> tuple[str, Outline] | None:
    """The name of the period that the message asks about, and its summary; None where it asks about none."""
    turn = injected.turn
    if period is None or turn.author is None or turn.profile_id is None:
        return None
    target, types = ProfilePeriod(turn.author, turn.profile_id, period.period), turn.consent.allowed_types
    texts = await summary_texts.read(conn, target, persona_id=turn.persona_id, types=types)
    if not texts:  # a period that is not over, or just over, may have summaries of its sessions
        persona = PersonaKey(turn.author, turn.profile_id, turn.persona_id)
        texts = await summary_texts.session_topics(conn, persona, types=types, start=period.start, end=period.end)
    return describe(period.period), fit_outlines(texts, ANSWER_LENGTH) or NOTHING
