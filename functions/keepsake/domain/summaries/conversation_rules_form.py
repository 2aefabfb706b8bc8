"""Writes the summary of a conversation without a model: what was noted of each person, and what was asked.

One person's own words are quoted, and what no quote tells is told in sentences; of several people their memories are
quoted, which are in the third person. Questions are quoted. The same sources give the same text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from keepsake.domain.context.outline import Outline, Sentence
from keepsake.domain.context.said_words import SaidWords
from keepsake.domain.extraction.grounding import STOPWORDS
from keepsake.domain.reading.message import MASK
from keepsake.domain.screening.sensitive_topics import is_sensitive_topic
from keepsake.domain.summaries import compose_sentences, phrases
from keepsake.domain.summaries.compose_sentences import enumeration, in_quotes, listing, quoted
from keepsake.domain.summaries.conversation_sources import (
    ConversationSources,
    ConversationTurn,
    StatedMemory,
    is_quotable,
)
from keepsake.domain.summaries.events import describe_by_subject
from keepsake.domain.summaries.left_out import ForgottenStatements
from keepsake.domain.summaries.own_words import describe_quotes, find_quotes
from keepsake.domain.summaries.readable_statements import is_statement, leave_out_quoted, wholly_felt
from keepsake.domain.summaries.said import SaidMessage, mask_others_words, readable, tellable
from keepsake.domain.summaries.sources import SourceMemory, SummarySources
from keepsake.domain.summaries.summary_words import SummaryWords, words_for, words_in
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
        summary, rolling = (_describe(sources, sources.user_ids[0], limit) for limit in (MAX_SUMMARY, MAX_ROLLING))
    else:
        parts = [sentence for user_id in sources.user_ids for sentence in _person(sources, user_id)]
        parts.append(_quote_questions(sources))
        summary, rolling = (compose_sentences.compose(parts, limit) for limit in (MAX_SUMMARY, MAX_ROLLING))
    if not (summary.text and rolling.text):
        return count_messages(sources)
    return ConversationSummary(summary.text, rolling.text, rolling)


def _spoken(sources: ConversationSources) -> SummaryWords:
    return words_for(turn.text for turn in sources.turns)


def _quote_questions(sources: ConversationSources, quoted: str = "") -> Sentence:
    """What was asked, but for what is ``quoted``."""
    asked, spoken = [one for one in quotable_questions(sources) if one not in quoted][:_MAX_QUESTIONS], _spoken(sources)
    return listing(spoken.say("asked"), map(in_quotes, asked), spoken.joint)


def _describe(sources: ConversationSources, user_id: UUID, limit: int) -> Outline:
    """What one person told, in sentences and in their own words, and what they asked, as far as there is room."""
    name, spoken = sources.name_of(user_id), _spoken(sources)
    said, stated = _said(sources, user_id), _stated(sources, user_id)[: -_MAX_STATED - 1 : -1]
    newest = [one for one in said[-MAX_QUOTED_TURNS:] if is_quotable(one.text.replace("\n", " "))]
    messages = readable(tellable(newest, ForgottenStatements(user_id)))
    quotes = find_quotes(messages, stated, spoken)
    unquoted = _each_once([*dict.fromkeys([*leave_out_quoted(stated, quotes), *wholly_felt(stated, messages)])])
    facts = _describe_newest(unquoted, name, limit)
    room, heading = limit - len(facts.text) - 1, spoken.say("quotes", name=name)
    outline = _joined(facts, describe_quotes(quotes, spoken.day_of_month, room, heading))
    with_questions = _joined(outline, Outline([_quote_questions(sources, outline.text)]))
    return with_questions if len(with_questions.text) <= limit else outline


def _joined(*outlines: Outline) -> Outline:
    parts = [one for one in outlines if one.text]
    return parts[0] if len(parts) == 1 else Outline(parts=parts)


def _describe_newest(stated: Sequence[SourceMemory], name: str, limit: int) -> Outline:
    """As many of the newest statements as fit."""
    for count in range(len(stated), 0, -1):
        sources = SummarySources(stated[:count])
        day = sources.spoken.day_of_month
        felt = enumeration(f"{name} felt", phrases.feelings(filter(phrases.is_felt, stated[:count]), day))
        stating = [*describe_by_subject(sources, name, day, _NO_LIMIT).sentences, felt]
        outline = Outline([one for one in stating if one.text])
        if outline.text and not any(one.more for one in stating) and len(outline.text) <= limit:
            return outline
    return Outline()


def _each_once(stated: Sequence[SourceMemory]) -> list[SourceMemory]:
    """The statements without those that longer ones contain."""

    def longer(one: SourceMemory) -> SaidWords:
        return SaidWords.of(other.text for other in stated if len(other.text) > len(one.text))

    return [one for one in stated if not longer(one).has(one.text)]


def _person(sources: ConversationSources, user_id: UUID) -> Iterator[Sentence]:
    memories = [one for one in _stated(sources, user_id)[::-1] if not one.is_by_rules or is_statement(one)]
    name = sources.name_of(user_id)
    spoken = _spoken(sources)

    def listed(frame: str, said: Iterable[SourceMemory]) -> Sentence:
        return listing(spoken.say(frame, name=name) or name, quoted(said), spoken.joint)

    yield listed("noted", (one for one in memories if not (one.is_feeling or one.is_plan)))
    yield listed("plans", (one for one in memories if one.is_plan))
    yield listed("feelings", (one for one in memories if one.is_feeling))


def _stated(sources: ConversationSources, user_id: UUID) -> list[SourceMemory]:
    """The memories of a person, with the day of their message."""
    said = {memory_id: one for one in _said(sources, user_id) for memory_id in one.memory_ids}
    return [
        SourceMemory(
            one.id,
            one.type,
            one.subtype,
            one.text,
            said[one.id].said_at.date(),
            is_by_rules=_is_from(one, said[one.id]),
        )
        for one in sources.readable_memories(user_id)
    ]


def _said(sources: ConversationSources, user_id: UUID) -> list[SaidMessage]:
    """The messages of a person, which are of one conversation."""
    turns = [turn for turn in sources.turns if turn.user_id == user_id]
    return [
        SaidMessage(
            one.message_id,
            turns[0].message_id,
            one.said_at,
            sources.replace_mentions(one.text),
            tuple(memory.id for memory in one.memories),
        )
        for one in turns
    ]


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
    text = sources.replace_mentions(turn.text)
    own = mask_others_words(text)
    found = (match for match in _QUESTION.finditer(text) if not own[match.start() :].lstrip().startswith(MASK))
    questions = [" ".join(match[0].split()) for match in found]
    if sources.is_shared:
        questions = [one for one in questions if not _FIRST_PERSON.search(one) and not is_sensitive_topic(one)]
    return questions[::-1]


def count_messages(sources: ConversationSources) -> ConversationSummary:
    """Who wrote how much, where nothing else can be said."""
    spoken, counts = _spoken(sources), Counter(turn.user_id for turn in sources.turns)
    spoken = spoken if spoken.frames else words_in("en")
    wrote = (
        f"{sources.name_of(user_id)} {spoken.say('wrote', count=count) if count > 1 else spoken.say('wrote_one')}."
        for user_id, count in counts.items()
    )
    text = " ".join(wrote)
    return ConversationSummary(text, text)


def _cut(text: str, limit: int) -> str:
    cut, _ = truncate_at_sentence(" ".join(text.split()), limit)
    return truncate_words(cut, limit).strip()
