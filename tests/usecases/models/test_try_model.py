"""Recorded replies of models to the turns of the trial: the verdict is what a person who reads them would say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from keepsake.domain.extraction.judge_model import Judgment, TrialResult, judge
from keepsake.domain.extraction.trial_turns import TrialTurn, trial_turns
from keepsake.domain.replies.invalid_reply import InvalidReply
from keepsake.domain.replies.read_object import ReplyText
from keepsake.usecases.models.try_model import read_trial_reply

RECORDED = Path(__file__).parents[2] / "domain" / "extraction" / "trial_replies"


def judge_recorded(model: str) -> Judgment:
    """The verdict on a model by its recorded replies: of each turn one or two, each with whether it was cut off."""
    recorded = json.loads((RECORDED / f"{model}.json").read_text())
    return judge([_result(turn, replies) for turn, replies in zip(trial_turns(), recorded, strict=True)])


def _result(turn: TrialTurn, replies: list[tuple[str | None, bool]]) -> TrialResult:
    for number, (text, is_truncated) in enumerate(replies):
        reply = ReplyText(text or "", is_truncated=is_truncated, is_second=number > 0)
        try:
            read = read_trial_reply(reply, turn)
        except InvalidReply:
            continue
        return TrialResult(turn, read.proposed, read.kept, calls=number + 1, repairs=read.repairs)
    return TrialResult(turn, is_read=False, calls=len(replies))


@pytest.mark.parametrize("model, verdict", [("capable", "good"), ("scripted", "usable")])
def test_recorded_replies__get_the_verdict_that_a_reader_gives(model: str, verdict: str) -> None:
    judgment = judge_recorded(model)
    assert judgment.verdict == verdict, judgment
    assert judgment.figures["calls"] >= 1
