"""Which open to-dos a model sees beside a message."""

from __future__ import annotations

from uuid import uuid4

import pytest

from keepsake.domain.reading.todos.todo_statement import TodoKind
from keepsake.domain.todos.believed_todos import todos_to_show
from keepsake.domain.todos.todo import OpenTodo

TEXTS = [f"{verb} the {thing}" for verb in ("Paint", "Sell") for thing in ("shed", "boat", "piano", "fence")]


def shown(message: str, *texts: str) -> list[str]:
    todos = [OpenTodo(uuid4(), TodoKind.COMMITMENT, text) for text in (*TEXTS, *texts)]
    return [todo.text for todo in todos_to_show(todos, message)]


@pytest.mark.parametrize(
    "message, about", [("Frank is reached!", "Call Frank"), ("Zahnarzt erledigt", "Zahnarzt anrufen")]
)
def test_a_todo_that_the_message_is_about__is_the_first_however_old(message: str, about: str) -> None:
    assert shown(message, about) == [about, *TEXTS[:5]]


def test_others__are_the_newest() -> None:
    assert shown("Good morning") == TEXTS[:6]


def test_long_ones__are_as_many_as_have_room() -> None:
    long = "Write down what Frank and Karen said about the bridge before the meeting with the county on Thursday"
    assert shown("Good morning to Frank and Karen", long, long, long) == [long, long]
