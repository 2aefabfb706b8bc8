"""Marks what a summary tells as planned for a day that is over: nobody has said since what came of it.

A summary stays as it was written, and is read on later days: "The surgery is on 6 April" in a context of 7 April.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from keepsake.domain.context.outline import Outline, Sentence
from keepsake.domain.english.calendar_words import MONTHS

NOTICE = "(that day has passed; what came of it is not noted)"
"""Stands after a plan whose day is over."""

_MONTHS = {month: number for number, month in enumerate(MONTHS, 1)}
_NAMES = "|".join(MONTHS)
_DATE = (
    rf"(?:the )?(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?(?P<month>{_NAMES})"
    rf"|(?P<month_first>{_NAMES}) (?P<day_after>\d{{1,2}})(?:st|nd|rd|th)?(?!\d))(?:,? (?P<year>\d{{4}}))?"
)
_VERBS = (
    r"is|are|will|planned|scheduled|due|(?:start|begin|leave|arrive|come|move|drive|go|take|have)s|flies"
    r"|(?:starting|beginning|leaving|arriving|coming|moving|driving|going|flying)|(?:want|plan)s? to"
)
_PAST = r"(?:and|but|who|which|since|was|were|had|has|came|went|got|told|said|did|until|not|no longer|\w+ed)"
_AHEAD = re.compile(
    rf"\b(?:{_VERBS})(?: (?!{_PAST}\b)[\w'’-]+){{0,8}}? (?:on|for|by) "
    rf"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day,? )?{_DATE}"
)
_SENTENCE = re.compile(r"(?:[^.!?;]|[.!?;](?!\s|$))+[.!?;]*\s*")
_HALF_A_YEAR = 183


def mark_passed(outline: Outline, today: date) -> Outline:
    """The outline with a notice after each sentence that tells a plan for an earlier day."""
    return replace(
        outline,
        sentences=[_marked(one, today) for one in outline.sentences],
        parts=[mark_passed(part, today) for part in outline.parts],
    )


def _marked(sentence: Sentence, today: date) -> Sentence:
    items = [replace(one, text=mark_text(one.text, today)) for one in sentence.items]
    opening = sentence.opening if items else mark_text(sentence.opening, today)
    return replace(sentence, opening=opening, items=items)


def mark_text(text: str, today: date) -> str:
    """The text with the notice after each sentence that tells a plan for an earlier day."""
    return "".join(_mark_sentence(match[0], today) for match in _SENTENCE.finditer(text))


def _mark_sentence(sentence: str, today: date) -> str:
    days = list(_planned_days(sentence, today))
    if not days or max(days) >= today:
        return sentence
    body = sentence.rstrip()
    end = body[len(body.rstrip(".!?;")) :]
    return f"{body.removesuffix(end)} {NOTICE}{end}{sentence[len(body) :]}"


def _planned_days(sentence: str, today: date) -> Iterator[date]:
    for match in _AHEAD.finditer(sentence):
        month = _MONTHS[match["month"] or match["month_first"]]
        try:
            day = date(int(match["year"] or today.year), month, int(match["day"] or match["day_after"]))
        except ValueError:
            continue
        if match["year"] or abs((day - today).days) < _HALF_A_YEAR:
            yield day
