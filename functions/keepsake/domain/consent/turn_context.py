"""What is known of one message: its author, its conversation, and what the author consents to."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from keepsake.domain.memory import MemoryType
from keepsake.domain.reading.message import PreviousMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """When and where a statement was made; outside a conversation only the time is known."""

    said_at: datetime
    conversation_id: UUID | None = None
    message_id: UUID | None = None
    turn_index: int | None = None
    mode: str = "chat"
    persona_id: str | None = None
    timezone: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """What the author of a message allows: in general, in this conversation, and for which profile."""

    profile_owner: UUID | None
    is_primary: bool
    memory_enabled: bool | None
    """The author's choice for this conversation; None where they made none."""
    remember_since: datetime | None
    building: bool
    """Whether new memories may be made; false during a pause."""
    enabled: bool
    erased_before: datetime | None
    allowed_types: frozenset[MemoryType]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnContext:
    """One message of a person, where it was said, and what its author consents to."""

    author: UUID | None
    profile_id: UUID | None
    conversation_id: UUID
    mode: str
    persona_id: str | None
    message_id: UUID | None
    """None for a message that is not saved yet."""
    turn_index: int | None
    role: str
    text: str
    said_at: datetime
    timezone: str | None
    consent: Consent
    is_finished: bool | None = None
    """Whether its extraction has ended; None where that was not read."""
    configured_names: tuple[str, ...] = ()
    """The names of the assistant in the settings."""
    previous: tuple[PreviousMessage, ...] = ()
    """The author's and the assistant's messages before it, newest first, none from before consent."""
    places: tuple[tuple[UUID, str], ...] = ()
    """The ids and names of the author's places, which a message may mention."""

    @property
    def assistant_names(self) -> tuple[str, ...]:
        """What the author may call the assistant: its configured names, and the persona it plays."""
        return (*self.configured_names, *((self.persona_id,) if self.persona_id else ()))

    @property
    def origin(self) -> Origin:
        """When and where the message was said."""
        return Origin(
            said_at=self.said_at,
            conversation_id=self.conversation_id,
            message_id=self.message_id,
            turn_index=self.turn_index,
            mode=self.mode,
            persona_id=self.persona_id,
            timezone=self.timezone,
        )
