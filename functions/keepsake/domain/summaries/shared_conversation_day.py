"""One prompt for everybody who spoke in a shared conversation on a day, and the part of each person in the reply.

Of a part only what its own person said is kept: a sentence with a word that only another person said is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

from keepsake.domain.summaries.evidence import Evidence
from keepsake.domain.summaries.model_form import FORMS, build_prompt
from keepsake.domain.summaries.model_reply import Content, ReplyForm
from keepsake.domain.summaries.periods import Level, Period
from keepsake.domain.summaries.prompt import SummaryPrompt, texts_in
from keepsake.domain.summaries.sources import SummarySources


@dataclass(frozen=True, slots=True)
class DayOfPerson:
    """What one person said on the day, and their name, where it may be shown."""

    sources: SummarySources
    name: str | None = None


def build_shared_prompt(period: Period, people: Sequence[DayOfPerson]) -> SummaryPrompt:
    """The prompt for the days of these people, each under a letter."""
    form = FORMS[Level.DAY]
    letters = ascii_lowercase[: len(people)]
    data = [{"letter": letter, **_own_data(period, one)} for letter, one in zip(letters, people, strict=True)]
    return SummaryPrompt(
        "shared_day",
        ReplyForm(
            {f"{name}_{letter}": limit for letter in letters for name, limit in form.texts.items()},
            {f"{name}_{letter}": limit for letter in letters for name, limit in form.lists.items()},
        ),
        {"people": data},
    )


def split_parts(period: Period, people: Sequence[DayOfPerson], content: Content) -> list[Content | None]:
    """The part of each person, as far as it rests on their own words; None where nothing of it does."""
    texts = [texts_in(_own_data(period, one)) for one in people]
    parts: list[Content | None] = []
    for index, letter in enumerate(ascii_lowercase[: len(people)]):
        others = [text for number, own in enumerate(texts) if number != index for text in own]
        part = _keep(Evidence(texts[index], others=others), content, letter)
        parts.append(part if part["summary"] else None)
    return parts


def _keep(evidence: Evidence, content: Content, letter: str) -> Content:
    themes = content[f"key_themes_{letter}"]
    return {
        "summary": evidence.keep_sentences(str(content[f"summary_{letter}"])),
        "key_themes": evidence.keep_items(themes if isinstance(themes, list) else []),
    }


def _own_data(period: Period, person: DayOfPerson) -> Mapping[str, Any]:
    return build_prompt(period, person.sources, person.name).data
