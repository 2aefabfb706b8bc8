"""Positions agree with a second, independent ephemeris and with published moments; unknown charts are refused."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import astronomy
import pytest

from keepsake.domain.astrology.birth_chart import UnknownChart, read_chart
from keepsake.domain.astrology.ephemeris import BODIES, longitude, separation, sign_of
from keepsake.domain.astrology.transits import find_influences, find_transits

ARC_MINUTE = 1 / 60
DATES = [
    *("1950-07-01", "1969-07-20", "1986-04-26", "1990-05-04", "2000-01-01", "2012-12-21"),
    *("2019-01-06", "2020-12-21", "2023-02-28", "2024-10-12", "2025-03-20", "2026-11-22"),
]
CHARTS = {
    "vienna": ("1990-05-04T12:00:00+02:00", "2024-10-01"),
    "chicago": ("1975-11-02T23:15:00-06:00", "2025-03-01"),
    "auckland": ("2001-01-15T04:40:00+13:00", "2026-06-01"),
}


def second_opinion(body: str, moment: datetime) -> float:
    """The same longitude by another library, which shares no code and no data with ours."""
    found = astronomy.Time.Make(moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second)
    vector = astronomy.GeoVector(astronomy.Body[body], found, aberration=True)
    degrees: float = astronomy.Ecliptic(vector).elon
    return degrees


@pytest.mark.parametrize("day", DATES)
def test_longitude__agrees_with_a_second_ephemeris(day: str) -> None:
    moment = datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)
    for body in BODIES:
        assert separation(longitude(body, moment), second_opinion(body, moment)) < ARC_MINUTE, body


@pytest.mark.parametrize("chart", CHARTS)
def test_chart__of_a_birth_and_its_transits_agree_with_a_second_ephemeris(chart: str) -> None:
    born, month = CHARTS[chart]
    natal = read_chart({"birth": {"datetime": born}})
    birth = datetime.fromisoformat(born).astimezone(UTC)
    for body, degrees in natal.points.items():
        assert separation(degrees, second_opinion(body, birth)) < ARC_MINUTE
    start = datetime.fromisoformat(month).replace(tzinfo=UTC)
    transits = find_transits(natal, start, start.replace(month=start.month + 1))
    assert transits
    angles = {"conjunction": 0, "sextile": 60, "square": 90, "trine": 120, "opposition": 180}
    for one in transits:
        noon = datetime(one.day.year, one.day.month, one.day.day, 12, tzinfo=UTC)
        theirs = separation(second_opinion(one.planet, noon), second_opinion(one.point, birth))
        assert abs(abs(theirs - angles[one.aspect]) - one.orb) < 2 * ARC_MINUTE + 0.005


@pytest.mark.parametrize(
    "moment, body, degrees",
    [
        # Equinoxes and solstices, U.S. Naval Observatory, "Earth's Seasons"
        ("2024-03-20T03:06", "Sun", 0.0),
        ("2024-06-20T20:51", "Sun", 90.0),
        ("2025-03-20T09:01", "Sun", 0.0),
        ("2025-12-21T15:03", "Sun", 270.0),
    ],
)
def test_longitude__agrees_with_published_moments(moment: str, body: str, degrees: float) -> None:
    assert separation(longitude(body, datetime.fromisoformat(moment).replace(tzinfo=UTC)), degrees) < ARC_MINUTE


@pytest.mark.parametrize(
    "moment, angle",
    [("2024-10-17T11:26", 180.0), ("2024-11-01T12:47", 0.0)],  # full and new moon, U.S. Naval Observatory
)
def test_moon__is_full_and_new_when_published(moment: str, angle: float) -> None:
    found = datetime.fromisoformat(moment).replace(tzinfo=UTC)
    assert abs(separation(longitude("Sun", found), longitude("Moon", found)) - angle) < 2 * ARC_MINUTE


def test_influences__name_signs_and_retrograde_motion() -> None:
    by_planet = {
        one.planet: one for one in find_influences(datetime(2024, 11, 1, tzinfo=UTC), datetime(2024, 12, 1, tzinfo=UTC))
    }
    assert (by_planet["Pluto"].sign, by_planet["Pluto"].enters) == ("Capricorn", "Aquarius")
    assert by_planet["Pluto"].entered in {date(2024, 11, 19), date(2024, 11, 20)}
    assert by_planet["Jupiter"].retrograde_days == 30
    assert by_planet["Sun"].retrograde_days == 0
    assert 3 <= by_planet["Mercury"].retrograde_days <= 7  # from 26 November on


@pytest.mark.parametrize(
    "document, points",
    [
        ({"planets": {"sun": 43.77, "moon": {"longitude": 164.96}}}, {"Sun": 43.77, "Moon": 164.96}),
        ({"planets": [{"name": "Sun", "sign": "Taurus", "degree": 13.5}], "asc": 101}, {"Sun": 43.5, "Ascendant": 101}),
        ({"sun": "Leo", "houses": {"1": "Virgo"}}, {}),
        ({"planets": {"North Node": 12.0, "mars": {"sign": "pisces"}}}, {}),
    ],
)
def test_chart__is_read(document: dict[str, Any], points: dict[str, float]) -> None:
    assert read_chart(document).points == points


@pytest.mark.parametrize(
    "document, why",
    [
        ("Leo", "not an object"),
        ({}, "not an object"),
        ({"xml": "<chart/>"}, "neither planets nor birth"),
        ({"planets": 7}, "neither an object nor a list"),
        ({"planets": [{"longitude": 7}]}, "neither an object nor a list"),
        ({"planets": {"sun": 361}}, "Sun has neither a sign nor a number"),
        ({"planets": {"sun": True}}, "Sun has neither"),
        ({"planets": {"moon": {"sign": "Leo", "degree": 31}}}, "from 0 to 30"),
        ({"birth": {"date": "1990-05-04"}}, "a date and a time"),
        ({"birth": {"date": "1990-05-04", "time": "12:00"}}, "needs a timezone"),
        ({"birth": {"datetime": "0090-05-04T12:00:00Z"}}, "not between 1800 and 2200"),
    ],
)
def test_chart_of_an_unknown_format__is_refused_and_says_why(document: object, why: str) -> None:
    with pytest.raises(UnknownChart) as refusal:
        read_chart(document)
    assert refusal.value.message == "The birth chart has an unknown format."
    assert why in str(refusal.value.details)


def test_sign__is_by_thirty_degrees() -> None:
    assert [sign_of(degrees) for degrees in (0, 29.99, 30, 359.9)] == ["Aries", "Aries", "Taurus", "Pisces"]
