"""Writes session summaries without a model: they count and quote what was said and is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from keepsake.domain.context.outline import Item, Outline, Sentence
from keepsake.domain.reading.todos import TodoKind
from keepsake.domain.sessions.session_summary import LastSession, SessionSources, SessionSummary
from keepsake.domain.summaries.compose_sentences import compose, in_quotes, listing, names, series
from keepsake.domain.summaries.own_words import choose_quotes, find_quotes
from keepsake.domain.summaries.readable_statements import leave_out_quoted, wholly_felt
from keepsake.domain.summaries.sources import SourceMemory
from keepsake.domain.summaries.summary_words import SummaryWords, words_for
from keepsake.domain.summaries.talk import describe_talk

_MAX_LINE = 300
_MAX_ITEMS, _MAX_QUOTES = 5, 3
_LOOPS = frozenset({TodoKind.THREAD, TodoKind.FRICTION})


def write_session_summary(sources: SessionSources) -> SessionSummary | None:
    """The summary of a session; None where nothing was said in it."""
    if not sources.has_something:
        return None
    spoken = words_for(one.text for one in sources.messages or sources.memories)
    own = find_quotes(sources.messages, sources.memories, spoken)
    unquoted = [one for one in leave_out_quoted(sources.memories, own) if not one.is_feeling]
    facts = sorted(unquoted, key=lambda one: -one.importance)
    feelings = dict.fromkeys(one.text for one in wholly_felt(sources.memories, sources.messages))
    mattered = [*(one.text for one in facts), *choose_quotes(own, _MAX_QUOTES)]
    topics = mattered or [todo.text for todo in sources.todos] or list(feelings)
    people = [one.subject for one in sources.memories if one.subject and _is_person(one)]
    open_todos = [todo for todo in sources.todos if todo.status == "open"]
    return SessionSummary(
        one_liner=compose([_topics(topics, spoken)], _MAX_LINE).text or describe_talk(sources.messages, spoken),
        what_mattered=list(dict.fromkeys(mattered))[:_MAX_ITEMS],
        open_loops=[todo.text for todo in open_todos if todo.kind in _LOOPS][:_MAX_ITEMS],
        commitments=[todo.text for todo in open_todos if todo.kind not in _LOOPS][:_MAX_ITEMS],
        people=list(dict.fromkeys(people))[:_MAX_ITEMS],
        tone="; ".join(list(feelings)[:_MAX_ITEMS]),
    )


def describe_session(session: LastSession, local_end: datetime, limit: int) -> Outline:
    """The last session for a context: its day, and its summary within ``limit`` characters."""
    summary = session.summary
    sentences = [
        *describe_topics(summary, session.generator).sentences,
        series("Committed to:", summary.commitments),
        series("Open:", summary.open_loops),
        names("People", summary.people),
        series("Tone:", [summary.tone] if summary.tone else []),
    ]
    heading = f"{local_end:%Y-%m-%d}:"
    return replace(compose(sentences, limit - len(heading) - 1), heading=heading, refs=session.refs)


def describe_topics(summary: SessionSummary, generator: str) -> Outline:
    """What a session was about: what mattered in it, or the sentence that a model wrote."""
    if generator == "rules" and summary.what_mattered:
        return Outline([_topics(summary.what_mattered, words_for(summary.what_mattered))])
    return Outline.of_text(summary.one_liner)


def _topics(texts: Sequence[str], spoken: SummaryWords) -> Sentence:
    return listing(spoken.say("spoke"), [Item(in_quotes(text), text) for text in texts], spoken.joint)


def _is_person(memory: SourceMemory) -> bool:
    return any(ref.startswith("person:") and ref != "person:self" for ref in memory.entity_refs)
