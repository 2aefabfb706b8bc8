"""Joins an exception to what it is taken from: "I'm vegetarian but I eat fish" is one statement."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from keepsake.domain.extraction.rules.clauses.split_clauses import MAX_CLAUSE_LENGTH, Clause

_RESTRICTION = re.compile(
    r"I (?:am|have been) .{0,30}\b(?:vegan|vegetarian|pescatarian|kosher|halal|keto|sober|gluten[- ]free|allergic|"
    r"intolerant)\b|"
    r"I (?:do not|cannot|never|no longer|avoid|hate|dislike)\b",
    re.IGNORECASE,
)
_EXCEPTION = re.compile(
    r"I (?:(?:do|still|also|sometimes|occasionally|will|can|am ok with|am fine with) ){0,3}"
    r"(?:eat|drink|have|make (?:an )?exceptions?|allow|like|love|tolerate|wear|eating|drinking)\b.{1,60}",
    re.IGNORECASE,
)
_BUT = re.compile(r"\b(?:but|although|though|except)[\s,]{1,4}$", re.IGNORECASE)
_LOOK_BACK = 12


def join_exceptions(clauses: Sequence[Clause], message: str) -> list[Clause]:
    """The clauses, with each exception joined to the clause before."""
    joined: list[Clause] = []
    for clause in clauses:
        quote = _joint_quote(joined[-1], clause, message) if joined else None
        if quote is None:
            joined.append(clause)
        else:
            joined[-1] = replace(joined[-1], exception=clause.words, quote=quote)
    return joined


def _joint_quote(before: Clause, clause: Clause, message: str) -> str | None:
    """The words of both clauses where the second one is an exception to the first; None where it is not."""
    if clause.sentence != before.sentence or clause.is_embedded or before.exception:
        return None
    if not (_RESTRICTION.match(before.words) and _EXCEPTION.fullmatch(clause.words)):
        return None
    start = message.find(before.quote)
    index = message.find(clause.quote, start + len(before.quote)) if start >= 0 else -1
    if index < 0 or _BUT.search(message[max(0, index - _LOOK_BACK) : index]) is None:
        return None
    quote = message[start : index + len(clause.quote)]
    return quote if len(quote) <= MAX_CLAUSE_LENGTH else None
