"""What stands in the person's calendar and lasts beyond the day: "my sister's wedding is on July 12th"."""

from __future__ import annotations

import re

from keepsake.domain.english.kinship import FRIENDS, RELATIONS
from keepsake.domain.extraction.rules import checks
from keepsake.domain.extraction.rules.clauses import Clause
from keepsake.domain.extraction.rules.rule import Values, rule
from keepsake.domain.memory import MemoryType, Subtype

_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_MONTHS = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|"
    r"aug|sept?|oct|nov|dec)"
)
_CLOCK = r"(?: at \d[\w:. ]{0,8}| at (?:noon|midnight)| (?:morning|afternoon|evening|night)s?)"
_DATE = (
    rf"(?P<date>(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTHS}\b(?:,? \d{{4}})?|{_MONTHS}\.? (?:the )?\d{{1,2}}"
    rf"(?:st|nd|rd|th)?(?:,? \d{{4}})?|{_MONTHS}(?: \d{{4}})?|(?:\d{{1,4}}[-/.]){{1,2}}\d{{1,4}}){_CLOCK}?"
)
_WEEKDAY = rf"(?P<date>(?:(?:every|each|this|next|coming) )?{_DAYS}s?(?: and {_DAYS}s?)?{_CLOCK}?)"
_OFTEN = rf"(?P<date>(?:every|each) [\w ]{{3,30}}|{_DAYS}s(?: and {_DAYS}s)?{_CLOCK}?)"
_EVENT = (
    r"wedding|birthday|party|graduation|flight|surgery|operation|recital|concert|game|match|race|marathon|trip|vacation|holiday|"
    r"ceremony|funeral|shower|reunion|tournament|performance|show|conference|interview|exam|finals?|due date|checkup|"
    r"honeymoon|move|visit|gig|premiere|bar mitzvah|bat mitzvah|baptism|christening|quinceañera|retirement|anniversary|"
    r"appointment|audition|hearing|defen[sc]e|deadline"
)
_REGULAR = (
    r"rehearsals?|practices?|class(?:es)?|lessons?|training|sessions?|shifts?|club|group|meetups?|band|choir|therapy|"
    r"book club|study group|game night|date night|day off|yoga|pilates|church|mass|days? off"
)
_WHOSE = rf"(?:my|our) (?P<rel>(?:[\w-]+ )?(?:{RELATIONS}|{FRIENDS}))'s? "
_KIND = rf"(?P<object>(?:[\w'-]+ ){{0,3}}?(?:{_EVENT}))"
_USUAL = rf"(?P<object>(?:[\w'-]+ ){{0,3}}?(?:{_REGULAR}))"
_SLOT = "self|when|{object}"
_TEXT = "{object} is {on} {date}"
_MORE = r"(?:,? (?:now|instead|this year|so .*|and .*))?"
_DEAD = re.compile(r"\b(?:card|account|bill|payment|package|order|meeting|reservation|booking)\b", re.I)


def _occasion(values: Values, clause: Clause) -> bool:
    """An occasion of the person's life, told for its own sake."""
    return not clause.asks and _DEAD.search(values.get("object", "")) is None


RULES = (
    rule(rf"{_WHOSE}{_KIND} is (?P<on>on|in|at)? ?{_DATE}{_MORE}", "{who}|when|{object}", Subtype.RELATIONSHIP,
         value="{date}", type=MemoryType.RELATIONSHIP, text="{rel}'s {object} is {on} {date}", importance=2,
         subject="{rel}", check=_occasion),
    rule(rf"{_WHOSE}{_KIND} is (?P<on>on|in|at)? ?{_WEEKDAY}{_MORE}", "{who}|when|{object}", Subtype.EVENT,
         value="{date}", type=MemoryType.RELATIONSHIP, text="{rel}'s {object} is {on} {date}", subject="{rel}",
         check=_occasion),
    rule(rf"(?:my|our) {_KIND} is (?P<on>on|in|at)? ?{_DATE}{_MORE}", _SLOT, Subtype.IDENTITY, value="{date}",
         text=_TEXT, check=_occasion),
    rule(rf"(?:my|our) {_USUAL} (?:is|are) (?P<on>on)? ?(?:{_OFTEN}|{_WEEKDAY.replace('<date>', '<date2>')}){_MORE}",
         _SLOT, Subtype.HABIT, value="{date}", type=MemoryType.PATTERN, text=_TEXT, check=_occasion),
    rule(rf"(?:my|our) {_KIND} is (?P<on>on)? ?{_WEEKDAY}{_MORE}", _SLOT, Subtype.EVENT, value="{date}", text=_TEXT,
         check=checks.unasked),
)  # fmt: skip
