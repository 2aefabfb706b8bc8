"""Gives a candidate the period that its text names, where the model gave none and rules resolved the date."""

from __future__ import annotations

import re
from dataclasses import replace

from keepsake.domain.evidence.written_dates import find_dates
from keepsake.domain.memory import Candidate

_SAID_ON = re.compile(r"\(said on [^()]{1,40}\)\Z")


def with_period(candidate: Candidate) -> Candidate:
    """The candidate with the one day or month that its text names with its year; several dates are no period."""
    if candidate.period is not None or not candidate.text:
        return candidate
    text = _SAID_ON.sub("", candidate.text)
    dates = find_dates(text, frozenset({candidate.language[:2], "en"}), is_statement=True)
    written = {(one.year, one.month, one.day) for one in dates}
    if len(written) != 1:
        return candidate
    ((year, month, day),) = written
    if year is None or month is None or dates[0].period(year) is None:
        return candidate
    return replace(candidate, period=f"{year:04}-{month:02}" + (f"-{day:02}" if day else ""))
