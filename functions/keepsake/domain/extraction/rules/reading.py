"""All that rules read in one message, in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from keepsake.domain.extraction.rules.engine import extract
from keepsake.domain.extraction.rules.why_nothing import why_nothing
from keepsake.domain.memory import Candidate, Memory


@dataclass(frozen=True, slots=True)
class Reading:
    """The candidates of a message; ``silence`` says why there are none, where that is known."""

    candidates: tuple[Candidate, ...]
    silence: str | None = None


def read_message(text: str, *, said_at: datetime, recent: Sequence[Memory] = ()) -> Reading:
    """What the author states about themselves, or why that is nothing."""
    found = tuple(extract(text, said_at=said_at, recent=recent))
    return Reading(found, None if found else why_nothing(text))
