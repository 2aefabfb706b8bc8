"""Reads a birth chart as hosts store it: positions, positions by sign, signs alone, or the moment of birth.

    {"planets": {"sun": 43.77, "moon": {"longitude": 164.96}, "mars": {"sign": "Pisces", "degree": 10.1}}}
    {"planets": [{"name": "Sun", "sign": "Taurus", "degree": 13.77}], "ascendant": {"longitude": 101.5}}
    {"birth": {"date": "1990-05-04", "time": "12:00", "timezone": "Europe/Vienna"}}
    {"birth": {"datetime": "1990-05-04T12:00:00+02:00"}}
    {"sun": "Taurus", "moon": "Virgo"}

Signs alone are no positions: nothing can be compared with them, and that is no error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from keepsake.domain.astrology.ephemeris import BODIES, SIGNS, longitude
from keepsake.domain.timezones import find_timezone
from keepsake.errors import InvalidInput

_POINTS = {name.casefold(): name for name in (*BODIES, "Ascendant", "Midheaven")} | {
    "asc": "Ascendant",
    "rising": "Ascendant",
    "mc": "Midheaven",
}
_OTHERS = frozenset(
    [
        "antivertex",
        "blackmoon",
        "blackmoonlilith",
        "ceres",
        "chiron",
        "dc",
        "desc",
        "descendant",
        "dsc",
        "earth",
        "eastpoint",
        "eris",
        "fortuna",
        "fortune",
        "ic",
        "imumcoeli",
        "juno",
        "ketu",
        "lilith",
        "lotoffortune",
        "meanlilith",
        "meannode",
        "meannorthnode",
        "meansouthnode",
        "node",
        "northnode",
        "osculatinglilith",
        "pallas",
        "partoffortune",
        "rahu",
        "southnode",
        "truelilith",
        "truenode",
        "truenorthnode",
        "truesouthnode",
        "vertex",
        "vesta",
    ]
)
"""Points that charts have beside those that are compared, written without spaces."""
_SIGNS = {sign.casefold(): index for index, sign in enumerate(SIGNS)}
_EARLIEST, _LATEST = 1800, 2200
"""The years for which the ephemeris is good."""


@dataclass(frozen=True, slots=True)
class BirthChart:
    """The longitudes of the points of a chart, in degrees; none where only signs are known."""

    points: Mapping[str, float] = field(default_factory=dict)


class UnknownChart(InvalidInput):
    """A birth chart in a format that Keepsake does not know."""


def read_chart(document: object) -> BirthChart:
    """The chart in a document; UnknownChart, which says what is wrong, where it has no known format."""
    if not isinstance(document, Mapping) or not document:
        raise _unknown("it is not an object with members")
    if isinstance(document.get("birth"), Mapping):
        return _of_birth(document["birth"])
    planets = document.get("planets", document.get("positions"))
    members = {name: part for name, part in document.items() if name.casefold() in _POINTS}
    if planets is None and not members:
        raise _unknown("it has neither planets nor birth")
    points = dict(_positions(planets)) | dict(_positions(members))
    return BirthChart({name: degrees for name, degrees in points.items() if degrees is not None})


def _positions(planets: object) -> Iterator[tuple[str, float | None]]:
    """The points and their longitudes; None for one of which only the sign is known."""
    if planets is None:
        return
    if isinstance(planets, Mapping):
        parts = list(planets.items())
    elif isinstance(planets, list) and all(isinstance(one, Mapping) and "name" in one for one in planets):
        parts = [(one["name"], one) for one in planets]
    else:
        raise _unknown("planets is neither an object nor a list of objects with a name")
    unknown = [str(name) for name, _ in parts if not _is_known(str(name))]
    if unknown:
        raise _unknown(f"{min(unknown)[:40]} is no planet, and no other point of a chart")
    for name, part in parts:
        point = _POINTS.get(str(name).casefold())
        if point is not None:  # others, such as the nodes, are not compared
            yield point, _degrees(point, part)


def _is_known(name: str) -> bool:
    return name.casefold() in _POINTS or re.sub(r"[^a-z]", "", name.lower()) in _OTHERS


def _degrees(point: str, part: object) -> float | None:
    if isinstance(part, str) and part.casefold() in _SIGNS:
        return None
    if isinstance(part, Mapping):
        if "longitude" in part:
            return _degrees(point, part["longitude"])
        sign = _SIGNS.get(str(part.get("sign", "")).casefold())
        if sign is not None:
            return 30 * sign + _number(point, part["degree"], 30) if "degree" in part else None
    return _number(point, part, 360)


def _number(point: str, value: object, limit: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < limit:
        raise _unknown(f"{point} has neither a sign nor a number of degrees from 0 to {limit:g}")
    return float(value)


def _of_birth(birth: Mapping[str, Any]) -> BirthChart:
    """The positions at the moment of birth; the houses would need the place as well."""
    moment = _moment(birth)
    if not _EARLIEST <= moment.year < _LATEST:
        raise _unknown(f"birth is not between {_EARLIEST} and {_LATEST}")
    return BirthChart({body: longitude(body, moment) for body in BODIES})


def _moment(birth: Mapping[str, Any]) -> datetime:
    try:
        if "datetime" in birth:
            moment = datetime.fromisoformat(birth["datetime"])
        else:
            moment = datetime.fromisoformat(f"{birth['date']}T{birth['time']}")
    except (KeyError, TypeError, ValueError):
        raise _unknown("birth needs a datetime, or a date and a time, in ISO 8601") from None
    if moment.tzinfo is not None:
        return moment.astimezone(UTC)
    zone = find_timezone(birth.get("timezone"))
    if zone is None:
        raise _unknown("birth needs a timezone, or a datetime with an offset")
    return moment.replace(tzinfo=zone).astimezone(UTC)


def _unknown(why: str) -> UnknownChart:
    return UnknownChart("The birth chart has an unknown format.", details=why)
