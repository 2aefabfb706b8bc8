"""Ties an injection to the answer it went into, so that the answer can show its memories and be judged by them."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from keepsake.errors import NotFound
from keepsake.infra.resources import Resources
from keepsake.store import injections


@dataclass(frozen=True, slots=True)
class Recorded:
    """The injection with its answer."""

    injection_id: UUID
    message_id: UUID
    memory_ids: tuple[UUID, ...]
    helpfulness: float | None


async def record_injection(
    resources: Resources, *, injection_id: UUID, message_id: UUID, helpfulness: float | None = None
) -> Recorded:
    """Note on both sides which memories an answer was given; the answer is one of the same conversation."""
    async with resources.database.as_service() as conn:
        tied = await injections.tie_to_answer(
            conn, injection_id=injection_id, message_id=message_id, helpfulness=helpfulness
        )
    if tied is None:
        raise NotFound("There is no such injection, or no such answer in its conversation.")
    return Recorded(injection_id, message_id, tied.memory_ids, tied.helpfulness)
