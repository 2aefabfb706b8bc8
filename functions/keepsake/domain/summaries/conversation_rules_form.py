"""Writes the summary of a conversation without a model: what was noted of each person, and what was asked.

It quotes memories, which are in the third person and no words of the person, and questions. The same sources give the
same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from keepsake.domain.context.outline import Outline, Sentence
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.screening.sensitive_topics import is_sensitive_topic
from keepsake.domain.summaries import compose_sentences
from keepsake.domain.summaries.compose_sentences import in_quotes, listing, quoted
from keepsake.domain.summaries.conversation_sources import (
    ConversationSources,
    ConversationTurn,
    StatedMemory,
    is_quotable,
)
from keepsake.domain.summaries.readable_statements import keep_readable
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.summaries.sources import SourceMemory
from keepsake.domain.text import truncate_at_sentence, truncate_words, words

MAX_SUMMARY, MAX_ROLLING = 800, 600
"""Characters of a summary, which are at most 200 tokens, and of its short form."""

MAX_QUOTED_TURNS = 40
"""The newest turns whose own words a summary may quote, or a model is shown."""

_QUESTION = re.compile(r"[^.!?\n]{3,160}\?")
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|me|my|mine|we|us|our)\b", re.IGNORECASE)
_MAX_QUESTIONS = 3


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    """What a conversation was about, and the same in at most 600 characters."""

    summary: str
    rolling_summary: str
    outline: Outline | None = field(default=None, compare=False)
    """The sentences of the short form, where no model wrote it."""

    @classmethod
    def of(cls, text: str) -> ConversationSummary:
        """The summary with this text, which is cut where it is too long."""
        return cls(_cut(text, MAX_SUMMARY), _cut(text, MAX_ROLLING))


def write_conversation_summary(sources: ConversationSources) -> ConversationSummary:
    """The summary of these turns; newest statements first, because the end is cut off."""
    parts = [sentence for user_id in sources.user_ids for sentence in _person(sources, user_id)]
    parts.append(listing("Asked", map(in_quotes, quotable_questions(sources)[:_MAX_QUESTIONS])))
    text = compose_sentences.compose(parts, MAX_SUMMARY).text
    rolling = compose_sentences.compose(parts, MAX_ROLLING)
    if not (text and rolling.text):
        return count_messages(sources)
    return ConversationSummary(text, rolling.text, rolling)


def _person(sources: ConversationSources, user_id: UUID) -> Iterator[Sentence]:
    memories = _complete_statements(sources, user_id)[::-1]
    name = sources.name_of(user_id)
    yield listing(f"Noted of {name}", quoted(one for one in memories if not (one.is_feeling or one.is_plan)))
    yield listing(f"Plans of {name}", quoted(one for one in memories if one.is_plan))
    yield listing(f"Feelings of {name}", quoted(one for one in memories if one.is_feeling))


def _complete_statements(sources: ConversationSources, user_id: UUID) -> list[StatedMemory]:
    """The memories of a person without notes and scraps to which a rule added the verb ("vet on Tuesday")."""
    turns = [turn for turn in sources.turns if turn.user_id == user_id]
    said = {
        memory.id: SaidMessage(one.message_id, one.message_id, one.said_at, one.text, (memory.id,))
        for one in turns
        for memory in one.memories
    }
    readable = sources.readable_memories(user_id)
    days = {memory_id: message.said_at.date() for memory_id, message in said.items()}
    stated = [
        SourceMemory(one.id, one.type, one.subtype, one.text, days[one.id], is_by_rules=_is_from(one, said[one.id]))
        for one in readable
    ]
    shown = {one.id: one.text for one in keep_readable(stated, list(said.values()))}
    return [replace(one, text=shown[one.id]) for one in readable if one.id in shown]


def _is_from(memory: StatedMemory, message: SaidMessage) -> bool:
    """Whether a memory has the words of its message, and not those of a correction or an answer before."""
    shared = set(words(memory.text)) & set(words(message.text)) - STOPWORDS
    return bool(shared) and not memory.is_corrected


def quotable_questions(sources: ConversationSources) -> list[str]:
    """The questions of the newest turns that may be quoted, newest first.

    Where several people read the summary, questions about the person who asks are left out.
    """
    newest = sources.turns[-MAX_QUOTED_TURNS:]
    found = [question for turn in reversed(newest) for question in _questions_of(sources, turn)]
    return list(dict.fromkeys(found))


def _questions_of(sources: ConversationSources, turn: ConversationTurn) -> Sequence[str]:
    if "?" not in turn.text or not is_quotable(turn.text.replace("\n", " ")):
        return ()
    questions = [" ".join(match[0].split()) for match in _QUESTION.finditer(sources.replace_mentions(turn.text))]
    if sources.is_shared:
        questions = [one for one in questions if not _FIRST_PERSON.search(one) and not is_sensitive_topic(one)]
    return questions[::-1]


def count_messages(sources: ConversationSources) -> ConversationSummary:
    """Who wrote how much, where nothing else can be said."""
    counts = {user_id: sum(turn.user_id == user_id for turn in sources.turns) for user_id in sources.user_ids}
    texts = (f"{sources.name_of(user_id)} wrote {count} messages." for user_id, count in counts.items())
    text = " ".join(text.replace(" 1 messages", " 1 message") for text in texts)
    return ConversationSummary(text, text)


def _cut(text: str, limit: int) -> str:
    cut, _ = truncate_at_sentence(" ".join(text.split()), limit)
    return truncate_words(cut, limit).strip()
