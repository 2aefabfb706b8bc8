"""The prompt for the summary of a conversation.

What only its person reads is written from their messages. What several people read is written from memories that all of
them may read, and from questions that are about nobody.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from keepsake.domain.screening.instructions import is_prompt_injection
from keepsake.domain.summaries.author import Author
from keepsake.domain.summaries.citable import Citable
from keepsake.domain.summaries.cited import Content, text_of
from keepsake.domain.summaries.compose_sentences import full_date
from keepsake.domain.summaries.conversation_rules_form import MAX_SUMMARY, ConversationSummary, quotable_questions
from keepsake.domain.summaries.conversation_sources import NO_NAME, ConversationSources, ConversationTurn
from keepsake.domain.summaries.model_reply import ReplyForm
from keepsake.domain.summaries.prompt import SummaryPrompt
from keepsake.domain.text import has_forbidden_characters, truncate_at_sentence

FORM = ReplyForm({"summary": MAX_SUMMARY}, {})
"""What the model answers."""

_MAX_TURN = 1500
_MAX_STATEMENTS = 40


def build_conversation_prompt(
    sources: ConversationSources, *, previous: str | None, summarized_ids: Sequence[UUID], budget: int
) -> SummaryPrompt | None:
    """The prompt; None where nothing may be shown to a model.

    ``previous`` is the stored summary, which covers ``summarized_ids``: it is told where its messages fit no more.
    """
    task = "shared_conversation" if sources.is_shared else "conversation"
    texts = _shared_texts(sources) if sources.is_shared else _own_texts(sources, previous, summarized_ids, budget)
    names = [name for name in map(sources.name_of, sources.user_ids) if name != NO_NAME]
    if not texts:
        return None
    if sources.is_shared:
        return SummaryPrompt.of(task, FORM, texts, author=None, is_shared=True, authors=names)
    return SummaryPrompt.of(task, FORM, texts, author=Author(names[0]) if names else None)


def summary_of(content: Content) -> ConversationSummary:
    """The summary that a reply makes."""
    return ConversationSummary.of(text_of(content, "summary"))


def _own_texts(
    sources: ConversationSources, previous: str | None, summarized_ids: Sequence[UUID], budget: int
) -> list[Citable]:
    shown: list[Citable] = []
    is_complete, left = True, budget - len(previous or "")
    for turn in reversed(sources.turns):
        text = _text_of(sources, turn)
        left -= len(text.text)
        if left < 0:
            is_complete = False
            break
        if text.text and not (is_prompt_injection(text.text) or has_forbidden_characters(" ".join(text.text.split()))):
            shown.insert(0, text)
    corrections = [
        Citable(one.text, kind="corrected", message_ids=(turn.message_id,), memory_ids=(one.id,))
        for turn in sources.turns
        for one in turn.memories
        if one.is_corrected
    ]
    if previous and not is_complete:
        shown.insert(0, Citable(previous, kind="summary so far", message_ids=tuple(summarized_ids)))
    return [*shown, *corrections] if shown else _statements(sources)


def _text_of(sources: ConversationSources, turn: ConversationTurn) -> Citable:
    text, _ = truncate_at_sentence(sources.replace_mentions(turn.text), _MAX_TURN)
    said = turn.said_at
    return Citable(
        text,
        day=full_date(said.date()),
        on=said.date(),
        answer=turn.answer,
        message_ids=(turn.message_id,),
        memory_ids=tuple(one.id for one in turn.memories),
    )


def _shared_texts(sources: ConversationSources) -> list[Citable]:
    questions = quotable_questions(sources)[:_MAX_STATEMENTS]
    return [*_statements(sources), *(Citable(question, kind="question") for question in questions)]


def _statements(sources: ConversationSources) -> list[Citable]:
    return [
        Citable(f"{sources.name_of(user_id)}: {memory.text}", kind="statement", memory_ids=(memory.id,))
        for user_id in sources.user_ids
        for memory in sources.readable_memories(user_id)[::-1][:_MAX_STATEMENTS]
    ]
