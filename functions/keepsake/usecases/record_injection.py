"""Links an injection to the answer that was made with it, so that the answer can show its memories."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from keepsake.errors import NotFound
from keepsake.infra.resources import Resources
from keepsake.store import injections


@dataclass(frozen=True, slots=True)
class LinkedAnswer:
    """The injection with its answer."""

    injection_id: UUID
    message_id: UUID
    memory_ids: tuple[UUID, ...]
    summary_ids: tuple[UUID, ...]
    message_ids: tuple[UUID, ...]
    """The messages that the summaries rest on. ``message_id`` is the answer."""
    helpfulness: float | None


async def record_injection(
    resources: Resources, *, injection_id: UUID, message_id: UUID, helpfulness: float | None = None
) -> LinkedAnswer:
    """Record in both rows what an answer was given; the answer must be in the same conversation."""
    async with resources.database.as_service() as conn:
        linked = await injections.link_to_answer(
            conn, injection_id=injection_id, message_id=message_id, helpfulness=helpfulness
        )
    if linked is None:
        raise NotFound("There is no such injection, or no such answer in its conversation.")
    ids = (linked.memory_ids, linked.summary_ids, linked.message_ids)
    return LinkedAnswer(injection_id, message_id, *ids, linked.helpfulness)
