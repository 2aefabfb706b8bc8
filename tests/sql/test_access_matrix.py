"""Who may do what to a person's rows, tried as the owner, as somebody else, as a stranger and without a subject.

The lists are the whole answer: an object of the schema that stands in none of them fails the build.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg
import pytest
from psycopg import sql

from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People
from tests.sql.access_lists import (
    ANON,
    CALLS,
    CLOSED,
    DENIED,
    INSERTABLE,
    MINE,
    NEW_ROWS,
    NOTHING,
    OTHER,
    OWNER,
    REFUSED,
    ROWS,
    TABLES,
    UPDATABLE,
    WHO,
)

SUMMARIES = ("daily_summaries", "history_summaries", "weekly_summaries", "monthly_summaries", "yearly_comparisons")


@dataclass(frozen=True)
class World:
    """Ada's rows, one in every table, and Ben, who has no part in them."""

    db: Clone
    ada: Account
    ben: Account
    ids: dict[str, UUID]

    @contextmanager
    def trying_as(self, who: str) -> Iterator[psycopg.Cursor[Any]]:
        """Be somebody for one try, of which nothing stays."""
        subject = {OWNER: self.ada.user_id, OTHER: self.ben.user_id}.get(who)
        role = "anon" if who == ANON else "authenticated"
        claims = {"role": role} | ({"sub": str(subject)} if subject else {})
        with psycopg.connect(self.db.authenticator_url) as connection:
            connection.execute(
                "select set_config('role', %s, true), set_config('request.jwt.claims', %s, true)",
                (role, json.dumps(claims)),
            )
            yield connection.cursor()
            connection.rollback()

    def outcome(self, who: str, statement: sql.SQL | sql.Composed | str) -> str:
        """What the database says to somebody who tries this."""
        parameters = self.ids | {"caller": self.ben.user_id if who == OTHER else self.ada.user_id}
        query = statement.encode() if isinstance(statement, str) else statement
        try:
            with self.trying_as(who) as cursor:
                cursor.execute(query, parameters)
                return ROWS if cursor.rowcount else NOTHING
        except psycopg.errors.InsufficientPrivilege as error:
            return REFUSED if "row-level security" in str(error) else DENIED

    def answer(self, who: str, call: str) -> int | str:
        """The number a call gives somebody, or the code it is refused with."""
        try:
            with self.trying_as(who) as cursor:
                row = cursor.execute(call.encode(), self.ids).fetchone()
                assert row is not None
                return int(row[0])
        except psycopg.Error as error:
            return str(error.sqlstate)


def _id_of_day(db: Clone) -> UUID:
    """The only summary of a day."""
    day: UUID = db.value("select id from public.user_memory_daily_summaries")
    return day


def _todo_of(db: Clone, person: Account) -> UUID:
    """A to-do of a person."""
    todo: UUID = db.value(
        "insert into public.user_memory_todos (user_id, profile_id, kind, todo_text)"
        " values (%s, %s, 'commitment', 'Call Anna') returning id",
        (person.user_id, person.profile_id),
    )
    return todo


@pytest.fixture
def world(db: Clone, people: People) -> World:
    """A database with one row of Ada's in every table."""
    return make_world(db, people, "public")


