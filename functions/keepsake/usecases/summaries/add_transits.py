"""Adds the transits of a month to what its summary is written from, for a person with a birth chart."""

from __future__ import annotations

from dataclasses import replace

from keepsake.domain.astrology.transits import find_influences, find_transits
from keepsake.domain.summaries.periods import Level, Period, bounds
from keepsake.domain.summaries.sources import SummarySources
from keepsake.store.summary_schedule import Calendar
from keepsake.usecases.extraction.chart_of_day import read_known_chart


def add_transits(sources: SummarySources, calendar: Calendar, period: Period) -> SummarySources:
    """The sources of a month with its transits; without them where there is no chart, or one of an unknown format."""
    if period.level is not Level.MONTH or calendar.birth_chart is None or not sources.has_something:
        return sources
    chart = read_known_chart(calendar.birth_chart)
    if chart is None:
        return sources
    span = bounds(calendar.history, period)
    return replace(sources, transits=find_transits(chart, *span), influences=find_influences(*span))
