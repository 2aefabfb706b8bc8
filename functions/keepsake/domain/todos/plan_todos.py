"""Decides what the statements of a message do to a persona's to-dos: open, reschedule or close them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from uuid import UUID

from keepsake.domain.english.lemmas import known_lemmas
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
    plan = TodoPlan()
    remaining = list(todos)
    for statement in statements:
        named = next((todo for todo in remaining if todo.id == statement.todo_id), None)
        if statement.effect != "open":
            if _is_long_ago(statement, local_time.date()):
                continue
            for closed in _closed_todos(statement, remaining) if named is None else [named]:
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
    if any(_repeated_todo(todo.text, [OpenTodo(UUID(int=0), other.kind, other.text)]) for other in plan.opened):
        return
    known = _repeated_todo(todo.text, todos)
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


def _closed_todos(statement: TodoStatement, todos: Sequence[OpenTodo]) -> list[OpenTodo]:
    """The to-dos that a statement closes: all whose words it has, else the one that fits best, if one does."""
    if statement.effect == "open":
        return []
    said = _stems(statement.text)
    if complete := [todo for todo in todos if len(wanted := _stems(todo.text)) > 1 and wanted <= said]:
        return complete
    overlaps = [(overlap, todo) for todo in todos if (overlap := _overlap(statement, said, todo))]
    best = max((overlap for overlap, _ in overlaps), default=0)
    found = [todo for overlap, todo in overlaps if overlap == best]
    return found if len(found) == 1 else []


def _repeated_todo(text: str, todos: Sequence[OpenTodo]) -> OpenTodo | None:
    """The open to-do that says the same, its dates left out."""
    wanted = _stems(text)
    return next((todo for todo in todos if _stems(todo.text) == wanted or says_the_same(todo.text, text)), None)


def _overlap(statement: TodoStatement, said: set[str], todo: OpenTodo) -> int:
    """How many words of the to-do were said, where enough of them were."""
    wanted, verb = _stems(todo.text), _verb(todo.text)
    objects = wanted - {verb}
    spoken_verb = _verb(statement.text)
    spoken_objects = said - {spoken_verb} if statement.effect == "done" else said
    shared = len(wanted & said)
    if not objects & said:
        return 0
    has_verb = verb in said or spoken_verb in _COMPLETION or statement.effect == "dropped"
    covers = objects <= said or (spoken_objects and spoken_objects <= wanted)
    is_named = spoken_verb in objects and said <= wanted  # "the report is done" names only the thing
    return shared if covers and (has_verb or is_named) else 0


def _verb(text: str) -> str:
    first = next(iter(words(text)), "")
    return stem(next(iter(known_lemmas(first, "VERB")), first))


def _stems(text: str) -> set[str]:
    """The stems that identify a to-do: verbs in the base form, without dates and to whom they were promised."""
    said = text.partition(" (promised ")[0]
    lemmas = " ".join(_base(token) for token in words(said) if not token.isdigit())
    return content_words(lemmas) - _TIME_WORDS


def _base(token: str) -> str:
    return next(iter(known_lemmas(token, "VERB")), token) if token.endswith(("ed", "ing", "t", "d")) else token
