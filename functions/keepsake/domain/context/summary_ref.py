"""The stored row of a summary that a context shows."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class SummaryRef:
    """The row of a summary, and the messages that it rests on."""

    id: UUID
    message_ids: tuple[UUID, ...] = ()
