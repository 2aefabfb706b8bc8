"""Writes the summary of a conversation now, whatever the number of its turns since the last one."""

from __future__ import annotations

from uuid import UUID

from keepsake.infra.resources import Resources
from keepsake.usecases.summaries.summarize_conversation import ConversationRun, summarize_conversation


async def llm_summarizer(resources: Resources, *, conversation_id: UUID) -> ConversationRun:
    """Write the summary if there is anything new to say; NotFound where there is no such conversation."""
    return await summarize_conversation(resources, conversation_id=conversation_id, min_turns=1)
