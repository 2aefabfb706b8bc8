"""Joins a name to the whole of it that follows: "My name is Bond. James Bond." is one statement."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from keepsake.domain.reading.clauses.split_clauses import Clause

_NAME = r"[^\W\d_][\w'-]{1,30}"
_REPEATED = re.compile(
    rf"(?P<introduces>(?:my )?name is )(?P<last>{_NAME}), (?P<first>{_NAME}) (?P=last)(?P<rest>,.*)?",
    re.IGNORECASE,
)


def join_names(clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses, with each last name as the whole name that repeats it, in the same clause or the next one."""
    joined: list[Clause] = []
    for clause in clauses:
        if joined and (name := _full_name(f"{joined[-1].words}, {clause.words}")):
            joined[-1] = replace(joined[-1], words=name)
        else:
            joined.append(replace(clause, words=_full_name(clause.words) or clause.words))
    return joined


def _full_name(words: str) -> str | None:
    match = _REPEATED.fullmatch(words)
    return match and f"{match['introduces']}{match['first']} {match['last']}{match['rest'] or ''}"
