"""The statements of docs/existing-tables.md connect an application whose tables have other names or columns."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import psycopg

from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.operations.backfill import Backfill, backfill
from keepsake.operations.migrate import migrate
from tests.fixtures.clock import FixedClock
from tests.fixtures.db import Clone
from tests.fixtures.tokens import JWT_SECRET, PROJECT_URL
from tests.local.test_docs import PAGES, blocks, code

ADA = UUID("00000000-0000-4000-8000-00000000000a")
OLD, NEW = UUID("00000000-0000-4000-8000-0000000000c1"), UUID("00000000-0000-4000-8000-0000000000c2")
PEOPLE_AND_CHATS = """
insert into auth.users (id, email) values ('00000000-0000-4000-8000-00000000000a', 'ada@example.com');
create table public.profiles (id uuid primary key references auth.users (id) on delete cascade, full_name text);
create table public.chats (id uuid primary key, owner_id uuid references auth.users (id) on delete cascade, name text);
insert into public.profiles values ('00000000-0000-4000-8000-00000000000a', 'Ada');
insert into public.chats values
  ('00000000-0000-4000-8000-0000000000c1', '00000000-0000-4000-8000-00000000000a', 'Before Keepsake');
"""
OTHER_NAME = """
create table public.chat_messages (id uuid primary key default gen_random_uuid(),
  chat_id uuid not null references public.chats (id) on delete cascade, sender text not null, body text,
  sent_at timestamptz not null default now());
"""
MESSAGES = "select conversation_id, user_id, role, content from public.messages order by content"
READABLE = """
select c.id, c.title, p.remember_since is not null as is_remembered
from public.conversations as c
join public.conversations_participants as p on p.conversation_id = c.id and p.user_id = c.user_id
order by c.id
"""


def _run(db: Clone, script: str) -> None:
    with psycopg.connect(db.owner_url) as owner:
        owner.execute(script.encode())


def _agree(db: Clone) -> None:
    _run(db, code("agreed").replace("$1", f"'{ADA}'"))


def test_other_names__chats_and_messages_are_copied_as_they_are_written(host_db: Clone) -> None:
    """Old chats and new ones, once the person agreed; an edited text follows, and what is deleted goes."""
    db = host_db
    _run(db, PEOPLE_AND_CHATS + OTHER_NAME)
    migrate(db.owner_url)
    _run(db, code("copied chats") + code("copied messages"))
    assert [row["is_remembered"] for row in db.all(READABLE)] == [False]

    _agree(db)
    _run(db, f"insert into public.chats values ('{NEW}', '{ADA}', 'New')")
    _run(db, f"insert into public.chat_messages (chat_id, sender, body) values ('{OLD}', 'human', 'I live in Lisbn')")
    _run(db, f"insert into public.chat_messages (chat_id, sender, body) values ('{NEW}', 'bot', 'Noted')")
    _run(db, "update public.chat_messages set body = 'I live in Lisbon' where sender = 'human'")
    _run(db, f"update public.chats set name = 'Home' where id = '{OLD}'")
    assert [tuple(row.values()) for row in db.all(READABLE)] == [(OLD, "Home", True), (NEW, "New", True)]
    assert [tuple(row.values()) for row in db.all(MESSAGES)] == [
        (OLD, ADA, "user", "I live in Lisbon"),
        (NEW, None, "assistant", "Noted"),
    ]

    _run(db, f"delete from public.chat_messages where sender = 'bot'; delete from public.chats where id = '{OLD}'")
    assert db.all(MESSAGES) == []
    assert [row["id"] for row in db.all(READABLE)] == [NEW]


def test_guests__and_messages_without_a_text_are_written_as_before(host_db: Clone) -> None:
    """The triggers refuse the application nothing; a guest's chat is copied once somebody owns it."""
    db = host_db
    _run(db, PEOPLE_AND_CHATS + OTHER_NAME)
    _run(db, f"insert into public.chats values ('{NEW}', null, 'A guest')")
    migrate(db.owner_url)
    _run(db, code("copied chats") + code("copied messages"))
    _run(db, f"update public.chats set name = 'Still a guest' where id = '{NEW}'")
    _run(db, f"insert into public.chat_messages (chat_id, sender, body) values ('{NEW}', 'human', 'Hello')")
    _run(db, f"insert into public.chat_messages (chat_id, sender, body) values ('{OLD}', 'bot', null)")
    assert [row["id"] for row in db.all(READABLE)] == [OLD]
    assert [tuple(row.values()) for row in db.all(MESSAGES)] == [(OLD, None, "assistant", "")]
    _run(db, f"update public.chats set owner_id = '{ADA}' where id = '{NEW}'")
    assert [(row["id"], row["title"]) for row in db.all(READABLE)] == [(OLD, "Before Keepsake"), (NEW, "Still a guest")]


async def test_old_messages__are_read_once_the_person_wants_it(host_db: Clone, clock: FixedClock) -> None:
    """Copied and dated back by the statements of the page, and read by the command; from before that date, nothing."""
    db = host_db
    _run(db, PEOPLE_AND_CHATS + OTHER_NAME)
    said = {"2025-12-31": "I live in Oslo", "2026-02-01": "I live in Lisbon", "2026-03-01": "I love ramen"}
    for day, text in said.items():
        values = f"values ('{OLD}', 'human', '{text}', '{day}'), ('{OLD}', 'bot', 'Noted', '{day}')"
        _run(db, f"insert into public.chat_messages (chat_id, sender, body, sent_at) {values}")
    migrate(db.owner_url)
    _run(db, "alter role keepsake_api login")
    _run(db, code("copied chats") + code("copied messages"))
    _agree(db)
    _run(db, (code("old messages") + code("remember since")).replace("$1", f"'{ADA}'"))
    settings = Settings.load(
        database_url=db.api_url, supabase_url=PROJECT_URL, supabase_jwt_secret=JWT_SECRET, statement_timeout_seconds=60
    )
    resources = Resources.build(settings, clock=clock)
    try:
        progress = await backfill(resources, Backfill(ADA), print)
    finally:
        await resources.close()
    assert (progress.done, progress.memories) == (2, 2)
    remembered = "select memory_text from public.user_memory where source = 'rule_extraction' order by valid_from"
    assert [row["memory_text"] for row in db.all(remembered)] == ["Lives in Lisbon", "Loves ramen"]


def test_bigint_ids__get_copies_with_the_id_that_the_backend_computes(host_db: Clone) -> None:
    """The expression of the page makes the same UUID as the function for Python."""
    expression = "select md5('chats ' || 7::bigint)::uuid"
    (block,) = [found for page in PAGES for found in blocks(page) if found["name"] == "computed id"]
    names: dict[str, Any] = {}
    exec(block["code"], names)  # noqa: S102 (the page's own)
    assert host_db.value(expression) == names["keepsake_id"]("chats", 7)
