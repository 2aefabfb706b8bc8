"""The arguments of jobs, validated when a job starts."""

from __future__ import annotations

from uuid import UUID

from pydantic import BaseModel, ConfigDict

from keepsake.domain.summaries.periods import Level


class ExtractPayload(BaseModel):
    """The message to extract memories from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    conversation_id: UUID
    message_id: UUID


class ContextPayload(BaseModel):
    """The profile whose merged context is to be written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    user_id: UUID
    profile_id: UUID


class SessionPayload(BaseModel):
    """The session that is to be closed and summarized."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    user_id: UUID
    session_id: UUID


class StatePayload(BaseModel):
    """The state of a persona whose rolling summary is to be written again."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    user_id: UUID
    state_id: UUID


class SummarizeConversationPayload(BaseModel):
    """The conversation whose summary is to be written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    conversation_id: UUID


class SummarizePayload(BaseModel):
    """The profile whose due summaries of one level are to be written."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    user_id: UUID
    profile_id: UUID
    level: Level
