"""The prompt for the summary of a conversation, and what may occur in the reply.

What only its person reads is written from their messages. What several people read is written from memories that all of
them may read, and from questions that are about nobody.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any
from uuid import UUID

from keepsake.domain.summaries.conversation_rules_form import (
    MAX_QUOTED_TURNS,
    MAX_SUMMARY,
    ConversationSummary,
    quotable_questions,
)
from keepsake.domain.summaries.conversation_sources import NO_NAME, ConversationSources, is_quotable
from keepsake.domain.summaries.evidence import Evidence
from keepsake.domain.summaries.model_reply import Content, ReplyForm
from keepsake.domain.summaries.prompt import SummaryPrompt, texts_in
from keepsake.domain.text import truncate_at_sentence

FORM = ReplyForm({"summary": MAX_SUMMARY}, {})
"""What the model answers."""

_MAX_TURN = 1500
_MAX_STATEMENTS = 40


def build_conversation_prompt(
    sources: ConversationSources, *, previous: str | None, summarized_ids: Collection[UUID]
) -> SummaryPrompt | None:
    """The prompt; None where nothing may be shown to a model.

    ``previous`` is the stored summary, which covers ``summarized_ids``.
    """
    data = _shared_data(sources) if sources.is_shared else _own_data(sources, previous, summarized_ids)
    if data is None:
        return None
    return SummaryPrompt("shared_conversation" if sources.is_shared else "conversation", FORM, data)


def evidence_of(prompt: SummaryPrompt, sources: ConversationSources) -> Evidence:
    """What the reply may say."""
    return Evidence(texts_in(prompt.data), is_shared=sources.is_shared)


def summary_of(content: Content) -> ConversationSummary:
    """The summary that a reply makes."""
    return ConversationSummary.of(str(content["summary"]))


def _own_data(
    sources: ConversationSources, previous: str | None, summarized_ids: Collection[UUID]
) -> dict[str, Any] | None:
    known = summarized_ids if previous else ()
    newest = [turn for turn in sources.turns if turn.message_id not in known][-MAX_QUOTED_TURNS:]
    turns = [turn for turn in newest if is_quotable(" ".join(turn.text.split()))]
    texts = [truncate_at_sentence(sources.replace_mentions(turn.text), _MAX_TURN)[0] for turn in turns]
    if not texts:
        return None
    names = [name for name in map(sources.name_of, sources.user_ids) if name != NO_NAME]
    data: dict[str, Any] = {"person": names[0]} if names else {}
    if previous:
        data["previous"] = previous
    return {**data, "turns": texts}


def _shared_data(sources: ConversationSources) -> dict[str, Any] | None:
    statements = [
        {"author": sources.name_of(user_id), "text": memory.text}
        for user_id in sources.user_ids
        for memory in sources.readable_memories(user_id)[::-1][:_MAX_STATEMENTS]
    ]
    questions = quotable_questions(sources)[:_MAX_STATEMENTS]
    return {"statements": statements, "questions": questions} if statements or questions else None
