"""The birth chart that a model reads with a message: with the transits of the day on which it was said."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta
from typing import Any

from keepsake.domain.astrology.birth_chart import BirthChart, UnknownChart, read_chart
from keepsake.domain.astrology.transits import find_transits
from keepsake.infra.logs import log


def chart_of_day(chart: Mapping[str, Any] | None, said_at: datetime) -> Mapping[str, Any] | None:
    """The chart with the transits of that day, which come first; as it is where its format is not known."""
    if not chart:
        return None
    natal, start = read_known_chart(chart), datetime.combine(said_at.astimezone(UTC), time(), UTC)
    transits = find_transits(natal, start, start + timedelta(days=1)) if natal is not None else ()
    if not transits:
        return chart
    return {"transits": [f"{one.planet} {one.aspect} natal {one.point}" for one in transits], **chart}


def read_known_chart(chart: Any) -> BirthChart | None:
    """The chart that the host stores; None where its format is not known."""
    try:
        return read_chart(chart)
    except UnknownChart as refusal:
        log.warning("a birth chart has an unknown format", why=refusal.details)
        return None
