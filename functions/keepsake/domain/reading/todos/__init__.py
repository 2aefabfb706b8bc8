"""Reads what a message says about to-dos (``read_todos``), and whether it asks for them (``question``)."""

from keepsake.domain.reading.todos.question import asks_for_todos
from keepsake.domain.reading.todos.todo_statement import MAX_TODO_LENGTH, Effect, TodoKind, TodoStatement

__all__ = [
    "MAX_TODO_LENGTH",
    "Effect",
    "TodoKind",
    "TodoStatement",
    "asks_for_todos",
]
