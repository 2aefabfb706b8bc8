"""Recorded replies of models to the turns of the trial: the verdict is what a person who reads them would say."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from bench.extraction import recordings
from bench.extraction.recordings import Recording, judge_recording, read_recording, report
from keepsake.domain.extraction.trial_turns import trial_turns
from tests.model_server.running import ModelServer

RECORDED = Path(__file__).parents[2] / "domain" / "extraction" / "trial_replies"


@pytest.mark.parametrize(
    "model, verdict", [("capable", "good"), ("scripted", "usable"), ("gemma", "rules"), ("qwen", "rules")]
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


def test_recording__asks_the_endpoint_for_each_turn(
    model: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "scripted.json"
    monkeypatch.setattr(sys, "argv", ["recordings", "record", str(path), "--model", "scripted", "--url", model.url])
    recordings.main()
    made = Recording(**json.loads(path.read_text()))
    assert (made.model, made.is_outdated, len(made.replies)) == ("scripted", False, len(trial_turns()))
    assert len(model.script.chats) == len(trial_turns())
    assert "scripted, prompt" in capsys.readouterr().out
