"""The open to-dos that a context shows: in the first one of a conversation, and where the message asks for them.

Only the person themself reads them, in a conversation with the persona that they were said to.
"""

from __future__ import annotations

from datetime import datetime

from keepsake.domain.screening.screen import rejection_of_text
from keepsake.domain.todos.question import asks_for_todos
from keepsake.infra.database import Connection
from keepsake.store import todos
from keepsake.store.injections import InjectionTurn

_MAX_FIRST, _MAX_ASKED = 5, 20


def is_todo_question(injected: InjectionTurn) -> bool:
    """Whether the message asks what its author wanted to do, and nobody else reads the answer."""
    return not injected.shared and asks_for_todos(injected.turn.text)


async def open_todos(conn: Connection, injected: InjectionTurn, now: datetime) -> list[str]:
    """The open to-dos for a context, those due soonest first; only where there are any, the database is asked."""
    turn, is_asked = injected.turn, is_todo_question(injected)
    is_wanted = injected.has_todos and not injected.shared and (injected.first_message or is_asked)
    if not is_wanted or turn.author is None or turn.profile_id is None:
        return []
    found = await todos.list_for_context(
        conn,
        user_id=turn.author,
        profile_id=turn.profile_id,
        persona_id=turn.persona_id,
        now=now,
        limit=_MAX_ASKED if is_asked else _MAX_FIRST,
    )
    return [todo for todo in found if rejection_of_text(todo) is None]  # a person edits to-dos directly
