"""Asks Postgres for the few memories a message may need, already scored."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from keepsake.domain.budget import MAX_MEMORIES
from keepsake.domain.memory import MemoryType
from keepsake.domain.scoring import DEFAULT_WEIGHTS, Scored, Weights
from keepsake.infra.db import Connection


async def candidates(
    conn: Connection,
    *,
    user_id: UUID,
    profile_id: UUID,
    persona_id: str | None,
    types: Collection[MemoryType],
    query: str,
    now: datetime,
    shared: bool = False,
    breadth: int = MAX_MEMORIES,
    weights: Weights = DEFAULT_WEIGHTS,
) -> list[Scored]:
    """The person's current memories that ``domain.selection.select`` may choose from (at most six times ``breadth``).

    Of one profile, written for this persona or for all, of the allowed types. ``conn`` is the service's;
    ``shared`` leaves feelings out already here, so that they take no candidate's place.
    """
    raise NotImplementedError
