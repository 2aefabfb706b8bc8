"""The database knows the same formats of birth charts as the code that reads them, and refuses others at the write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from keepsake.domain.astrology.birth_chart import UnknownChart, read_chart
from tests.fixtures.db import Clone
from tests.fixtures.people import People
from tests.fixtures.rest import Rest

KNOWN: list[Any] = [
    {"sun": "Taurus", "moon": "Virgo"},
    {"Sun": "LEO", "house system": "Placidus"},
    {"planets": {"sun": 43.77, "moon": {"longitude": 164.96}, "mars": {"sign": "Pisces", "degree": 10.1}}},
    {"planets": [{"name": "Sun", "sign": "Taurus", "degree": 13.77}], "ascendant": {"longitude": 101.5}},
    {"positions": {"Chiron": "unknown", "asc": 0}},
    {"planets": {"sun": 3, "True Node": 12, "North_Node": "Leo", "Black Moon Lilith": 3, "part of fortune": 1}},
    {"planets": None, "mc": 12},
    {"planets": []},
    {"mars": {"longitude": {"longitude": 2}}},
    {"birth": {"date": "1990-05-04", "time": "12:00", "timezone": "Europe/Vienna"}},
    {"birth": {"datetime": "1990-05-04T12:00:00+02:00"}},
    {"birth": {"datetime": "1990-05-04T12:00:30.5Z"}},
    {"birth": {"datetime": "1990-05-04", "timezone": "UTC"}},
]
UNKNOWN: list[Any] = [
    "Leo",
    ["Leo"],
    12,
    {},
    {"xml": "<chart/>"},
    {"planets": None},
    {"planets": "Leo"},
    {"planets": ["Leo"]},
    {"planets": [{"sign": "Leo"}]},
    {"planets": {"vulcan": 3}},
    {"planets": {"sun": 3, "Vulcan": "Leo"}},
    {"planets": [{"name": "Nibiru", "sign": "Leo"}]},
    {"positions": {"": 3}},
    {"sun": "Ophiuchus"},
    {"sun": True},
    {"sun": None},
    {"sun": 360},
    {"sun": -1},
    {"sun": {"sign": "Leo", "degree": 30}},
    {"sun": {"house": 3}},
    {"planets": {"moon": {"longitude": "12"}}},
    {"birth": {}},
    {"birth": {"date": "1990-05-04"}},
    {"birth": {"datetime": "the fourth of May"}},
    {"birth": {"datetime": "now"}},
    {"birth": {"datetime": "1990-02-30T12:00:00Z"}},
    {"birth": {"datetime": 12}},
    {"birth": {"datetime": "1990-05-04T12:00:00"}},
    {"birth": {"date": "1990-05-04", "time": "12:00", "timezone": "Europe/Atlantis"}},
    {"birth": {"datetime": "1750-05-04T12:00:00Z"}},
    {"birth": {"datetime": "2300-05-04T12:00:00Z"}},
]


def test_charts_of_the_documentation__are_read() -> None:
    """The refusal of an unknown chart refers to them."""
    lines = (Path(__file__).parents[2] / "docs" / "design.md").read_text(encoding="utf-8").splitlines()
    shown = [json.loads(line) for line in lines if line.startswith('{"')]
    assert len(shown) == 5
    for chart in shown:
        read_chart(chart)


@pytest.mark.parametrize("chart", [*KNOWN, *UNKNOWN], ids=json.dumps)
def test_find_chart_fault__says_what_the_reader_says(db: Clone, chart: Any) -> None:
    fault = None
    try:
        read_chart(chart)
    except UnknownChart as refusal:
        fault = refusal.details
    assert (fault is None) == (chart in KNOWN)
    assert db.value("select keepsake.find_chart_fault(%s::jsonb)", (json.dumps(chart),)) == fault


def test_profile__with_an_unknown_chart_is_refused_with_what_is_wrong(db: Clone, people: People, rest: Rest) -> None:
    ada = people.person("Ada")
    browser = rest.as_person(ada.user_id)
    key = {"id": f"eq.{ada.profile_id}"}
    assert browser.patch("/user_profile_list", params=key, json={"birth_chart": {"sun": "Leo"}}).status_code < 300
    refused = browser.patch("/user_profile_list", params=key, json={"birth_chart": {"sun": "Ophiuchus"}})
    assert refused.status_code == 400
    assert refused.json()["message"] == "The birth chart has an unknown format."
    assert refused.json()["details"] == "birth_chart: Sun has neither a sign nor a number of degrees from 0 to 360"
    new = {"user_id": str(ada.user_id), "name": "Other", "birth_chart": {"xml": "<chart/>"}}
    assert browser.post("/user_profile_list", json=new).status_code == 400
    assert db.value("select birth_chart from public.user_profile_list") == {"sun": "Leo"}
    assert browser.patch("/user_profile_list", params=key, json={"birth_chart": None}).status_code < 300


def test_profile__with_an_unknown_chart_from_before_can_be_changed(db: Clone, people: People, rest: Rest) -> None:
    ada = people.person("Ada")
    with db.as_superuser() as connection:
        connection.execute("set local session_replication_role = replica")
        connection.execute("""update public.user_profile_list set birth_chart = '{"xml": "<chart/>"}'""")
    key = {"id": f"eq.{ada.profile_id}"}
    answer = rest.as_person(ada.user_id).patch("/user_profile_list", params=key, json={"nickname": "Addie"})
    assert answer.status_code < 300, answer.text
