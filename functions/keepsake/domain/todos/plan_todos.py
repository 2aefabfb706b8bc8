"""Decides what the statements of a message do to a persona's to-dos: open, reschedule or close them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from uuid import UUID

from keepsake.domain.english.similarity import content_words, says_the_same
from keepsake.domain.english.word_groups import MONTHS, WEEKDAYS
from keepsake.domain.evidence.written_dates import last_day_mentioned
from keepsake.domain.extraction.resolve_relative_date import resolve_relative_date
from keepsake.domain.memory import Candidate, MemoryType, Subtype
from keepsake.domain.reading.todos import MAX_TODO_LENGTH, TodoKind, TodoStatement
from keepsake.domain.screening.screen import Dropped, screen
from keepsake.domain.text import stem, word_set, words
from keepsake.domain.todos.todo import OPEN_AFTER_DUE, OPEN_WITHOUT_DAY, OpenTodo

_TIMES = word_set(
    "today tomorrow tonight yesterday morning afternoon evening night week weekend month year day "
    "before around early late last next soon finally said promised still already just"
)
_TIME_WORDS = frozenset(map(stem, (*_TIMES, *map(str.lower, (*MONTHS, *WEEKDAYS)))))
_COMPLETION = frozenset(map(stem, word_set("finish complete do hand submit send sort settle manage get decide file")))
"""Verbs that say of any to-do that it is done."""


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
    plan, remaining, said_on = TodoPlan(), [*todos], local_time.date()
    for statement in statements:
        named = [todo for todo in remaining if todo.id == statement.todo_id]
        if statement.effect == "open":
            todo = _new_todo(statement, local_time, message)
            if todo is None or not (named or todo.kind.memory_type in allowed_types):
                continue
            if known := named or [one for one in remaining if _is_repeated(one, todo)]:
                is_other_day = todo.due_date not in (None, known[0].due_date)
                plan.rescheduled += [(known[0].id, todo)] if is_other_day else []
            elif today <= _last_day_open(todo, said_on) and not any(_is_repeated(one, todo) for one in plan.opened):
                plan.opened.append(todo)
        elif not _is_long_ago(statement, said_on):
            closed = named or _closed_todos(statement, remaining)
            plan.closed += [(todo.id, statement.effect) for todo in closed]
            remaining = [todo for todo in remaining if todo not in closed]
    return plan


def _is_long_ago(statement: TodoStatement, said_on: date) -> bool:
    """Whether something was done before any to-do that is open was said: "I ran a marathon in 2019"."""
    done_on = last_day_mentioned(statement.text, said_on)
    return done_on is not None and done_on < said_on - OPEN_WITHOUT_DAY


def _last_day_open(todo: NewTodo, said_on: date) -> date:
    """The last day on which it makes sense to open the to-do."""
    return said_on + OPEN_WITHOUT_DAY if todo.due_date is None else todo.due_date + OPEN_AFTER_DUE


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


def _is_repeated(known: OpenTodo | NewTodo, todo: NewTodo) -> bool:
    """Whether two to-dos say the same, their dates left out."""
    return _stems(known.text) == _stems(todo.text) or says_the_same(known.text, todo.text)


def _closed_todos(statement: TodoStatement, todos: Sequence[OpenTodo]) -> list[OpenTodo]:
    """The to-dos that a statement closes: all whose words it has, else the one that fits best, if one does."""
    said = _stems(statement.text)
    if complete := [todo for todo in todos if len(wanted := _stems(todo.text)) > 1 and wanted <= said]:
        return complete
    overlaps = [(overlap, todo) for todo in todos if (overlap := _overlap(statement, todo))]
    best = max((overlap for overlap, _ in overlaps), default=0)
    found = [todo for overlap, todo in overlaps if overlap == best]
    return found if len(found) == 1 else []


def _overlap(statement: TodoStatement, todo: OpenTodo) -> int:
    """How many words of the to-do were said, where enough of them were."""
    said, wanted = _stems(statement.text), _stems(todo.text)
    spoken_verb, verb = _first_stem(statement.text), _first_stem(todo.text)
    objects = wanted - {verb}
    spoken_objects = said - {spoken_verb} if statement.effect == "done" else said
    has_verb = verb in said or spoken_verb in _COMPLETION or statement.effect == "dropped"
    is_named = spoken_verb in objects and said <= wanted  # "the report is done" names only the thing
    covers = objects <= said or (spoken_objects and spoken_objects <= wanted)
    return len(wanted & said) if objects & said and covers and (has_verb or is_named) else 0


def _first_stem(text: str) -> str:
    """The stem of the first word, in most to-dos a verb."""
    return stem(next(iter(words(text)), ""))


def _stems(text: str) -> set[str]:
    """The stems that identify a to-do, without dates."""
    return {one for one in content_words(text) if not one.isdigit()} - _TIME_WORDS
