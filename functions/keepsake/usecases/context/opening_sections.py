"""What a context shows beside memories: in the first one of a conversation, and where the message asks for to-dos.

It is shown only where nobody but the person reads the context, and of a persona only in conversations with it. The
first context requests all of it in one query before it selects memories, so that the answers arrive together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta, tzinfo
from typing import TypedDict

from keepsake.domain.context.context_sections import SECTION_LENGTH
from keepsake.domain.context.outline import Outline
from keepsake.domain.context.passed_plans import NOTICE, mark_passed
from keepsake.domain.context.period_texts import PeriodText
from keepsake.domain.context.unasked_statements import is_outdated
from keepsake.domain.english.word_groups import MONTHS
from keepsake.domain.reading.todos import asks_for_todos
from keepsake.domain.screening.screen import rejection_of_text
from keepsake.domain.sessions.rules_form import describe_session, describe_topics
from keepsake.domain.sessions.spine import DURABLE, SpineSection, StoredItem, describe_spine
from keepsake.domain.summaries.local_days import ZoneHistory, local_date
from keepsake.domain.summaries.recent_periods import periods_backwards
from keepsake.domain.todos.todo import ContextTodo
from keepsake.infra.database import Connection
from keepsake.store import opening_sections, todos
from keepsake.store.injections import InjectionTurn
from keepsake.store.opening_sections import Opening, RequestedOpening
from keepsake.store.row_keys import PersonaKey

_MAX_FIRST, _MAX_ASKED = 5, 20
_LATELY_DUE, _LONG_DUE = timedelta(days=3), timedelta(days=30)
"""How long ago the day of a to-do may be that is shown unasked, and where the message asks for to-dos."""
_PROFILE_LENGTH = 300
"""Characters of who the person is, beside texts of their days."""
_RECENT = timedelta(days=35)
"""How long ago the newest week may have ended."""


_LONG_AGO = timedelta(days=183)
"""From when on a statement of the long term is told with its month."""
_YEAR = re.compile(r"\b20\d\d\b")


class OpeningSections(TypedDict, total=False):
    """The sections of a context, by the names of the block's fields."""

    todos: tuple[Outline, ...]
    last_session: Outline | None
    spine: Outline | None
    rolling_summary: Outline | None
    periods: list[PeriodText]
    people: list[str]
    merged_context: Outline | None
    current_day: Outline | None
    history: Outline | None


def is_todo_question(injected: InjectionTurn) -> bool:
    """Whether the message asks what its author wanted to do, and nobody else reads the answer."""
    return not injected.shared and asks_for_todos(injected.turn.text)


async def request_opening(conn: Connection, injected: InjectionTurn, now: datetime) -> RequestedOpening | None:
    """Request the sections of a conversation's first context; None for a later one, and where others read it."""
    persona = _persona(injected)
    if persona is None or not injected.first_message:
        return None
    today, is_asked = local_date(ZoneHistory.of(injected.zone), now), is_todo_question(injected)
    return await opening_sections.request(
        conn,
        persona,
        types=injected.turn.consent.allowed_types,
        since=today - _RECENT,
        today=today,
        now=now,
        due_since=today - (_LONG_DUE if is_asked else _LATELY_DUE),
        max_todos=_MAX_ASKED if is_asked else _MAX_FIRST,
    )


