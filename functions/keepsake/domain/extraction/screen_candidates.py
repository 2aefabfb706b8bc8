"""Screens the candidates of one message: which may be stored, and why the others may not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from keepsake.domain.memory import MAX_PER_TURN, Candidate, MemoryType
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


def top_candidates(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates that one turn may make memories of: the most important and most certain, in the order said.

    A retraction without a text makes no memory, and is always kept.
    """
    makers = [index for index, candidate in enumerate(candidates) if candidate.text]
    ranked = sorted(makers, key=lambda index: (-candidates[index].importance, -candidates[index].confidence, index))
    chosen = set(ranked[:MAX_PER_TURN])
    return [candidate for index, candidate in enumerate(candidates) if index in chosen or not candidate.text]
