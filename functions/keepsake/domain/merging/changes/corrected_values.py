"""Reads a correction of the message before: the date, number or name that takes the place of the wrong one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from rapidfuzz import fuzz

from keepsake.domain.english.calendar_words import MONTHS, WEEKDAYS
from keepsake.domain.english.load_word_lists import load_alternations
from keepsake.domain.memory import Memory
from keepsake.domain.text import normalize_apostrophes

_WITHIN = timedelta(hours=1)
_MIN_NAME_SIMILARITY = 50
_MAX_LENGTH = 200
_MONTH = "|".join(MONTHS)
_OPENER = re.compile(
    rf"^\W{{0,4}}(?:{load_alternations('change_words', __package__)['correction_signs']})\b", re.IGNORECASE
)
_CLASSES = (
    re.compile(
        rf"\b\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})\b|\b(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?\b", re.IGNORECASE
    ),
    re.compile(r"\b\d{1,2}(?:[:.]\d\d)? ?(?:am|pm)\b|\b\d{1,2}:\d\d\b", re.IGNORECASE),
    re.compile(rf"\b(?:{'|'.join(WEEKDAYS)})\b", re.IGNORECASE),
    re.compile(r"\b\d{1,6}\b"),
    re.compile(r"\b(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b", re.IGNORECASE),
)
"""Dates, times, days of the week and numbers: a correction replaces a value with one of its own class."""
_NAME = re.compile(
    r"\b(?:it's|its|it is|he's|she's|spelled|spelt|called|named|meant|say) (?P<name>(?-i:[A-Z])[\w-]{1,20})",
    re.IGNORECASE,
)


def read_correction(text: str, said_at: datetime, recent: Sequence[Memory]) -> tuple[str, str] | None:
    """The value of the message before that this one corrects, and the new one; None where it corrects nothing."""
    normalized = normalize_apostrophes(" ".join(text[:_MAX_LENGTH].split()))
    last = [memory for memory in recent if memory.last_said_at == recent[0].last_said_at]
    if not last or said_at - last[0].last_said_at > _WITHIN or not _OPENER.search(normalized):
        return None
    return next(_corrections(normalized, last), None)


def _corrections(text: str, last: Sequence[Memory]) -> Iterator[tuple[str, str]]:
    for values in _CLASSES:
        named = dict.fromkeys(values.findall(text))
        if not named:
            continue
        for memory in last:
            known = dict.fromkeys(values.findall(memory.text))
            new = [value for value in named if value.casefold() not in {one.casefold() for one in known}]
            if len(known) == len(new) == 1:
                yield next(iter(known)), new[0]
        return
    match = _NAME.search(text)
    if match is None:
        return
    for memory in last:
        label = memory.entity_label or ""
        if (
            label
            and label != match["name"]
            and fuzz.ratio(label.lower(), match["name"].lower()) >= _MIN_NAME_SIMILARITY
        ):
            yield label, match["name"]
