"""Each person alone hears of their own changes on a private topic of Realtime, in the transaction that makes them."""

from __future__ import annotations

import psycopg
import pytest

from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People

REALTIME = """
create schema realtime;
create table realtime.messages (
  id uuid not null default gen_random_uuid() primary key, topic text not null, extension text not null,
  payload jsonb, event text, private boolean default false, inserted_at timestamp not null default now()
);
alter table realtime.messages enable row level security;
grant usage on schema realtime to anon, authenticated, service_role, {owner};
grant select on realtime.messages to anon, authenticated;
grant select, insert on realtime.messages to {owner};
create function realtime.topic() returns text language sql stable as
  $$ select nullif(current_setting('realtime.topic', true), '') $$;
create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
language plpgsql as $$
begin
  insert into realtime.messages (payload, event, topic, private, extension)
    values (payload, event, topic, private, 'broadcast');
end $$;
grant execute on function realtime.topic(), realtime.send(jsonb, text, text, boolean) to {owner};
"""
"""What Supabase makes of Realtime, as far as the database shows it. Rows in `messages` are what its server sends on."""
OWNED = "alter table realtime.messages owner to {owner}"
ROWS = "insert into public.user_memory (user_id, profile_id, memory_text, memory_type, source) "


@pytest.fixture
def realtime(db: Clone) -> Clone:
    """The database with Realtime, in which Keepsake's owner may make policies for its messages."""
    _create_realtime(db, may_make_policies=True)
    assert _enable(db) == "enabled"
    return db


def _create_realtime(db: Clone, *, may_make_policies: bool) -> None:
    with db.as_owner() as connection:
        row = connection.execute("select current_user as name").fetchone()
    assert row is not None
    statements = REALTIME + (OWNED if may_make_policies else "")
    with db.as_superuser() as connection:
        connection.execute(statements.replace("{owner}", row["name"]).encode())
        connection.execute(f"grant insert, select on realtime.messages to {row['name']}".encode())


def _enable(db: Clone) -> str:
    with db.as_owner() as connection:
        row = connection.execute("select keepsake.enable_live_updates() as said").fetchone()
    assert row is not None
    return str(row["said"])


def _topics(db: Clone) -> list[str]:
    return [row["topic"] for row in db.all("delete from realtime.messages where private returning topic")]


def _topic(person: Account) -> str:
    return f"keepsake:{person.user_id}"


def test_a_change__is_sent_in_the_transaction_that_makes_it(realtime: Clone, people: People) -> None:
    ada = people.person("Ada")
    memory = people.memory(ada, "Likes tea")
    _topics(realtime)
    with realtime.as_person(ada.user_id) as connection:
        connection.execute("update public.user_memory set pinned = true where id = %s", (memory,))
        connection.rollback()
    assert _topics(realtime) == []
    with realtime.as_person(ada.user_id) as connection:
        connection.execute("update public.user_memory set pinned = true where id = %s", (memory,))
    assert _topics(realtime) == [_topic(ada)]


def test_ten_thousand_deletions__are_heard_by_nobody_else(realtime: Clone, people: People) -> None:
    ada, bob = people.person("Ada"), people.person("Bob")
    text = "select %(user)s, %(profile)s, 'Memory ' || n, 'fact', 'user' from generate_series(1, 10000) as n"
    realtime.run(ROWS + text, {"user": bob.user_id, "profile": bob.profile_id})
    _topics(realtime)
    realtime.run("delete from public.user_memory where user_id = %(user)s", {"user": bob.user_id})
    assert set(_topics(realtime)) == {_topic(bob)}
    realtime.run("update public.user_memory set memory_text = 'Is named Ada' where user_id = %s", (ada.user_id,))
    assert _topics(realtime) == [_topic(ada)]


def test_a_context__tells_nobody_that_a_memory_was_used(realtime: Clone, people: People) -> None:
    ada = people.person("Ada")
    _topics(realtime)
    realtime.run("update public.user_memory set reference_count = 3, last_referenced_at = now()")
    assert _topics(realtime) == []
    assert people.memories(ada) == ["Name is Ada"]


def test_todos__are_told_too(realtime: Clone, people: People) -> None:
    ada = people.person("Ada")
    _topics(realtime)
    columns = "user_id, profile_id, kind, todo_text"
    todo = f"insert into public.user_memory_todos ({columns}) values (%s, %s, 'commitment', 'Buy bread')"
    realtime.run(todo, (ada.user_id, ada.profile_id))
    realtime.run("update public.user_memory_todos set status = 'done'")
    realtime.run("delete from public.user_memory_todos")
    assert _topics(realtime) == [_topic(ada)] * 3


def _heard(db: Clone, listener: Account | None, topic: str) -> int:
    """How many messages of a topic Realtime would let somebody have, which asks as they do."""
    as_listener = db.as_person(listener.user_id) if listener else db.as_anon()
    with as_listener as connection:
        connection.execute("select set_config('realtime.topic', %s, true)", (topic,))
        row = connection.execute("select count(*) as n from realtime.messages where topic = %s", (topic,)).fetchone()
    assert row is not None
    return int(row["n"])


def test_a_topic__is_joined_by_its_person_alone(realtime: Clone, people: People) -> None:
    ada, eve = people.person("Ada"), people.person("Eve")
    assert _heard(realtime, ada, _topic(ada)) > 0
    assert (_heard(realtime, eve, _topic(ada)), _heard(realtime, None, _topic(ada))) == (0, 0)
    with realtime.as_person(ada.user_id) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("insert into realtime.messages (topic, extension) values (%s, 'broadcast')", (_topic(eve),))


def test_realtime__may_be_closed_to_us(db: Clone, people: People) -> None:
    """Then nobody can join, everything else works, and the panel polls."""
    _create_realtime(db, may_make_policies=False)
    assert _enable(db) == "not permitted"
    ada = people.person("Ada")
    assert people.memories(ada) == ["Name is Ada"]
    assert _heard(db, ada, _topic(ada)) == 0


def test_a_database__without_realtime_is_left_alone(db: Clone, people: People) -> None:
    assert _enable(db) == "no Realtime"
    assert people.memories(people.person("Ada")) == ["Name is Ada"]


def test_the_policy__goes_with_the_schema(realtime: Clone) -> None:
    realtime.run("drop function keepsake.is_own_live_topic(text) cascade")
    assert realtime.all("select policyname from pg_policies where schemaname = 'realtime'") == []