async def read_opening(
    conn: Connection, injected: InjectionTurn, now: datetime, requested: RequestedOpening | None
) -> OpeningSections:
    """The sections for a message: nothing where it neither is the first nor asks for to-dos."""
    if requested is None:
        persona = _persona(injected)
        if persona is None or not is_todo_question(injected):
            return OpeningSections()
        found = await todos.list_for_context(conn, persona, now=now, limit=_MAX_ASKED)
        today = local_date(ZoneHistory.of(injected.zone), now)
        return OpeningSections(todos=_outlines(found, injected.zone, today))
    opening, history = await opening_sections.read(requested), ZoneHistory.of(injected.zone)
    periods, today = periods_backwards(opening.periods, history), local_date(history, now)
    is_by_rules = all(one.yields for one in periods)
    if is_by_rules and opening.merged_context:
        periods = []  # which it tells of

    def is_current(one: StoredItem) -> bool:
        return one.said_at is None or not is_outdated(one.statement, local_date(history, one.said_at), today)

    long_term = [_with_age(one, now) for one in opening.spine if is_current(one)]

    def with_passed_marked(outline: Outline | None) -> Outline | None:
        return mark_passed(outline, today) if outline else None

    sections = OpeningSections(
        todos=_outlines(opening.todos, injected.zone, today),
        last_session=with_passed_marked(_last_session(opening, injected.zone, is_short=bool(periods))),
        spine=with_passed_marked(_spine(opening, long_term, has_periods=not is_by_rules)),
        merged_context=with_passed_marked(opening.merged_context),
    )
    if periods and is_by_rules:
        return OpeningSections(**sections, periods=periods)
    if not is_by_rules:
        people = [one.text for one in long_term if one.section == SpineSection.PEOPLE]
        digests = (("The days before", opening.history), ("Recently", opening.rolling_summary))
        periods += [PeriodText(title, [one.text], one.refs, is_digest=True) for title, one in digests if one]
        return OpeningSections(**sections, periods=periods, people=people)
    return OpeningSections(
        **sections,
        rolling_summary=with_passed_marked(opening.rolling_summary),
        current_day=opening.current_day,
        history=with_passed_marked(opening.history),
    )


def _last_session(opening: Opening, zone: tzinfo, *, is_short: bool) -> Outline | None:
    """The last session; in short where the day on which it was is told of."""
    session = opening.last_session
    if session is None:
        return None
    local_end = session.ended_at.astimezone(zone)
    if not is_short:
        return describe_session(session, local_end, SECTION_LENGTH)
    topics = describe_topics(session.summary, session.generator)
    return replace(topics, heading=f"{local_end:%Y-%m-%d}:", refs=session.refs)


def _with_age(item: StoredItem, now: datetime) -> StoredItem:
    """The item with the month in which it was said, where that is long ago and it names no year."""
    said_at = item.said_at
    if said_at is None or now - said_at < _LONG_AGO or _YEAR.search(item.text):
        return item
    return replace(item, text=f"{item.text} (said in {MONTHS[said_at.month - 1]} {said_at.year})")


def _spine(opening: Opening, items: Sequence[StoredItem], *, has_periods: bool) -> Outline | None:
    """What holds over the long term, without what newer texts beside it tell better."""
    if has_periods:
        return describe_spine(items, _PROFILE_LENGTH, opening.spine_refs, sections=[SpineSection.PROFILE])
    sections = DURABLE if opening.merged_context else tuple(SpineSection)
    return describe_spine(items, SECTION_LENGTH, opening.spine_refs, sections=sections)


def _persona(injected: InjectionTurn) -> PersonaKey | None:
    """The persona whose sections are shown; None where others read them, or memory has no profile."""
    turn = injected.turn
    if injected.shared or turn.author is None or turn.profile_id is None:
        return None
    return PersonaKey(turn.author, turn.profile_id, turn.persona_id)


def _outlines(todos: Iterable[ContextTodo], zone: tzinfo, today: date) -> tuple[Outline, ...]:
    """To-dos as a context shows them: "commitment, for 2026-11-09: Call the dentist", or since when they are open.

    A person edits them directly: one that may not reach a model is left out.
    """
    return tuple(
        replace(Outline.of_text(_text(todo, today)), heading=_heading(todo, zone))
        for todo in todos
        if todo.is_screened or rejection_of_text(todo.text) is None
    )


def _heading(todo: ContextTodo, zone: tzinfo) -> str:
    if todo.due_date is None:
        return f"{todo.kind}, since {todo.opened_at.astimezone(zone).date()}:"
    return f"{todo.kind}, for {todo.due_date}:"


def _text(todo: ContextTodo, today: date) -> str:
    return f"{todo.text} {NOTICE}" if todo.due_date is not None and todo.due_date < today else todo.text
