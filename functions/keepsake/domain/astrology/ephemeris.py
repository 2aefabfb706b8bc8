"""The apparent geocentric ecliptic longitudes of the Sun, the Moon and the planets, by the ephemeris library."""

from __future__ import annotations

import math
from datetime import UTC, datetime

SIGNS = (
    *("Aries", "Taurus", "Gemini", "Cancer", "Leo", "Virgo"),
    *("Libra", "Scorpio", "Sagittarius", "Capricorn", "Aquarius", "Pisces"),
)
"""The signs of the tropical zodiac, 30 degrees each."""

BODIES = ("Sun", "Moon", "Mercury", "Venus", "Mars", "Jupiter", "Saturn", "Uranus", "Neptune", "Pluto")
"""The bodies whose positions are computed."""


def longitude(body: str, moment: datetime) -> float:
    """The longitude of a body in degrees from 0 to 360, of the ecliptic and equinox of the date."""
    import ephem  # noqa: PLC0415 (only who has a birth chart needs it)

    date = ephem.Date(moment.astimezone(UTC).replace(tzinfo=None))
    found = getattr(ephem, body)()
    found.compute(date, epoch=date)
    position = ephem.Ecliptic(ephem.Equatorial(found.g_ra, found.g_dec, epoch=date), epoch=date)
    return math.degrees(position.lon) % 360


def sign_of(degrees: float) -> str:
    """The sign of a longitude."""
    return SIGNS[int(degrees % 360 // 30)]


def separation(one: float, other: float) -> float:
    """The angle between two longitudes, from 0 to 180 degrees."""
    return abs((one - other + 180) % 360 - 180)
