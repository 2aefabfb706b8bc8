"""A month of a person with a birth chart has the transits of that month; extraction reads those of the day."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from keepsake.domain.summaries.periods import Level
from keepsake.infra.settings import Settings
from keepsake.usecases.extraction.chart_of_day import chart_of_day
from tests.fixtures.model import with_model
from tests.fixtures.scene import Scene
from tests.model_server.running import ModelServer
from tests.support.summaries import forget_waiting, remember, rows, summarize

BIRTH = {"birth": {"datetime": "1990-05-04T12:00:00+02:00"}}


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    """A model writes months."""
    return with_model(settings, model, openai_extraction_model=None, openai_summary_models="month=scripted")


async def month(scene: Scene, model: ModelServer, chart: Any) -> dict[str, Any]:
    """October 2024 of Ada, with this chart."""
    reply = {"emotional_summary": "", "cognitive_summary": "Ada lives in Graz [1].", "key_themes": []}
    model.script.always({"content": json.dumps(reply)})
    forget_waiting(scene)
    with scene.db.as_superuser() as connection:  # as from before charts were checked, or in a host's own table
        connection.execute("set local session_replication_role = replica")
        connection.execute("update public.user_profile_list set birth_chart = %s::jsonb", (json.dumps(chart),))
    remember(scene, "2024-10-15", "Lives in Graz")
    await summarize(scene, Level.MONTH)
    (row,) = rows(scene, "monthly")
    return row


async def test_month__stores_its_transits_and_shows_them_to_the_model_as_facts(
    scene: Scene, model: ModelServer
) -> None:
    row = await month(scene, model, BIRTH)
    assert row["generator"] == "llm"
    assert 1 <= len(row["dominant_transits"]) <= 5
    assert row["dominant_transits"][0].keys() == {"planet", "aspect", "point", "day", "orb"}
    assert all(one["day"].startswith("2024-10-") for one in row["dominant_transits"])
    assert {one["planet"] for one in row["planetary_influences"]} >= {"Sun", "Saturn", "Pluto"}
    shown = json.loads(model.script.chats[-2]["messages"][1]["content"].split("\n")[1])
    first = row["dominant_transits"][0]
    sky = [one["text"] for one in shown["texts"] if one.get("kind") == "sky"]
    assert sky[0].startswith(f"{first['planet']} {first['aspect']} natal {first['point']}, closest on ")
    assert len(sky) == 9 + len(row["dominant_transits"])


@pytest.mark.parametrize("chart", [None, {"xml": "<chart/>"}, "Leo"])
async def test_month__without_a_chart_or_with_an_unknown_one_has_none(
    scene: Scene, model: ModelServer, capfd: pytest.CaptureFixture[str], chart: Any
) -> None:
    row = await month(scene, model, chart)
    assert (row["dominant_transits"], row["planetary_influences"]) == (None, None)
    assert ("a birth chart has an unknown format" in "".join(capfd.readouterr())) == (chart is not None)


def test_extraction__reads_the_transits_of_the_day_before_the_chart() -> None:
    chart = chart_of_day(BIRTH, datetime(2024, 10, 12, 22, tzinfo=UTC))
    assert chart is not None
    assert list(chart) == ["transits", "birth"]
    assert all(" natal " in one for one in chart["transits"])
    assert chart_of_day({"xml": "<chart/>"}, datetime(2024, 10, 12, tzinfo=UTC)) == {"xml": "<chart/>"}
    assert chart_of_day(None, datetime(2024, 10, 12, tzinfo=UTC)) is None
