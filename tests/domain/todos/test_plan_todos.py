"""What the statements of a message do to the open to-dos of its persona."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import pytest

from keepsake.domain.memory import MemoryType
from keepsake.domain.reading.todos.read_todos import asks_for_todos, read_todos
from keepsake.domain.reading.todos.todo_statement import TodoKind
from keepsake.domain.todos.plan_todos import TodoPlan, plan_todos
from keepsake.domain.todos.todo import OpenTodo

THURSDAY = datetime(2024, 10, 31, 12, tzinfo=UTC)


def plan(
    message: str, *texts: str, allowed: frozenset[MemoryType] = frozenset(MemoryType), days_later: int = 0
) -> TodoPlan:
    """The plan for a message where these commitments are open; it is read some days after it was said."""
    known = [OpenTodo(UUID(int=index), TodoKind.COMMITMENT, text) for index, text in enumerate(texts)]
    return plan_todos(
        read_todos(message),
        known,
        local_time=THURSDAY,
        today=THURSDAY.date() + timedelta(days=days_later),
        allowed_types=allowed,
        message=message,
    )


def test_plan__makes_dates_absolute() -> None:
    opened = plan("I need to call the dentist tomorrow").opened
    assert [(one.text, one.due_date) for one in opened] == [
        ("Call the dentist on Friday 1 November 2024", date(2024, 11, 1))
    ]


def test_plan__a_repetition_opens_nothing() -> None:
    assert not plan("I need to call the dentist", "Call the dentist on Friday 1 November 2024")
    assert len(plan("I need to call the dentist. I have to call the dentist!").opened) == 1


def test_plan__another_day_reschedules() -> None:
    done = plan("I need to call the dentist on Monday", "Call the dentist on Friday 1 November 2024")
    assert not done.opened
    assert [(known, todo.due_date) for known, todo in done.rescheduled] == [(UUID(int=0), date(2024, 11, 4))]


@pytest.mark.parametrize(
    "message, last_day",
    [
        ("I need to call the dentist", 90),
        ("I keep forgetting my keys", 90),
        ("I need to call the dentist tomorrow", 31),
        ("I need to renew my passport by June 2026", 637),
    ],
)
def test_plan__opens_nothing_that_is_over_when_it_is_read(message: str, last_day: int) -> None:
    """Ninety days after it was said, or thirty days after the day that it names."""
    assert plan(message, days_later=last_day).opened
    assert not plan(message, days_later=last_day + 1).opened


def test_plan__an_old_message_still_closes_and_reschedules() -> None:
    assert plan("I finally called the dentist", "Call the dentist", days_later=400).closed
    assert plan("I need to call the dentist tomorrow", "Call the dentist", days_later=400).rescheduled


@pytest.mark.parametrize(
    "message, closed",
    [
        ("I finally called the dentist", [(0, "done")]),
        ("called the dentist this morning!", [(0, "done")]),
        ("handed in the report", [(1, "done")]),
        ("the report is done", [(1, "done")]),
        ("I've paid the rent and called the dentist", [(0, "done"), (2, "done")]),
        ("I don't need to call the dentist anymore", [(0, "dropped")]),
        ("never mind the report", [(1, "dropped")]),
        ("I called my sister", []),
        ("I called", []),
        ("I forgot to call the dentist", []),
        ("I saw the dentist on TV", []),
        ("did I call the dentist?", []),
    ],
)
def test_plan__closes_what_was_done(message: str, closed: list[tuple[int, str]]) -> None:
    done = plan(message, "Call the dentist on Friday 1 November 2024", "Finish the report by Friday", "Pay the rent")
    assert sorted(done.closed) == [(UUID(int=index), status) for index, status in closed]


@pytest.mark.parametrize(
    "message, closes", [("I ran a marathon in 2019", False), ("I ran a marathon", True), ("ran a marathon today", True)]
)
def test_plan__what_was_done_long_ago_closes_nothing(message: str, *, closes: bool) -> None:
    assert bool(plan(message, "Run a marathon").closed) is closes


def test_plan__of_two_that_fit_alike_none_is_closed() -> None:
    assert not plan("called the doctor", "Call the doctor about the knee", "Call the doctor about the back")


def test_plan__keeps_neither_secrets_nor_orders_nor_types_that_are_not_allowed() -> None:
    assert not plan("I need to change my password hunter2-Xk9!q to something else tomorrow")
    assert not plan("I need to pay 4111 1111 1111 1111 tomorrow")
    facts_only = frozenset({MemoryType.FACT})
    assert not plan("I need to call the dentist", allowed=facts_only)


@pytest.mark.parametrize(
    "message, asks",
    [
        ("what did I want to do?", True),
        ("What else did I need to get done?", True),
        ("what's on my to-do list?", True),
        ("What was I going to do again?", True),
        ("what do I still have to do", True),
        ("show me my open to-dos", True),
        ("What did I want to do my thesis about was whales", True),
        ("I want to do yoga", False),
        ("what do you want to do?", False),
        ("what should we do with the drunken sailor", False),
    ],
)
def test_question__is_recognized(message: str, *, asks: bool) -> None:
    assert asks_for_todos(message) is asks
