"""The arguments of jobs, validated when a job starts."""

from __future__ import annotations

from uuid import UUID

from pydantic import BaseModel, ConfigDict

from keepsake.domain.summaries.periods import Level


class Payload(BaseModel):
    """The base of all; a job that needs nothing has this one."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class TurnPayload(Payload):
    """A message."""

    conversation_id: UUID
    message_id: UUID


class ConversationPayload(Payload):
    """A conversation."""

    conversation_id: UUID


class ProfilePayload(Payload):
    """A profile."""

    user_id: UUID
    profile_id: UUID


class LevelPayload(ProfilePayload):
    """A profile and a level of its summaries."""

    level: Level


class SessionPayload(Payload):
    """A session."""

    user_id: UUID
    session_id: UUID


class StatePayload(Payload):
    """The state of a persona."""

    user_id: UUID
    state_id: UUID
