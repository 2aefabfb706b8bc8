"""Judges what models replied to the turns of their trial, by the check of replies as it is now.

`keepsake check-model --replies FILE` records; tests replay the recordings of tests/domain/extraction/trial_replies. A
recording names the model and the version of the prompt; one of an older prompt says nothing of what a model would reply
today, and is called outdated. `--table` prints the table of docs/models.md, with what the rules make of the same turns.

    python -m bench.extraction.recordings FILE…
    python -m bench.extraction.recordings --table
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from keepsake.domain.extraction.judge_model import Judgment, TrialResult, judge
from keepsake.domain.extraction.prompt_version import prompt_version
from keepsake.domain.extraction.screen_candidates import screen_candidates
from keepsake.domain.extraction.trial_turns import SAID_AT, TrialTurn, trial_turns
from keepsake.domain.extraction.verdict import Verdict
from keepsake.domain.memory import MemoryType
from keepsake.domain.replies.invalid_reply import InvalidReply
from keepsake.domain.replies.read_object import ReplyText
from keepsake.operations.model_report import table_lines
from keepsake.usecases.extraction.proposals import MessageToRead, by_rules
from keepsake.usecases.models.try_model import read_trial_reply, statement_of

RECORDED = Path(__file__).parents[2] / "tests" / "domain" / "extraction" / "trial_replies"
_ORDER = [Verdict.GOOD, Verdict.USABLE, Verdict.RULES]
_MEASURED = ("input_tokens", "output_tokens", "seconds")
_OF_RULES = ("found_checked", "wrong_checked")


@dataclass(frozen=True)
class Recording:
    """The replies of a model to each turn of the trial, each with whether it was cut off."""

    model: str
    prompt_version: str
    replies: Sequence[Sequence[tuple[str | None, bool]]]
    figures: Mapping[str, float] = field(default_factory=dict)
    """What was measured when it was recorded; what follows from the replies is judged anew."""

    @property
    def is_outdated(self) -> bool:
        """Whether the prompt has changed since."""
        return self.prompt_version != prompt_version()


def read_recording(path: Path) -> Recording:
    """The recording in a file."""
    return Recording(**json.loads(path.read_text(encoding="utf-8")))


def judge_recording(recording: Recording) -> Judgment:
    """The verdict on the model; ValueError where the trial has other turns now."""
    judgment = judge([_result(turn, given) for turn, given in zip(trial_turns(), recording.replies, strict=True)])
    judged = {name: figure for name, figure in judgment.figures.items() if name not in _MEASURED}
    measured = {name: figure for name, figure in recording.figures.items() if name not in judged}
    return replace(judgment, figures={**judged, **measured})


def _result(turn: TrialTurn, replies: Sequence[tuple[str | None, bool]]) -> TrialResult:
    for number, (text, is_truncated) in enumerate(replies):
        reply = ReplyText(text or "", is_truncated=is_truncated, is_second=number > 0)
        try:
            read = read_trial_reply(reply, turn)
        except InvalidReply:
            continue
        return replace(read, calls=number + 1)
    return TrialResult(turn, is_read=False, calls=len(replies))


def report(recording: Recording) -> Iterator[str]:
    """The verdict and its figures, and whether the recording still says something."""
    age = f"OUTDATED: the prompt is {prompt_version()} now, record again" if recording.is_outdated else "current"
    yield f"{recording.model}, prompt {recording.prompt_version} ({age})"
    judgment = judge_recording(recording)
    figures = ", ".join(
        f"{name} {judgment.figures[name]:.2f}" for name in ("found", "found_checked", "wrong", "wrong_checked")
    )
    yield f"  {judgment.verdict}: {judgment.reason}; {figures}"


def judge_rules() -> Judgment:
    """What the rules make of the turns, judged as a model is."""
    return judge([_by_rules(turn) for turn in trial_turns()])


def _by_rules(turn: TrialTurn) -> TrialResult:
    proposal = asyncio.run(by_rules(MessageToRead(turn.message, SAID_AT, list(turn.known))))
    screened = screen_candidates(proposal.candidates, allowed_types=frozenset(MemoryType), message=turn.message)
    found = [statement_of(candidate, turn) for candidate in screened.accepted]
    return TrialResult(turn, found, found, found, calls=0)


def table() -> Iterator[str]:
    """The table of all recordings, the best model first, and the rules."""
    recordings = map(read_recording, sorted(RECORDED.glob("*.json")))
    judged = [(recording, judge_recording(recording)) for recording in recordings]
    judged.sort(key=lambda one: (_ORDER.index(one[1].verdict), -one[1].figures["found"]))
    models = [(one.model, _shown(one, judgment), judgment.figures) for one, judgment in judged]
    rules = {name: figure for name, figure in judge_rules().figures.items() if name in _OF_RULES}
    return table_lines([*models, ("the rules, without a model", "", rules)])


def _shown(recording: Recording, judgment: Judgment) -> str:
    name = "use the rules" if judgment.verdict is Verdict.RULES else judgment.verdict.value
    return f"{name} (older prompt)" if recording.is_outdated else name


def main() -> None:
    """Judge recordings, or print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--table", action="store_true", help="print the table of docs/models.md")
    options = parser.parse_args()
    for path in options.files:
        print("\n".join(report(read_recording(path))))
    if options.table:
        print("\n".join(table()))


if __name__ == "__main__":
    main()
