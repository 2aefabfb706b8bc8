"""The keys by which queries name a profile, a persona under a profile, or a turn."""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID


class ProfileKey(NamedTuple):
    """A person and one of their profiles."""

    user_id: UUID
    profile_id: UUID

    @property
    def params(self) -> dict[str, UUID]:
        """The key as parameters of a query."""
        return self._asdict()


class PersonaKey(NamedTuple):
    """A profile and the persona that its person speaks with."""

    user_id: UUID
    profile_id: UUID
    persona_id: str | None

    @property
    def params(self) -> dict[str, UUID | str | None]:
        """The key as parameters of a query."""
        return self._asdict()


class TurnKey(NamedTuple):
    """The message of a turn: the idempotency key of its extraction."""

    conversation_id: UUID
    message_id: UUID

    @property
    def params(self) -> dict[str, UUID]:
        """The key as parameters of a query."""
        return self._asdict()
