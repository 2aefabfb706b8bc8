"""Limits how many new memories one message makes: what it repeats or changes needs no room."""

from __future__ import annotations

from collections.abc import Sequence

from keepsake.domain.extraction.screen_candidates import best_indexes
from keepsake.domain.merging.decisions import Decision, Drop, Insert, Retract, Supersede


def max_compared(limit: int) -> int:
    """How many statements of a message are compared with memories: some of them say nothing new."""
    return 2 * limit


def limit_new_memories(decisions: Sequence[Decision], limit: int) -> list[Decision]:
    """The decisions, with those dropped that would make more memories than a message may; the best are kept.

    "I'm Sam, in Leeds with my wife Priya and our two kids" says a name that is known, and three things that are new.
    """
    changes = sum(isinstance(one, Supersede) or (isinstance(one, Retract) and bool(one.candidate)) for one in decisions)
    inserted = [index for index, one in enumerate(decisions) if isinstance(one, Insert)]
    candidates = [one.candidate for one in decisions if isinstance(one, Insert)]
    best = best_indexes(candidates, max(0, limit - changes))
    kept = {inserted[index] for index in best}
    return [
        Drop(one.candidate, "too_many", "the message says things that matter more")
        if isinstance(one, Insert) and index not in kept
        else one
        for index, one in enumerate(decisions)
    ]
