"""The transits of a period: which planets formed an aspect to a point of a birth chart, when, and how exactly.

A body is looked at once a day. The aspects are those of Ptolemy, with an orb of one degree; what moves slowest counts
most.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Any

from keepsake.domain.astrology.birth_chart import BirthChart
from keepsake.domain.astrology.ephemeris import BODIES, longitude, separation, sign_of
from keepsake.domain.english.word_groups import MONTHS

MAX_TRANSITS = 5
"""Transits of a period that are named."""

_ASPECTS: Mapping[str, float] = {"conjunction": 0, "sextile": 60, "square": 90, "trine": 120, "opposition": 180}
_ORB = 1.0
_SLOWEST_FIRST = ("Pluto", "Neptune", "Uranus", "Saturn", "Jupiter", "Mars", "Venus", "Mercury", "Sun")
"""The Moon passes every point each month, so it says nothing of a period."""
_DAY, _NOON = timedelta(days=1), timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class Transit:
    """An aspect of a planet to a point of a birth chart, on the day on which it was most exact."""

    planet: str
    aspect: str
    point: str
    day: date
    orb: float
    """Degrees from the exact aspect at noon, UTC."""

    @property
    def row(self) -> dict[str, Any]:
        """The transit as it is stored."""
        return {**asdict(self), "day": self.day.isoformat()}

    @property
    def text(self) -> str:
        """The transit in words: "Saturn square natal Sun, closest on 12 October"."""
        return f"{self.planet} {self.aspect} natal {self.point}, closest on {_date(self.day)}"


@dataclass(frozen=True, slots=True)
class Influence:
    """Where a planet stood in a period: its signs, the day on which it changed them, and whether it was retrograde."""

    planet: str
    sign: str
    enters: str | None
    entered: date | None
    retrograde_days: int

    @property
    def row(self) -> dict[str, Any]:
        """The influence as it is stored."""
        return {**asdict(self), "entered": self.entered and self.entered.isoformat()}

    @property
    def text(self) -> str:
        """The influence in words: "Mars in Cancer, in Leo from 4 November"."""
        parts = [f"{self.planet} in {self.sign}"]
        if self.enters and self.entered:
            parts.append(f"in {self.enters} from {_date(self.entered)}")
        if self.retrograde_days:
            parts.append(f"retrograde on {self.retrograde_days} days")
        return ", ".join(parts)


def find_transits(chart: BirthChart, start: datetime, end: datetime) -> list[Transit]:
    """The transits to a chart between two moments, the slowest planets first; at most MAX_TRANSITS."""
    found: dict[tuple[str, str, str], Transit] = {}
    for planet in _SLOWEST_FIRST:
        for noon in _noons(start, end):
            place = longitude(planet, noon)
            for point, natal in chart.points.items():
                for aspect, angle in _ASPECTS.items():
                    orb = abs(separation(place, natal) - angle)
                    key = (planet, aspect, point)
                    if orb <= _ORB and (key not in found or orb < found[key].orb):
                        found[key] = Transit(*key, noon.date(), round(orb, 2))
    ranked = sorted(found.values(), key=lambda one: (_SLOWEST_FIRST.index(one.planet), one.orb, one.point))
    return ranked[:MAX_TRANSITS]


def find_influences(start: datetime, end: datetime) -> list[Influence]:
    """Where each planet stood between two moments."""
    noons = _noons(start, end)
    return [_influence(planet, noons) for planet in BODIES if planet != "Moon"] if noons else []


def _influence(planet: str, noons: Sequence[datetime]) -> Influence:
    places = [longitude(planet, noon) for noon in [*noons, noons[-1] + _DAY]]
    signs = [sign_of(place) for place in places[:-1]]
    change = next((number for number, sign in enumerate(signs) if sign != signs[0]), None)
    backward = sum((after - before + 180) % 360 < 180 for before, after in pairwise(places))
    return Influence(
        planet,
        signs[0],
        None if change is None else signs[change],
        None if change is None else noons[change].date(),
        backward,
    )


def _date(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]}"


def _noons(start: datetime, end: datetime) -> list[datetime]:
    """The middle of each day between two moments."""
    return [start + _NOON + _DAY * number for number in range(max(0, round((end - start) / _DAY)))]
