"""Reads and writes the to-dos of a persona."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from psycopg import AsyncRawCursor
from psycopg.rows import class_row

from keepsake.domain.consent.turn_context import TurnContext
from keepsake.domain.todos.plan_todos import NewTodo, TodoPlan
from keepsake.domain.todos.todo import MAX_OPEN_TODOS, ContextTodo, OpenTodo
from keepsake.infra.database import Connection, queries
from keepsake.store.operations import MemoryWriter
from keepsake.store.row_keys import PersonaKey

_SQL = queries.load("todos")


async def list_open(writer: MemoryWriter) -> list[OpenTodo]:
    """The open to-dos of the persona that the message was said to, newest first; none said after the message."""
    return await _SQL["open_todos"].all(
        writer.conn, class_row(OpenTodo), **_persona(writer), said_at=writer.origin.said_at, limit=MAX_OPEN_TODOS
    )


async def request_open_of(conn: Connection, turn: TurnContext, *, limit: int) -> AsyncRawCursor[OpenTodo]:
    """Ask for the open to-dos of the persona of a turn, newest first; none said after it."""
    scope = {"user_id": turn.author, "profile_id": turn.profile_id, "persona_id": turn.persona_id}
    return await _SQL["open_todos"].send(conn, class_row(OpenTodo), **scope, said_at=turn.said_at, limit=limit)


async def apply_plan(writer: MemoryWriter, plan: TodoPlan) -> None:
    """Open, reschedule and close to-dos, as one operation with the memories of the message."""
    message = {"message_id": writer.origin.message_id, "said_at": writer.origin.said_at, "now": writer.now}
    async with writer.begin_merge("a to-do was said"):
        for todo in plan.opened:
            await _SQL["insert_todo"].execute(
                writer.conn,
                **_persona(writer),
                **_columns(todo),
                **message,
                kind=todo.kind.value,
                quote=todo.quote,
                source=writer.source.value,
                conversation_id=writer.origin.conversation_id,
            )
        for todo_id, todo in plan.rescheduled:
            await _SQL["reschedule_todo"].execute(
                writer.conn, user_id=writer.user_id, id=todo_id, now=writer.now, **_columns(todo)
            )
        for todo_id, status in plan.closed:
            await _SQL["close_todo"].execute(writer.conn, user_id=writer.user_id, id=todo_id, status=status, **message)


async def forget_about(writer: MemoryWriter, subject: str) -> int:
    """Forget the to-dos of the profile that mention a subject; how many."""
    return len(await _SQL["forget_todos_about"].values(writer.conn, **writer.profile.params, subject=subject))


async def list_for_context(conn: Connection, persona: PersonaKey, *, now: datetime, limit: int) -> list[ContextTodo]:
    """The open to-dos of a persona, those due soonest first."""
    return await _SQL["todos_for_context"].all(conn, class_row(ContextTodo), **persona.params, now=now, limit=limit)


def _persona(writer: MemoryWriter) -> dict[str, Any]:
    return PersonaKey(writer.user_id, writer.profile_id, writer.origin.persona_id).params


def _columns(todo: NewTodo) -> dict[str, Any]:
    return {"text": todo.text, "due_date": todo.due_date}
