"""From a message to candidates."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from keepsake.domain.memory import MAX_PER_TURN, Candidate, Memory


def extract(text: str, *, said_at: datetime, language: str = "en", recent: Sequence[Memory] = ()) -> list[Candidate]:
    """Every durable statement the author makes about themselves, in the order said.

    The rules read English; another ``language``, or a text that is visibly in one, yields nothing rather than junk.
    ``recent`` are the memories this person made in this conversation, newest first: they resolve "actually it's ramen".
    """
    return []


def top_candidates(candidates: Sequence[Candidate], limit: int = MAX_PER_TURN) -> list[Candidate]:
    """The candidates one turn may make memories of: the most important and surest, in the order said."""
    ranked = sorted(range(len(candidates)), key=lambda i: (-candidates[i].importance, -candidates[i].confidence, i))
    return [candidates[i] for i in sorted(ranked[:limit])]
