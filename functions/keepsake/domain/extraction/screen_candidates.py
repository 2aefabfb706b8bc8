"""Screens the candidates of one message: which may be stored, and why the others may not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from keepsake.domain.memory import MAX_PER_TURN, Candidate, MemoryType
from keepsake.domain.memory_key import parse_key
from keepsake.domain.screening.screen import Dropped, screen

_YIELDING = frozenset({"name", "nickname", "pronouns", "age"})
"""Attributes of the author that yield to others of the same importance."""


@dataclass(frozen=True, slots=True)
class ScreenedCandidates:
    """The candidates that may be stored, best first and no more than one turn may make; the others by reason."""

    accepted: Sequence[Candidate]
    dropped: Counter[str]


def screen_candidates(
    candidates: Sequence[Candidate],
    *,
    allowed_types: Collection[MemoryType],
    message: str,
    limit: int = MAX_PER_TURN,
) -> ScreenedCandidates:
    """Screen the candidates found in a message; of those that make a memory at most ``limit`` are accepted."""
    accepted: list[Candidate] = []
    dropped: Counter[str] = Counter()
    for candidate in candidates:
        verdict = screen(candidate, message=message)
        if isinstance(verdict, Dropped):
            dropped[verdict.reason] += 1
        elif verdict.type not in allowed_types:
            dropped["type_not_allowed"] += 1
        else:
            accepted.append(verdict)
    best = top_candidates(accepted, limit)
    if len(accepted) > len(best):
        dropped["too_many"] += len(accepted) - len(best)
    return ScreenedCandidates(best, dropped)


def top_candidates(candidates: Sequence[Candidate], limit: int = MAX_PER_TURN) -> list[Candidate]:
    """The candidates that one turn may make memories of: the most important and most certain, in the order said.

    Of the same importance, the author's own name, nickname, pronouns and age come after everything else.
    A retraction without a text makes no memory, and is always kept.
    """
    makers = [index for index, candidate in enumerate(candidates) if candidate.text]
    best = best_indexes([candidates[index] for index in makers], limit)
    chosen = {makers[index] for index in best}
    return [candidate for index, candidate in enumerate(candidates) if index in chosen or not candidate.text]


def best_indexes(candidates: Sequence[Candidate], limit: int) -> set[int]:
    """Where the most important and most certain candidates stand, ``limit`` of them at most."""
    return set(sorted(range(len(candidates)), key=lambda index: (*_rank(candidates[index]), index))[:limit])


def _rank(candidate: Candidate) -> tuple[int, bool, float]:
    """What is lower is kept first."""
    return -candidate.importance, parse_key(candidate.key).attribute in _YIELDING, -candidate.confidence
