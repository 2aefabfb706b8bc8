"""What a context shows beside memories: in the first one of a conversation, and where the message asks for to-dos.

It is shown only where nobody but the person reads the context, and of a persona only in conversations with it. The
first context requests all of it in one query before it selects memories, so that the answers arrive together.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo
from typing import TypedDict

from keepsake.domain.context.context_sections import SECTION_LENGTH
from keepsake.domain.context.outline import Outline
from keepsake.domain.context.passed_plans import mark_passed
from keepsake.domain.screening.screen import rejection_of_text
from keepsake.domain.sessions.rules_form import describe_session
from keepsake.domain.sessions.spine import DURABLE, SpineSection, describe_spine
from keepsake.domain.summaries.local_days import ZoneHistory, local_date
from keepsake.domain.todos.context_todo import ContextTodo
from keepsake.domain.todos.question import asks_for_todos
from keepsake.infra.database import Connection
from keepsake.store import opening_sections, todos
from keepsake.store.injections import InjectionTurn
from keepsake.store.opening_sections import RequestedOpening
from keepsake.store.row_keys import PersonaKey

_MAX_FIRST, _MAX_ASKED = 5, 20
_RECENT = timedelta(days=28)
"""How long ago the newest week may have ended."""


class OpeningSections(TypedDict, total=False):
    """The sections of a context, by the names of the block's fields."""

    todos: tuple[Outline, ...]
    last_session: Outline | None
    spine: Outline | None
    rolling_summary: Outline | None
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
    return await opening_sections.request(
        conn,
        persona,
        types=injected.turn.consent.allowed_types,
        since=(now - _RECENT).date(),
        today=local_date(ZoneHistory.of(injected.zone), now),
        now=now,
        max_todos=_MAX_ASKED if is_todo_question(injected) else _MAX_FIRST,
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
        return OpeningSections(todos=_outlines(found, injected.zone))
    opening, session = await opening_sections.read(requested), None
    if opening.last_session is not None:
        local_end = opening.last_session.ended_at.astimezone(injected.zone)
        session = describe_session(opening.last_session, local_end, SECTION_LENGTH)
    is_merged, today = opening.merged_context is not None, local_date(ZoneHistory.of(injected.zone), now)
    spine = describe_spine(
        opening.spine, SECTION_LENGTH, opening.spine_refs, sections=DURABLE if is_merged else tuple(SpineSection)
    )
    recent = opening.rolling_summary or (None if is_merged or opening.history else opening.newest_week)

    def with_passed_marked(outline: Outline | None) -> Outline | None:
        return mark_passed(outline, today) if outline else None

    return OpeningSections(
        todos=_outlines(opening.todos, injected.zone),
        last_session=with_passed_marked(session),
        spine=with_passed_marked(spine),
        rolling_summary=with_passed_marked(recent),
        merged_context=with_passed_marked(opening.merged_context),
        current_day=opening.current_day,
        history=with_passed_marked(opening.history),
    )


def _persona(injected: InjectionTurn) -> PersonaKey | None:
    """The persona whose sections are shown; None where others read them, or memory has no profile."""
    turn = injected.turn
    if injected.shared or turn.author is None or turn.profile_id is None:
        return None
    return PersonaKey(turn.author, turn.profile_id, turn.persona_id)


def _outlines(todos: Iterable[ContextTodo], zone: tzinfo) -> tuple[Outline, ...]:
    """To-dos as a context shows them, dated in the person's time zone: "commitment, 2026-11-02: Call the dentist".

    A person edits them directly: one that may not reach a model is left out.
    """
    return tuple(
        replace(Outline.of_text(todo.text), heading=f"{todo.kind}, {todo.opened_at.astimezone(zone).date()}:")
        for todo in todos
        if todo.is_screened or rejection_of_text(todo.text) is None
    )
