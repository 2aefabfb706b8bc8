"""Records what a model replies to the turns of its trial, and judges a recording by the check of replies as it is now.

A recording names the model and the version of the prompt; one of an older prompt says nothing of what a model would
reply today, and is called outdated. Tests replay the recordings of tests/domain/extraction/trial_replies.

    python -m bench.extraction.recordings replay FILE…
    python -m bench.extraction.recordings record FILE --model NAME --url https://api.openai.com/v1 --key "$KEY"
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import httpx

from keepsake.domain.extraction.judge_model import Judgment, TrialResult, judge
from keepsake.domain.extraction.prompt import PromptTurn, build_messages
from keepsake.domain.extraction.prompt_version import prompt_version
from keepsake.domain.extraction.trial_turns import SAID_AT, TrialTurn, trial_turns
from keepsake.domain.replies.invalid_reply import InvalidReply
from keepsake.domain.replies.read_object import ReplyText
from keepsake.usecases.models.try_model import read_trial_reply

_SECONDS = 120.0
_MAX_TOKENS = 1600


@dataclass(frozen=True)
class Recording:
    """The replies of a model to each turn of the trial, each with whether it was cut off."""

    model: str
    prompt_version: str
    replies: Sequence[Sequence[tuple[str | None, bool]]]

    @property
    def is_outdated(self) -> bool:
        """Whether the prompt has changed since."""
        return self.prompt_version != prompt_version()


def read_recording(path: Path) -> Recording:
    """The recording in a file."""
    return Recording(**json.loads(path.read_text(encoding="utf-8")))


def judge_recording(recording: Recording) -> Judgment:
    """The verdict on the model; ValueError where the trial has other turns now."""
    return judge([_result(turn, given) for turn, given in zip(trial_turns(), recording.replies, strict=True)])


def _result(turn: TrialTurn, replies: Sequence[tuple[str | None, bool]]) -> TrialResult:
    for number, (text, is_truncated) in enumerate(replies):
        reply = ReplyText(text or "", is_truncated=is_truncated, is_second=number > 0)
        try:
            read = read_trial_reply(reply, turn)
        except InvalidReply:
            continue
        return TrialResult(turn, read.proposed, read.kept, calls=number + 1, repairs=read.repairs)
    return TrialResult(turn, is_read=False, calls=len(replies))


def report(recording: Recording) -> Iterator[str]:
    """The verdict and its figures, and whether the recording still says something."""
    age = f"OUTDATED: the prompt is {prompt_version()} now, record again" if recording.is_outdated else "current"
    yield f"{recording.model}, prompt {recording.prompt_version} ({age})"
    judgment = judge_recording(recording)
    figures = ", ".join(f"{name} {judgment.figures[name]:.2f}" for name in ("found", "found_checked", "invented"))
    yield f"  {judgment.verdict}: {judgment.reason}; {figures}"


def record(model: str, endpoint: httpx.Client) -> Recording:
    """Ask an endpoint about each turn, once."""
    return Recording(model, prompt_version(), [[_ask(turn, model, endpoint)] for turn in trial_turns()])


def _ask(turn: TrialTurn, model: str, endpoint: httpx.Client) -> tuple[str | None, bool]:
    shown = PromptTurn(turn.message, SAID_AT, assistant=turn.assistant, known=[memory.text for memory in turn.known])
    messages = build_messages(shown, schema_in_prompt=True)
    answer = endpoint.post(
        "chat/completions", json={"model": model, "messages": messages, "max_tokens": _MAX_TOKENS, "temperature": 0}
    )
    answer.raise_for_status()
    choice = answer.json()["choices"][0]
    return choice["message"].get("content"), choice.get("finish_reason") == "length"


def main() -> None:
    """Record, or replay."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("record", "replay"))
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--model", default="", help="the model to record")
    parser.add_argument("--url", default="", help="its endpoint, up to /v1")
    parser.add_argument("--key", default="none", help="the key of the endpoint")
    options = parser.parse_args()
    if options.action == "record":
        if not (options.model and options.url) or len(options.files) != 1:
            parser.error("name the model, its endpoint, and one file to write")
        headers = {"Authorization": f"Bearer {options.key}"}
        with httpx.Client(base_url=options.url, headers=headers, timeout=_SECONDS) as endpoint:
            recording = record(options.model, endpoint)
        written = json.dumps(asdict(recording), ensure_ascii=False, indent=1) + "\n"
        options.files[0].write_text(written, encoding="utf-8")
    for path in options.files:
        print("\n".join(report(read_recording(path))))


if __name__ == "__main__":
    main()
