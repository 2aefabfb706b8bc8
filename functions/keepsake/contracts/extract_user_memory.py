"""Request and response models of ``extract-user-memory``."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from keepsake.contracts.wire import Request, Response
from keepsake.domain.memory import MemoryType


class ExtractUserMemoryRequest(Request):
    """The turn to extract memories from; its text is read from ``messages``."""

    conversation_id: UUID
    message_id: UUID


class ExtractedMemory(Response):
    """A memory that this turn created, reinforced, or put in the place of an older one."""

    id: UUID
    ref: str
    type: MemoryType
    text: str
    confidence: float
    action: Literal["created", "reinforced", "superseded", "ended", "doubted"]


class ExtractUserMemoryResponse(Response):
    """The result of the turn; ``reason`` names the rule that skipped it, why it waits, or ``language``."""

    status: Literal["extracted", "skipped", "duplicate", "queued"]
    reason: str | None = None
    extraction_id: UUID | None = None
    generator: Literal["llm", "rules"] | None = None
    memories: list[ExtractedMemory]
