"""Applications of several layouts adopt Keepsake without an edit, work as before, and are as before when it is gone."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.operations.backfill import Backfill, backfill
from keepsake.operations.check_use import check_use
from keepsake.operations.removal.remove import remove
from keepsake.usecases.inject_memory import ContextRequest, inject_memory
from tests.fixtures.clock import FixedClock
from tests.fixtures.db import Clone
from tests.fixtures.tokens import JWT_SECRET, PROJECT_URL
from tests.operations.layouts import ADA, BEN, LAYOUTS, Layout
from tests.operations.test_adopt import adopted, run
from tests.operations.test_remove import catalog

RECOGNIZED = ("title", "messages", "role", "written by", "text", "deleted", "people", "name, time zone")
"""What a line is said about, after that about the chats and their owner."""
COUNTS = "1 chats found, 1 readable, 0 skipped"


def _writer(db: Clone, layout: Layout) -> AbstractContextManager[psycopg.Connection[dict[str, Any]]]:
    """Who writes the application's rows: Ada through REST, or the backend."""
    return db.as_person(ADA) if layout.is_written_by_people else db.as_owner()


def _write(db: Clone, layout: Layout, *statements: str) -> None:
    with _writer(db, layout) as connection:
        for statement in statements:
            connection.execute(statement.encode())


def _say(layout: Layout, text: str, role: int = 0) -> str:
    return layout.say.format(role=layout.roles[role], text=text)


def _works_as_before(db: Clone, layout: Layout) -> list[Sequence[object]]:
    """Insert, read and write back whole rows, and delete; what each says, and what other people see."""
    seen: list[Sequence[object]] = []
    _write(db, layout, layout.new_chat, _say(layout, "Hello there"), _say(layout, "Hi", 1))
    with _writer(db, layout) as connection:
        for table in (layout.chats, layout.messages):
            columns = list(connection.execute(f"select * from {table} limit 1".encode()).fetchone() or {})
            seen.append(columns)
            names = ", ".join(f'"{name}"' for name in columns)
            row = connection.execute(f"select to_jsonb(t)::text as t from {table} as t order by t.id desc".encode())
            (whole,) = (row.fetchone() or {}).values()
            written = f"(select {names} from jsonb_populate_record(null::{table}, %s::jsonb))"
            update = f"update {table} as t set ({names}) = {written} where to_jsonb(t) = %s::jsonb"
            seen.append([connection.execute(update.encode(), (whole, whole)).rowcount])
    for person in (ADA, BEN):
        if layout.is_written_by_people:
            with db.as_person(person) as connection:
                tables = (layout.chats, layout.messages)
                seen.append([len(connection.execute(f"select from {table}".encode()).fetchall()) for table in tables])
    with db.as_anon() as connection:
        try:
            seen.append([len(connection.execute(f"select from {layout.messages}".encode()).fetchall())])
        except psycopg.errors.InsufficientPrivilege as error:
            seen.append([str(error.sqlstate)])
    _write(db, layout, f"delete from {layout.messages}", f"delete from {layout.chats}")
    return seen


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS.keys())
async def test_layout__is_adopted_without_an_edit(
    blank_db: Clone, tmp_path: Path, clock: FixedClock, layout: Layout
) -> None:
    """The first context tells what was said before the adoption and after it; nothing of the application changes."""
    db = blank_db
    run(db, layout.tables)
    before, behavior = catalog(db), _works_as_before(db, layout)
    _write(db, layout, layout.new_chat, _say(layout, "My favourite food is ramen."))
    said = adopted(db, tmp_path, layout.known)
    assert [said.count(f"\n{name:>16}  ") for name in RECOGNIZED] == [1] * len(RECOGNIZED)
    assert COUNTS in said
    assert [one.result for one in check_use(db.owner_url) if one.subject == "chats"] == [COUNTS]
    run(db, "alter role keepsake_api login")
    with db.as_service() as service:
        service.execute("select public.agree_to_memory_for(%s, '2020-01-01')", (ADA,))
    _write(db, layout, _say(layout, "Noted", 1), _say(layout, "What do I like to eat?"))
    settings = Settings.load(
        database_url=db.api_url, supabase_url=PROJECT_URL, supabase_jwt_secret=JWT_SECRET, statement_timeout_seconds=60
    )
    resources = Resources.build(settings, clock=clock)
    try:
        await backfill(resources, Backfill(ADA), print)
        (chat,) = db.one(f"select {layout.chat_id} as id from {layout.chats}").values()
        question = (
            f"select {layout.message_id} as id from {layout.messages} as m where to_jsonb(m)::text like '%%What do I%%'"
        )
        (message,) = db.one(question).values()
        injected = await inject_memory(resources, ContextRequest(chat, message_id=message))
    finally:
        await resources.close()
    assert "ramen" in injected.context
    _write(db, layout, f"delete from {layout.messages}", f"delete from {layout.chats}")
    assert db.all("select from keepsake_chats.conversations") == db.all("select from keepsake_chats.messages") == []
    assert _works_as_before(db, layout) == behavior
    assert db.all("select from chat_copies.failures") == []
    remove(db.owner_url, lambda _line: None)
    assert catalog(db) == before
    assert _works_as_before(db, layout) == behavior
