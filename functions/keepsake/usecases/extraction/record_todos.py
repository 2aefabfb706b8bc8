"""Records what a message says about to-dos, in the transaction that stores its memories."""

from __future__ import annotations

from collections.abc import Sequence

from keepsake.domain.reading.todos import TodoStatement
from keepsake.domain.todos.plan_todos import plan_todos
from keepsake.store import todos
from keepsake.store.locks import lock_profile_of
from keepsake.store.operations import MemoryWriter


async def record_todos(writer: MemoryWriter, statements: Sequence[TodoStatement], text: str) -> bool:
    """Open and close the to-dos that a message mentions; returns whether anything changed.

    It comes before the memories are merged: the profile's lock is taken before those of memories.
    """
    if not statements:
        return False
    await lock_profile_of(writer)
    plan = plan_todos(
        statements,
        await todos.list_open(writer),
        local_time=writer.origin.said_at.astimezone(writer.timezone),
        today=writer.now.astimezone(writer.timezone).date(),
        allowed_types=writer.allowed_types,
        message=text,
    )
    if plan:
        await todos.apply_plan(writer, plan)
    return bool(plan)
