"""What may make a match only look like a habit or a skill: the errand, the complaint, the moment."""

from __future__ import annotations

import re

from keepsake.domain.extraction.rules.checks import settled, solid
from keepsake.domain.extraction.rules.clauses import Clause
from keepsake.domain.extraction.rules.rule import Values

_NO_HABIT = re.compile(
    r"(?:run (?:into|out|this|the (?:code|script|program|command|test|query|app|following)|it|a (?:query|script|"
    r"test|command|business))|play (?:this|that|it|around)|make (?:sure|a (?:reservation|"
    r"payment|call|transfer|note|list|mistake|decision|point)|this|that|it|the (?:payment|call))|use (?:this|that|"
    r"it|the following|your)|follow (?:you|your|this|that|up)|fix (?:this|it|that)|"
    r"drive (?:me|there|home)|watch (?:this|that|it)|read (?:this|that|it|your|the (?:above|following|article|"
    r"instructions|email))|listen to (?:this|that|it|you)|keep (?:getting|having|seeing|forgetting|it|this|that|in "
    r"mind|"
    r"trying|thinking|telling)|save (?:this|it|that|the)|write (?:this|it|to (?:you|ask))|support (?:this|that|you)|"
    r"study (?:this|that)|build (?:this|that|it)|manage to|lead to|stream this|observe (?:that|this)|"
    r"own (?:up|it)|sell (?:this|it)|design (?:this|that)|eat (?:this|that|it)|speak (?:to (?:a|an|the|someone|my)|"
    r"with)|see (?:this|that|your)|struggle (?:to understand|with (?:this|that|the))|grow (?:tired|bored)|sleep on "
    r"it|"
    r"follow the|ride (?:to|there)|code (?:this|that|it)|program (?:this|that|it)|act (?:like|as)|drink (?:this|"
    r"that|it)|raise (?:an?|this|the) (?:issue|question|point)|identify (?:the|this|that))\b",
    re.I,
)


def a_habit(values: Values, clause: Clause) -> bool:
    """Something the person does again and again, or for a living."""
    phrase = values.get("object", "")
    return solid(values, clause) and _NO_HABIT.match(phrase) is None


_REGULAR = re.compile(
    r"^(?:every|each) (?:single )?(?:\w+day|day|morning|evening|night|week|weekend|month|year|summer|winter|spring|"
    r"fall)\b|"
    r"^on (?:\w+days|weekends)\b|^(?:once|twice|\w+ times) (?:a|every) ",
    re.I,
)
_REGULAR_END = re.compile(
    r"\b(?:every|each) (?:single |other )?(?:\w+day|day|morning|evening|night|week|weekend|month|year|summer|"
    r"winter)s?$|"
    r"\bon (?:\w+days|weekends)$|\b(?:once|twice|\w+ times) (?:a|every) (?:day|week|month|year)$",
    re.I,
)
_NO_ROUTINE = re.compile(
    r"(?:\w+ (?:it|this|that|them|you|your)\b|"
    r"am|have|had|was|were|get|got|want|need|will|would|can|cannot|could|do not|did|see|hear|think|know|feel|"
    r"receive|"
    r"\w+ed)\b",
    re.I,
)


def a_regular_habit(values: Values, clause: Clause) -> bool:
    """What is said to be done at regular times is a habit, whatever it is ("every Sunday I call my parents")."""
    phrase = values.get("object", "")
    regular = _REGULAR.match(clause.front) or _REGULAR_END.search(phrase)
    return regular is not None and not _NO_ROUTINE.match(phrase) and settled(values, clause)


_PASSING = re.compile(
    r"(?:getting|receiving|having|seeing|hearing|being|trying|thinking|looking|waiting|asking|feeling|talking|typing|"
    r"reading (?:the|this|that)|watching (?:the|this|that))\b|.*\b(?:it|this|that|you|your|here|there)\b",
    re.I,
)


def a_habit_given_up(values: Values, clause: Clause) -> bool:
    """What was stopped was a habit, not what one is just at."""
    return not clause.asks and _PASSING.match(values.get("doing", "")) is None


def a_skill(values: Values, clause: Clause) -> bool:
    """Something the person can do in general."""
    phrase = values.get("object", "")
    return (
        re.search(
            r"\b(?:it|this|that|you|your|see why|see what|see how|see that|see the|hear you|tell|make it|find|get)\b",
            phrase,
            re.I,
        )
        is None
    )
