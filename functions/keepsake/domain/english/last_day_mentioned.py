"""Finds the last day that a text mentions: "on Friday 4 December 2026", "in April", "for Christmas", "by 2028"."""

from __future__ import annotations

import re
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from keepsake.domain.english.calendar_words import MONTHS

_SHORT = [month[:3].lower() for month in MONTHS]
_MONTH = "|".join([*MONTHS, *(month[:3] for month in MONTHS), "Sept"])
_NAMED_DAYS = {
    "christmas": (12, 26), "xmas": (12, 26), "new year": (1, 1), "halloween": (10, 31), "valentine": (2, 14),
    "spring": (5, 31), "summer": (8, 31), "autumn": (11, 30), "fall": (11, 30), "winter": (2, 28),
}  # fmt: skip
"""Holidays, and seasons of the northern hemisphere with their last day."""
_WHEN = "(?:for|at|in|on|by|over|until|till|around|before|after|during|this|next)"
_DATES = (
    rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})\b(?:,? (?P<year>\d{{4}}))?",
    rf"(?P<month2>{_MONTH}) (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (?P<year2>\d{{4}}))?",
    rf"(?:in|by|until|till|of|around|next|this|early|late|mid|end of) (?P<month3>{_MONTH})\b(?: (?P<year3>\d{{4}}))?",
    r"(?P<year4>\d{4})-(?P<number>\d{2})-(?P<day4>\d{2})",
    r"(?:in|by|until|around|during) (?P<year5>20\d{2})",
    rf"{_WHEN} (?:the )?(?P<name>{'|'.join(_NAMED_DAYS)})",
)
_DAYS_AFTER = (("weekend of ", 1), ("week of ", 6))
_DATE = re.compile(rf"\b(?:{'|'.join(_DATES)})\b", re.IGNORECASE | re.ASCII)


def last_day_mentioned(text: str, today: date) -> date | None:
    """The last day of the latest date in a text; a date without a year is the next one."""
    found = ((match.start(), _last_day(match, today)) for match in _DATE.finditer(text))
    days = [last_day_after(text[:start], day) for start, day in found if day is not None]
    return max(days, default=None)


def last_day_after(before: str, day: date) -> date:
    """The last day of what begins on the day that stands after these words: "on the weekend of", "in the week of"."""
    more = next((days for words, days in _DAYS_AFTER if before.endswith(words)), 0)
    return day + timedelta(days=min(more, (date.max - day).days))


def _last_day(match: re.Match[str], today: date) -> date | None:
    """The last day of a date, of a month without a day, and of a year without a month; None where there is no such."""
    said = {name.rstrip("2345"): words.lower() for name, words in match.groupdict().items() if words}
    month, day = int(said.get("number", 12)), int(said["day"]) if "day" in said else None
    if "month" in said:
        month = _SHORT.index(said["month"][:3]) + 1
    if "name" in said:
        month, day = _NAMED_DAYS[said["name"]]
    for year in [int(said["year"])] if "year" in said else [today.year, today.year + 1]:
        try:
            found = date(year, month, 1) + relativedelta(day=31) if day is None else date(year, month, day)
        except ValueError:  # 30 February
            continue
        if "year" in said or found >= today:
            return found
    return None
