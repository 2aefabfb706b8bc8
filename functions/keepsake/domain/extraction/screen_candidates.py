"""Screens the candidates of one message: which may be stored, and why the others may not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from keepsake.domain.extraction.rules.engine import top_candidates
from keepsake.domain.memory import Candidate, MemoryType
from keepsake.domain.screening.screen import Dropped, screen


@dataclass(frozen=True, slots=True)
class ScreenedCandidates:
    """The candidates that may be stored, best first and no more than one turn may make; the others by reason."""

    accepted: Sequence[Candidate]
    dropped: Counter[str]


def screen_candidates(
    candidates: Sequence[Candidate], *, allowed_types: Collection[MemoryType], message: str
) -> ScreenedCandidates:
    """Screen the candidates found in a message."""
    accepted: list[Candidate] = []
    dropped: Counter[str] = Counter()
    for candidate in candidates:
        verdict = screen(candidate, message=message)
        if isinstance(verdict, Dropped):
            dropped[verdict.reason] += 1
        elif verdict.candidate.type not in allowed_types:
            dropped["type_not_allowed"] += 1
        else:
            accepted.append(verdict.candidate)
    best = top_candidates(accepted)
    if len(accepted) > len(best):
        dropped["too_many"] += len(accepted) - len(best)
    return ScreenedCandidates(best, dropped)
