"""Reads what a message says about to-dos and whether it asks for them."""

from keepsake.domain.reading.todos.read_todos import asks_for_todos
from keepsake.domain.reading.todos.todo_statement import MAX_TODO_LENGTH, Effect, TodoKind, TodoStatement

__all__ = [
    "MAX_TODO_LENGTH",
    "Effect",
    "TodoKind",
    "TodoStatement",
    "asks_for_todos",
]
