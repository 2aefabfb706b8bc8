"""Where and for whom something is remembered or forgotten on the person's own word, and on which connection."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import cast
from uuid import UUID

from keepsake.domain.consent.guard import TurnFacts
from keepsake.domain.memory import MemoryType, Source
from keepsake.infra.db import Connection
from keepsake.infra.readers import Readers
from keepsake.store.turns import Turn


@dataclass(frozen=True, slots=True)
class Where:
    """An open transaction, the person and their profile, and the conversation if it happens in one.

    The memory is the person's own word, so its ``source`` is ``user``; a tool says that it was one.
    """

    conn: Connection
    readers: Readers
    user_id: UUID
    profile_id: UUID
    now: datetime
    said_at: datetime
    conversation_id: UUID | None = None
    message_id: UUID | None = None
    turn_index: int | None = None
    persona_id: str | None = None
    mode: str = "chat"
    building: bool = True
    allowed_types: frozenset[MemoryType] = field(default_factory=lambda: frozenset(MemoryType))
    source: Source = Source.USER
    actor: str = "user"
    timezone: str | None = None

    def turn(self, text: str) -> Turn:
        """The turn as merging and writing see it; not every memory was said in a saved message."""
        facts = TurnFacts(
            role="user",
            author=self.user_id,
            said_at=self.said_at,
            text=text,
            mode=self.mode,
            profile_id=self.profile_id,
            profile_owner=self.user_id,
            is_primary=True,
            memory_enabled=True,
            remember_since=None,
            building=self.building,
            enabled=True,
            erased_before=None,
        )
        message_id, conversation_id = cast("UUID", self.message_id), cast("UUID", self.conversation_id)
        return Turn(
            message_id,
            conversation_id,
            self.turn_index,
            self.persona_id,
            self.allowed_types,
            facts,
            timezone=self.timezone,
        )
