"""The week of the trial: what a summary of it tells is counted by the sentences that the check kept."""

from __future__ import annotations

import pytest

from keepsake.domain.summaries.trial_week import trial_week

WEEK = trial_week()
PROMPT = WEEK.prompt(budget=6000)


def read(summary: str) -> int:
    """How much is told by what the check keeps of a reply with this summary."""
    return WEEK.count_events(PROMPT.form.read(f'{{"summary": "{summary}"}}', PROMPT.evidence).content)


def test_prompt__has_the_whole_week() -> None:
    shown = PROMPT.build_messages(schema_in_prompt=True)[1]["content"]
    assert all(one.text in shown for one in WEEK.sources.messages)
    assert WEEK.person in shown


@pytest.mark.parametrize(
    "summary, told",
    [
        ("Marit got the job on Thursday and starts on 1 April [5].", 2),
        ("Marit got the job on Thursday and starts on 1 May [5].", 0),
        ("Marit got the job on Thursday and starts on 1 April.", 0),
        ("Marit talked about the weather [5].", 0),
    ],
)
def test_told__is_what_a_supported_sentence_says(summary: str, told: int) -> None:
    """A wrong date, a sentence that cites nothing, and one about something else tell nothing."""
    assert read(summary) == told


def test_right_summary__tells_everything() -> None:
    assert read(
        "Marit had her interview at the observatory on Tuesday [1, 2]. Her sister Wenke fell on the ice and broke "
        "her wrist [3]. Marit got the job on Thursday and starts on 1 April [5]. On Friday she drove to Alta [6]. "
        "She still has to tell her boss at the bakery [7]."
    ) == len(WEEK.expected)
