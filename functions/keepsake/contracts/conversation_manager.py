"""Request and response models of ``conversation-manager``: a request has one action."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from keepsake.contracts.wire import Request, Response, RootRequest


class UpdateConversationProfile(Request):
    """Choose one's primary profile, or null; in the mode ``profile`` it may be left out, and is the primary one."""

    action: Literal["update_conversation_profile"]
    conversation_id: UUID
    profile_id: UUID | None = None


class SetMemoryEnabled(Request):
    """Whether to remember in this chat: on, off, or null for what the mode does by itself."""

    action: Literal["set_memory_enabled"]
    conversation_id: UUID
    memory_enabled: bool | None


class ConversationManagerRequest(
    RootRequest[Annotated[UpdateConversationProfile | SetMemoryEnabled, Field(discriminator="action")]]
):
    """One of the two actions."""


class ConversationManagerResponse(Response):
    """The choices of the caller for this conversation, after the change."""

    conversation_id: UUID
    profile_id: UUID | None
    memory_enabled: bool | None
    remember_since: datetime | None