def make_world(db: Clone, people: People, chats: str) -> World:
    """The rows, with those of chats in that schema."""
    ada, ben = people.person("Ada"), people.person("Ben")
    db.run("delete from public.user_memory")
    conversation = people.conversation(ada)
    message = people.says(ada, conversation, "My favourite food is ramen")
    db.run("insert into public.user_memory_settings (user_id) values (%s), (%s)", (ada.user_id, ben.user_id))
    db.run(
        f"insert into {chats}.conversation_summaries (conversation_id, summary) values (%s, 'Talked of food')",
        (conversation,),
    )
    memory = people.memory(
        ada, "Favorite food is ramen", source="rule_extraction", entity_refs=["person:anna", "person:anne"]
    )
    entity = db.value("select id from public.user_memory_entities where key = 'person:anna'")
    proposal = db.value(
        "insert into public.user_memory_alias_proposals (user_id, profile_id, key, variant, similarity)"
        " values (%s, %s, 'person:anna', 'person:anne', 0.9) returning id",
        (ada.user_id, ada.profile_id),
    )
    place = db.value(
        "insert into public.user_memory_places (user_id, profile_id, place_id, name) values (%s, %s, 'home', 'Home')"
        " returning id",
        (ada.user_id, ada.profile_id),
    )
    db.run(
        "insert into public.user_memory_place_mentions (user_id, profile_id, place, conversation_id)"
        " values (%s, %s, %s, %s)",
        (ada.user_id, ada.profile_id, place, conversation),
    )
    todo = _todo_of(db, ada)
    for table in ("sessions", "session_summaries", "session_state", "spine", "forgotten_summaries", *SUMMARIES):
        with db.as_service() as service:
            service.execute(
                NEW_ROWS[f"user_memory_{table}"].encode(), {"owner": ada.user_id, "profile": ada.profile_id}
            )
    forgotten = people.memory(ada, "Likes pizza", source="rule_extraction", status="deleted")
    operation = db.value("select operation_id from keepsake.changes where row_id = %s", (memory,))
    pending = db.value(
        "insert into keepsake.commands (user_id, text_hash, kind, status, outcome, said_at)"
        " values (%s, '', 'agent_forget', 'pending', jsonb_build_object('memory_ids', array[%s::text]), now())"
        " returning id",
        (ada.user_id, memory),
    )
    ids = {
        "owner": ada.user_id, "profile": ada.profile_id, "conversation": conversation, "message": message,
        "memory": memory, "forgotten": forgotten, "operation": operation, "day": _id_of_day(db),
        "entity": entity, "proposal": proposal, "place": place, "pending": pending, "todo": todo,
    }  # fmt: skip
    return World(db, ada, ben, ids)


def row_of(table: str) -> sql.SQL:
    keys = {
        "user_profile_list": "id = %(profile)s",
        "conversations": "id = %(conversation)s",
        "messages": "id = %(message)s",
        "user_memory": "id = %(memory)s",
        "user_memory_settings": "user_id = %(owner)s",
        "user_memory_entities": "id = %(entity)s",
        "user_memory_places": "id = %(place)s",
        "user_memory_place_mentions": "place = %(place)s",
        "user_memory_alias_proposals": "id = %(proposal)s",
        "user_memory_todos": "id = %(todo)s",
        "user_memory_sessions": "user_id = %(owner)s",
        "user_memory_spine": "user_id = %(owner)s",
        "user_memory_session_summaries": "user_id = %(owner)s",
        "user_memory_session_state": "user_id = %(owner)s",
        "user_memory_forgotten_summaries": "user_id = %(owner)s",
        "user_memory_daily_summaries": "user_id = %(owner)s",
        "user_memory_history_summaries": "user_id = %(owner)s",
        "user_memory_weekly_summaries": "user_id = %(owner)s",
        "user_memory_monthly_summaries": "user_id = %(owner)s",
        "user_memory_yearly_comparisons": "user_id = %(owner)s",
    }
    return sql.SQL(keys.get(table, "conversation_id = %(conversation)s"))


def test_access_matrix__names_every_object(db: Clone) -> None:
    """A table, view or function that nobody thought about here may not be in the exposed schema."""
    relations = db.all(
        "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r','p','v','m','f')"
    )
    assert {row["relname"] for row in relations} == set(TABLES) == set(UPDATABLE) == set(INSERTABLE) == set(NEW_ROWS)
    functions = db.all(
        "select replace(oid::regprocedure::text, 'public.', '') as name from pg_proc"
        " where pronamespace = 'public'::regnamespace"
    )
    assert {row["name"] for row in functions} == set(CALLS)


