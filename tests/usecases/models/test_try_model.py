"""Recorded replies of models to the turns of the trial: the verdict is what a person who reads them would say."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.extraction.recordings import RECORDED, judge_recording, read_recording, report, table
from keepsake.domain.extraction.trial_turns import trial_turns
from keepsake.infra.models.chat import LanguageModel
from keepsake.infra.models.chat_reply_parser import ModelUnavailable
from keepsake.infra.resources import Resources
from keepsake.operations.check_model import Report, try_and_store
from keepsake.operations.model_report import Prices
from keepsake.store import model_verdicts
from keepsake.usecases.models.try_model import try_model
from tests.fixtures.model import with_model
from tests.model_server.running import ModelServer


@pytest.fixture
async def asking(resources: Resources, model: ModelServer) -> AsyncIterator[Callable[..., Resources]]:
    """Makes resources that ask the scripted model, with other settings as given."""
    made: list[LanguageModel] = []

    def ask(**more: Any) -> Resources:
        settings = with_model(resources.settings, model, **more)
        made.append(LanguageModel.of(settings))
        return replace(resources, settings=settings, model=made[-1])

    yield ask
    for one in made:
        await one.close()


@pytest.mark.parametrize(
    "model, verdict",
    [("capable", "good"), ("scripted", "rules"), ("gemma", "rules"), ("qwen", "rules"), ("smollm2", "rules")],
)
def test_recorded_replies__get_the_verdict_that_a_reader_gives(model: str, verdict: str) -> None:
    judgment = judge_recording(read_recording(RECORDED / f"{model}.json"))
    assert judgment.verdict == verdict, judgment
    assert judgment.figures["calls"] >= 1


@pytest.mark.parametrize("model", ["capable", "scripted"])
def test_a_recording__is_of_the_prompt_as_it_is(model: str) -> None:
    """Where the prompt changes, the replies are recorded anew, or say nothing of it."""
    recording = read_recording(RECORDED / f"{model}.json")
    assert not recording.is_outdated
    assert "(current)" in next(iter(report(recording)))


def test_a_recording_of_another_prompt__is_called_outdated() -> None:
    recording = replace(read_recording(RECORDED / "scripted.json"), prompt_version="0123456789ab")
    assert "OUTDATED" in next(iter(report(recording)))


def test_the_table__is_the_one_in_the_documentation() -> None:
    shown = (Path(__file__).parents[3] / "docs" / "models.md").read_text(encoding="utf-8")
    assert "\n".join(table()) in shown, "run python -m bench.extraction.recordings --table"


async def test_check_model__stores_the_verdict_and_writes_the_replies(
    asking: Callable[..., Resources], model: ModelServer, tmp_path: Path
) -> None:
    resources = asking()
    lines: list[str] = []
    written = Report(lines.append, Prices(0.5, 2.0), tmp_path / "replies.json")
    judgment = await try_and_store(resources, written)
    again = read_recording(tmp_path / "replies.json")
    assert (again.model, again.is_outdated, len(again.replies)) == ("scripted", False, len(trial_turns()))
    assert judge_recording(again).figures == judgment.figures
    assert any(line.startswith("verdict ") and judgment.reason in line for line in lines)
    assert any(line.startswith("1,000 turns") and "about" in line for line in lines)
    async with resources.database.as_service() as conn:
        [(name, stored)] = await model_verdicts.all_verdicts(conn)
    assert name == f"scripted at {model.url}"
    assert (stored.verdict, stored.figures) == (judgment.verdict.value, judgment.figures)


async def test_a_turn_that_takes_too_long__is_not_read_and_ends_no_trial(
    asking: Callable[..., Resources], model: ModelServer
) -> None:
    slow = asking(model_deadline_seconds=1.0)
    model.script.then("hang")
    results = [result async for result in try_model(slow, "scripted", trial_turns()[:3])]
    assert [(result.is_read, result.is_late) for result in results] == [(False, True), (True, False), (True, False)]


async def test_a_model_that_is_late_from_the_beginning__gets_no_verdict(
    asking: Callable[..., Resources], model: ModelServer
) -> None:
    slow = asking(model_deadline_seconds=0.2)
    model.script.always("hang")
    with pytest.raises(ModelUnavailable, match="deadline"):
        async for _ in try_model(slow, "scripted", trial_turns()):
            pass


async def test_a_busy_endpoint__is_asked_again(asking: Callable[..., Resources], model: ModelServer) -> None:
    model.script.then("error_503")
    [result] = [result async for result in try_model(asking(), "scripted", trial_turns()[:1])]
    assert result.is_read
