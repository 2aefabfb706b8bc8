"""One prompt for everybody who spoke in a shared conversation on a day, and the part of each person in the reply.

The texts of all are numbered through, and each part may cite its own person's texts only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.citable import Citable, show_texts
from keepsake.domain.summaries.cited import Content
from keepsake.domain.summaries.evidence import Evidence
from keepsake.domain.summaries.model_form import FORMS, build_prompt
from keepsake.domain.summaries.model_reply import ReplyForm
from keepsake.domain.summaries.periods import Level, Period
from keepsake.domain.summaries.prompt import SummaryPrompt, number_texts
from keepsake.domain.summaries.sources import SummarySources

_UNLIMITED = 10**6


@dataclass(frozen=True, slots=True)
class DayOfPerson:
    """What one person said on the day, and who they are, where their name may be shown."""

    sources: SummarySources
    author: Author | None = None


def build_shared_prompt(period: Period, people: Sequence[DayOfPerson], *, budget: int) -> SummaryPrompt:
    """The prompt for the days of these people, each under a letter; the budget is for all of them."""
    form, parts = FORMS[Level.DAY], []
    texts: dict[int, Citable] = {}
    of_field: dict[str, Evidence] = {}
    letters = ascii_lowercase[: len(people)]
    for letter, person in zip(letters, people, strict=True):
        own = build_prompt(period, person.sources, person.author, budget=budget // len(people))
        numbered = number_texts(own.texts, len(texts) + 1)
        texts |= numbered
        parts.append({"letter": letter, **own.data, "texts": show_texts(numbered)})
        others = [message.text for one in people if one is not person for message in _texts_of(period, one)]
        evidence = Evidence(numbered, own.evidence.known, own.evidence.person, others=others)
        of_field |= {f"{name}_{letter}": evidence for name in (*form.texts, *form.lists)}
    return SummaryPrompt(
        "shared_day",
        ReplyForm(
            {f"{name}_{letter}": limit for letter in letters for name, limit in form.texts.items()},
            {f"{name}_{letter}": limit for letter in letters for name, limit in form.lists.items()},
        ),
        {"people": parts},
        Evidence(texts, of_field=of_field),
    )


def _texts_of(period: Period, person: DayOfPerson) -> Sequence[Citable]:
    return build_prompt(period, person.sources, person.author, budget=_UNLIMITED).texts


def split_parts(people: Sequence[DayOfPerson], content: Content) -> list[Content | None]:
    """The part of each person; None where nothing of it rests on their own words."""
    parts: list[Content | None] = []
    for letter in ascii_lowercase[: len(people)]:
        part: Mapping[str, Any] = {
            name.removesuffix(f"_{letter}"): sentences
            for name, sentences in content.items()
            if name.endswith(f"_{letter}")
        }
        parts.append(part if part.get("summary") else None)
    return parts