@pytest.mark.parametrize("table", TABLES)
def test_access_matrix__select_insert_delete(world: World, table: str) -> None:
    """Reading, writing in the owner's name and deleting, by each of the four."""
    name = sql.Identifier("public", table)
    statements: dict[str, sql.Composed | str] = {
        "select": sql.SQL("select * from {} where {}").format(name, row_of(table)),
        "insert": NEW_ROWS[table],
        "delete": sql.SQL("delete from {} where {}").format(name, row_of(table)),
    }
    for verb, expected in TABLES[table].items():
        assert tuple(world.outcome(who, statements[verb]) for who in WHO) == expected, verb


@pytest.mark.parametrize("table", TABLES)
def test_access_matrix__every_column(world: World, table: str) -> None:
    """A column can be changed, or given, exactly where the lists say so; by others never."""
    name = sql.Identifier("public", table)
    columns = world.db.all(
        "select attname from pg_attribute where attrelid = %s::regclass and attnum > 0 and not attisdropped"
        " and attgenerated = ''",
        (f"public.{table}",),
    )
    for column in [row["attname"] for row in columns]:
        update = sql.SQL("update {0} set {1} = {1} where {2}").format(name, sql.Identifier(column), row_of(table))
        expected = MINE if column in UPDATABLE[table].split() else CLOSED
        assert tuple(world.outcome(who, update) for who in WHO) == expected, column
        may_give = world.db.value(
            "select has_column_privilege('authenticated', %s, %s, 'insert')", (f"public.{table}", column)
        )
        assert may_give == (column in INSERTABLE[table].split()), column


@pytest.mark.parametrize("call", CALLS)
def test_access_matrix__calls(world: World, call: str) -> None:
    """Each function of the exposed schema, called by each of the four."""
    statement, expected = CALLS[call]
    assert tuple(world.answer(who, statement) for who in WHO) == expected


def test_access_matrix__private_schema(world: World) -> None:
    """Nobody but the service reads a private table or calls a private function by name."""
    for row in world.db.all("select oid::regclass::text as name from pg_class where relnamespace = 'keepsake'::regnamespace and relkind = 'r'"):  # fmt: skip # noqa: E501
        outcomes = {world.outcome(who, f"select * from {row['name']}") for who in WHO}
        assert outcomes == {DENIED}, row["name"]
    assert {world.outcome(who, "select keepsake.clear_my_memories()") for who in WHO} == {DENIED}


def test_access_matrix__a_shared_conversation(world: World, people: People) -> None:
    """Who takes part reads the conversation and what is said in it, and nothing else of the others."""
    conversation = people.conversation(world.ada, world.ben)
    people.says(world.ada, conversation, "Hello Ben")
    shared = {"shared": conversation}
    with world.trying_as(OTHER) as cursor:
        cursor.execute("select content from public.messages where conversation_id = %(shared)s", shared)
        assert cursor.fetchall() == [("Hello Ben",)]
        cursor.execute("select id from public.conversations")
        assert cursor.fetchall() == [(conversation,)]
        cursor.execute("select user_id from public.conversations_participants")
        assert cursor.fetchall() == [(world.ben.user_id,)]
        cursor.execute("select name from public.user_profile_list")
        assert cursor.fetchall() == [("Ben",)]
    with world.trying_as(OTHER) as cursor, pytest.raises(psycopg.errors.InsufficientPrivilege):
        cursor.execute(
            "insert into public.messages (conversation_id, user_id, role, content)"
            " values (%(shared)s, %(owner)s, 'user', 'in the name of Ada')",
            shared | {"owner": world.ada.user_id},
        )
    with world.trying_as(OTHER) as cursor, pytest.raises(psycopg.errors.InsufficientPrivilege):
        cursor.execute(
            "insert into public.messages (conversation_id, user_id, role, content)"
            " values (%(shared)s, %(caller)s, 'assistant', 'as the assistant')",
            shared | {"caller": world.ben.user_id},
        )
