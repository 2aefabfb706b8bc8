"""Writes the summary of a conversation without a model: what was noted of each person, and what was asked.

One person's memories are told in sentences, those of several are quoted; they are in the third person and no words of
the person. Questions are quoted, beside sentences those that are English as well. The same sources give the same text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from keepsake.domain.context.outline import Outline, Sentence
from keepsake.domain.context.said_words import SaidWords
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.extraction.rules.message.language import is_unreadable
from keepsake.domain.screening.sensitive_topics import is_sensitive_topic
from keepsake.domain.summaries import compose_sentences, phrases
from keepsake.domain.summaries.compose_sentences import day_of_month, enumeration, in_quotes, listing, quoted
from keepsake.domain.summaries.conversation_sources import (
    ConversationSources,
    ConversationTurn,
    StatedMemory,
    is_quotable,
)
from keepsake.domain.summaries.events import describe_by_subject, events_of
from keepsake.domain.summaries.readable_statements import keep_readable
from keepsake.domain.summaries.said import SaidMessage
from keepsake.domain.summaries.sources import SourceMemory, SummarySources
from keepsake.domain.text import truncate_at_sentence, truncate_words, words

MAX_SUMMARY, MAX_ROLLING = 800, 600
"""Characters of a summary, which are at most 200 tokens, and of its short form."""

MAX_QUOTED_TURNS = 40
"""The newest turns whose own words a summary may quote, or a model is shown."""

_QUESTION = re.compile(r"[^.!?\n]{3,160}\?")
_FIRST_PERSON = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|me|my|mine|we|us|our)\b", re.IGNORECASE)
_MAX_QUESTIONS = 3
_MAX_STATED = 60
"""Statements, the newest, of which as many are told as fit."""
_NO_LIMIT = 100_000


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
    if not sources.is_shared and len(sources.user_ids) == 1:
        (user_id,) = sources.user_ids
        stated = _each_once(_complete_statements(sources, user_id)[: -_MAX_STATED - 1 : -1])
        summary, rolling = (_describe(sources, user_id, stated, limit) for limit in (MAX_SUMMARY, MAX_ROLLING))
    else:
        parts = [sentence for user_id in sources.user_ids for sentence in _person(sources, user_id)]
        parts.append(_quote_questions(quotable_questions(sources)))
        summary, rolling = (compose_sentences.compose(parts, limit) for limit in (MAX_SUMMARY, MAX_ROLLING))
    if not (summary.text and rolling.text):
        return count_messages(sources)
    return ConversationSummary(summary.text, rolling.text, rolling)


def _quote_questions(questions: Sequence[str]) -> Sentence:
    return listing("Asked", map(in_quotes, questions[:_MAX_QUESTIONS]))


def _describe(sources: ConversationSources, user_id: UUID, stated: Sequence[SourceMemory], limit: int) -> Outline:
    """What one person told, in sentences, and what they asked: as many of these statements, newest first, as fit."""
    name = sources.name_of(user_id)
    questions = _quote_questions([one for one in quotable_questions(sources) if not is_unreadable(one)])
    for count in range(len(stated), 0, -1):
        said = stated[:count]
        events = sorted(events_of(SummarySources(said)), key=lambda one: one.day, reverse=True)
        felt = enumeration(f"{name} felt", phrases.feelings(filter(phrases.is_felt, said), day_of_month))
        stating = [*describe_by_subject(events, name, day_of_month, _NO_LIMIT).sentences, felt]
        for sentences in ([*stating, questions], stating):
            outline = Outline([one for one in sentences if one.text])
            has_everything = not any(one.more for one in stating)
            if outline.text and has_everything and len(outline.text) <= limit:
                return outline
    return compose_sentences.compose([questions], limit)


def _each_once(stated: Sequence[SourceMemory]) -> list[SourceMemory]:
    """The statements without those that longer ones contain."""

    def longer(one: SourceMemory) -> SaidWords:
        return SaidWords.of(other.text for other in stated if len(other.text) > len(one.text))

    return [one for one in stated if not longer(one).has(one.text)]


def _person(sources: ConversationSources, user_id: UUID) -> Iterator[Sentence]:
    memories = _complete_statements(sources, user_id)[::-1]
    name = sources.name_of(user_id)
    yield listing(f"Noted of {name}", quoted(one for one in memories if not (one.is_feeling or one.is_plan)))
    yield listing(f"Plans of {name}", quoted(one for one in memories if one.is_plan))
    yield listing(f"Feelings of {name}", quoted(one for one in memories if one.is_feeling))


def _complete_statements(sources: ConversationSources, user_id: UUID) -> list[SourceMemory]:
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
    return keep_readable(stated, list(said.values()))


def _is_from(memory: StatedMemory, message: SaidMessage) -> bool:
    """Whether rules made a memory of its message, and not a model, a correction or an answer before."""
    shared = set(words(memory.text)) & set(words(message.text)) - STOPWORDS
    return bool(shared) and not (memory.is_corrected or memory.is_by_model)


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
