"""The arguments of jobs, validated when a job starts."""

from __future__ import annotations

from uuid import UUID

from pydantic import BaseModel, ConfigDict


class ExtractPayload(BaseModel):
    """The message to extract memories from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    conversation_id: UUID
    message_id: UUID
