"""The stored summaries that a context shows where a message asks about a past period.

Only the person themself reads them: in a conversation with others there are none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from keepsake.domain.context.outline import Outline
from keepsake.domain.english.word_groups import MONTHS
from keepsake.domain.memory import MemoryType
from keepsake.domain.summaries.compose_sentences import day_of_month
from keepsake.domain.summaries.local_days import ZoneHistory, local_date
from keepsake.domain.summaries.named_period import NamedSpan, find_named_spans
from keepsake.domain.summaries.periods import Level, Period, bounds, weeks_of_month
from keepsake.infra.database import Connection
from keepsake.store import summary_texts
from keepsake.store.injections import InjectionTurn
from keepsake.store.row_keys import PersonaKey
from keepsake.store.summaries import ProfilePeriod

_JUST_OVER = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class SpanInQuestion:
    """What a message asks about, and when it begins and ends for its author."""

    span: NamedSpan
    start: datetime
    end: datetime


def find_spans_in_question(injected: InjectionTurn, now: datetime) -> list[SpanInQuestion]:
    """The periods that the message asks about; none where it asks about none, or others read the answer."""
    if injected.shared:
        return []
    history = ZoneHistory.of(injected.zone)
    spans = find_named_spans(injected.turn.text, local_date(history, now))
    return [
        SpanInQuestion(one, bounds(history, one.periods[0])[0], bounds(history, one.periods[-1])[1]) for one in spans
    ]


async def named_summaries(
    conn: Connection, injected: InjectionTurn, spans: Sequence[SpanInQuestion], now: datetime
) -> list[tuple[str, Outline | None]]:
    """The names of the periods that the message asks about, each with its summary; None where nothing is stored."""
    turn = injected.turn
    if not spans or turn.author is None or turn.profile_id is None:
        return []
    history = ZoneHistory.of(injected.zone)
    persona = PersonaKey(turn.author, turn.profile_id, turn.persona_id)
    reader = _Reader(conn, persona, turn.consent.allowed_types, history, local_date(history, now))
    return [(one.span.name, await reader.read_span(one.span)) for one in spans]


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the summaries of periods; of one that is not over, or just over, what was written of its parts."""

    conn: Connection
    persona: PersonaKey
    types: Collection[MemoryType]
    history: ZoneHistory
    today: date

    async def read_span(self, span: NamedSpan) -> Outline | None:
        """The summaries of the periods, one after another, each with its name where there are several."""
        parts = []
        for period in span.periods:
            heading = _heading(period) if len(span.periods) > 1 else ""
            if texts := await self._read(period):
                parts.append(Outline(heading=heading, parts=texts))
        return Outline(parts=parts) if parts else None

    async def _read(self, period: Period) -> list[Outline]:
        target = ProfilePeriod(self.persona.user_id, self.persona.profile_id, period)
        texts = await summary_texts.read(self.conn, target, persona_id=self.persona.persona_id, types=self.types)
        if any(one.text for one in texts):
            return [one for one in texts if one.text]
        if period.level is not Level.DAY and period.last >= self.today - _JUST_OVER:
            parts = [(part, await self._read(part)) for part in _parts(period) if part.first <= self.today]
            if found := [Outline(heading=_heading(part), parts=of_part) for part, of_part in parts if of_part]:
                return found
        start, end = bounds(self.history, period)
        return await summary_texts.session_topics(self.conn, self.persona, types=self.types, start=start, end=end)


def _parts(period: Period) -> Iterator[Period]:
    """The weeks of a month, or the days of a week."""
    if period.level is Level.MONTH:
        yield from weeks_of_month(period)
    else:
        yield from (Period(Level.DAY, period.first + timedelta(days=number)) for number in range(7))


def _heading(period: Period) -> str:
    match period.level:
        case Level.MONTH:
            return f"{MONTHS[period.first.month - 1]}:"
        case Level.WEEK:
            return f"{day_of_month(period.first)} to {day_of_month(period.last)}:"
        case Level.DAY:
            return f"{day_of_month(period.first)}:"
