"""Decides what the statements of a message do to a persona's to-dos: open, reschedule or close them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from uuid import UUID

from keepsake.domain.english.dates import last_day_mentioned
from keepsake.domain.extraction.resolve_relative_date import resolve_relative_date
from keepsake.domain.memory import Candidate, MemoryType, Subtype
from keepsake.domain.reading.todos import MAX_TODO_LENGTH, TodoKind, TodoStatement
from keepsake.domain.screening.screen import Dropped, screen
from keepsake.domain.todos.match_todos import closed_todos, repeated_todo
from keepsake.domain.todos.todo import OPEN_AFTER_DUE, OPEN_WITHOUT_DAY, OpenTodo


@dataclass(frozen=True, slots=True)
class NewTodo:
    """A to-do that a message opens; dates in its text are absolute."""

    kind: TodoKind
    text: str
    quote: str
    due_date: date | None = None


@dataclass(slots=True)
class TodoPlan:
    """What to write: new to-dos, other days of known ones, and the closed ones with their state."""

    opened: list[NewTodo] = field(default_factory=list)
    rescheduled: list[tuple[UUID, NewTodo]] = field(default_factory=list)
    closed: list[tuple[UUID, str]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.opened or self.rescheduled or self.closed)


def plan_todos(
    statements: Sequence[TodoStatement],
    todos: Sequence[OpenTodo],
    *,
    local_time: datetime,
    today: date,
    allowed_types: Collection[MemoryType],
    message: str,
) -> TodoPlan:
    """What the statements of a message do to the open to-dos of its persona.

    ``local_time`` is when it was said. A message may be read long afterwards, ``today``: then it opens nothing that is
    over by now.
    """
    plan = TodoPlan()
    remaining = list(todos)
    for statement in statements:
        named = next((todo for todo in remaining if todo.id == statement.todo_id), None)
        if statement.effect != "open":
            if _is_long_ago(statement, local_time.date()):
                continue
            for closed in closed_todos(statement, remaining) if named is None else [named]:
                plan.closed.append((closed.id, statement.effect))
                remaining.remove(closed)
        elif (todo := _new_todo(statement, local_time, message)) is None:
            continue
        elif named is not None:
            plan.rescheduled += [(named.id, todo)] if todo.due_date not in (None, named.due_date) else []
        elif todo.kind.memory_type in allowed_types:
            _add(plan, todo, remaining, is_over=today > _last_day_open(todo, local_time.date()))
    return plan


def _is_long_ago(statement: TodoStatement, said_on: date) -> bool:
    """Whether something was done before any to-do that is open was said: "I ran a marathon in 2019"."""
    done_on = last_day_mentioned(statement.text, said_on)
    return done_on is not None and done_on < said_on - OPEN_WITHOUT_DAY


def _last_day_open(todo: NewTodo, said_on: date) -> date:
    """The last day on which it makes sense to open the to-do."""
    return said_on + OPEN_WITHOUT_DAY if todo.due_date is None else todo.due_date + OPEN_AFTER_DUE


def _add(plan: TodoPlan, todo: NewTodo, todos: Sequence[OpenTodo], *, is_over: bool) -> None:
    """Open the to-do, unless it is over or known; a known one may get another day."""
    if any(repeated_todo(todo.text, [OpenTodo(UUID(int=0), other.kind, other.text)]) for other in plan.opened):
        return
    known = repeated_todo(todo.text, todos)
    if known is None:
        if not is_over:
            plan.opened.append(todo)
    elif todo.due_date is not None and todo.due_date != known.due_date:
        plan.rescheduled.append((known.id, todo))


def _new_todo(statement: TodoStatement, local_time: datetime, message: str) -> NewTodo | None:
    """The to-do with absolute dates; None where it may not be stored."""
    candidate = Candidate(MemoryType.GOAL, Subtype.OTHER, statement.text, statement.quote, 0.7)
    if not statement.is_believed:
        candidate = resolve_relative_date(candidate, local_time)
    if isinstance(screen(candidate, message=message), Dropped) or len(candidate.text) > MAX_TODO_LENGTH:
        return None
    return NewTodo(statement.kind, candidate.text, statement.quote, _due_date(statement, candidate.text, local_time))


def _due_date(statement: TodoStatement, text: str, local_time: datetime) -> date | None:
    """The day that a model gives, or that an English text mentions."""
    if statement.is_believed or statement.kind is not TodoKind.COMMITMENT:
        return statement.due
    return last_day_mentioned(text, local_time.date())
