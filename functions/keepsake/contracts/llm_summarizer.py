"""Request and response models of ``llm-summarizer``."""

from __future__ import annotations

from typing import Literal
from uuid import UUID

from keepsake.contracts.wire import Request, Response


class LlmSummarizerRequest(Request):
    """The conversation to summarize."""

    conversation_id: UUID


class LlmSummarizerResponse(Response):
    """The result, and the stored summary; its texts are null where there is none."""

    status: Literal["written", "unchanged", "deleted"]
    summary: str | None
    rolling_summary: str | None
    generator: str | None
    version: int | None
    messages_covered: int
    through_message_id: UUID | None
