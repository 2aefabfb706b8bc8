"""Who may do what to a person's rows, tried as the owner, as somebody else, as a stranger and without a subject.

The tables below are the whole answer: an object of the schema that stands in none of them fails the build.
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

OWNER, OTHER, ANON, NOBODY = "owner", "other", "anon", "nobody"
WHO = (OWNER, OTHER, ANON, NOBODY)

# What the database says: rows touched, nothing there, no right to the table or column, not one's own row.
ROWS, NOTHING, DENIED, REFUSED = "rows", "nothing", "denied", "refused"
MINE = (ROWS, NOTHING, DENIED, NOTHING)  # allowed on one's own, and there is nothing of others
GIVEN = (ROWS, REFUSED, DENIED, REFUSED)  # allowed in one's own name only
CLOSED = (DENIED, DENIED, DENIED, DENIED)

TABLES: dict[str, dict[str, tuple[str, str, str, str]]] = {
    "user_profile_list": {"select": MINE, "insert": GIVEN, "delete": MINE},
    "conversations": {"select": MINE, "insert": GIVEN, "delete": CLOSED},
    "conversations_participants": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "messages": {"select": MINE, "insert": GIVEN, "delete": CLOSED},
    "conversation_summaries": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "user_memory": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "user_memory_settings": {"select": MINE, "insert": GIVEN, "delete": CLOSED},
    "user_memory_entities": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
    "user_memory_alias_proposals": {"select": MINE, "insert": CLOSED, "delete": CLOSED},
}

# The columns a person may change on their own rows, and give on new ones; every other column is the server's.
UPDATABLE = {
    "user_profile_list": "name nickname pronouns is_primary timezone locale birth_chart",
    "conversations": "title",
    "conversations_participants": "",
    "messages": "",
    "conversation_summaries": "",
    "user_memory": "memory_text pinned importance expires_at",
    "user_memory_settings": "user_id building enabled allowed_types retention_days long_term onboarding_seen_at",
    "user_memory_entities": "",
    "user_memory_alias_proposals": "",
}
INSERTABLE = {
    "user_profile_list": "id user_id name nickname pronouns is_primary timezone locale birth_chart",
    "conversations": "id user_id mode persona_id title",
    "conversations_participants": "",
    "messages": "id conversation_id user_id role content",
    "conversation_summaries": "",
    "user_memory": "",
    "user_memory_settings": "user_id building enabled allowed_types retention_days long_term onboarding_seen_at",
    "user_memory_entities": "",
    "user_memory_alias_proposals": "",
}

NEW_ROWS = {
    "user_profile_list": "insert into public.user_profile_list (user_id, name) values (%(owner)s, 'x')",
    "conversations": "insert into public.conversations (user_id) values (%(owner)s)",
    "conversations_participants": (
        "insert into public.conversations_participants (conversation_id, user_id) values (%(conversation)s, %(caller)s)"
    ),
    "messages": (
        "insert into public.messages (conversation_id, user_id, role, content)"
        " values (%(conversation)s, %(owner)s, 'user', 'x')"
    ),
    "conversation_summaries": (
        "insert into public.conversation_summaries (conversation_id, summary) values (%(conversation)s, 'x')"
    ),
    "user_memory": (
        "insert into public.user_memory (user_id, profile_id, memory_text, memory_type)"
        " values (%(owner)s, %(profile)s, 'x', 'fact')"
    ),
    "user_memory_settings": (
        "insert into public.user_memory_settings (user_id, building) values (%(owner)s, true)"
        " on conflict (user_id) do update set user_id = excluded.user_id, building = excluded.building"
    ),
    "user_memory_entities": (
        "insert into public.user_memory_entities (user_id, profile_id, key, label)"
        " values (%(owner)s, %(profile)s, 'person:x', 'x')"
    ),
    "user_memory_alias_proposals": (
        "insert into public.user_memory_alias_proposals (user_id, profile_id, key, variant, similarity)"
        " values (%(owner)s, %(profile)s, 'person:x', 'person:y', 1)"
    ),
}

# The call, and what each gets: a count of the owner's memories touched or found, or the refusal's code.
DONE, EMPTY, MISSING, FORBIDDEN = 1, 0, "PT404", "42501"
CALLS: dict[str, tuple[str, tuple[int | str, int | str, int | str, int | str]]] = {
    "forget_memory(uuid)": (
        "select (public.forget_memory(%(memory)s) ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "restore_memory(uuid)": (
        "select (public.restore_memory(%(forgotten)s) ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "confirm_memory(uuid)": (
        "select (public.confirm_memory(%(memory)s) ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "undo_operation(uuid)": (
        "select (public.undo_operation(%(operation)s) ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "clear_my_memories()": (
        "select (public.clear_my_memories() ->> 'affected')::int",
        (DONE, EMPTY, FORBIDDEN, EMPTY),
    ),
    "memory_overview()": (
        "select (public.memory_overview() ->> 'active')::int",
        (DONE, EMPTY, FORBIDDEN, EMPTY),
    ),
    "memory_operations(integer,uuid)": (
        "select least(count(*), 1)::int from public.memory_operations(memory_id => %(memory)s)",
        (DONE, EMPTY, FORBIDDEN, EMPTY),
    ),
    "set_memory_persona(uuid,text)": (
        "select (public.set_memory_persona(%(memory)s, 'coach') ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "rename_entity(uuid,text)": (
        "select (public.rename_entity(%(entity)s, 'Annette') ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "add_entity_alias(uuid,text)": (
        "select (public.add_entity_alias(%(entity)s, 'Annie') ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "remove_entity_alias(uuid,text)": (
        "select 1 + (public.remove_entity_alias(%(entity)s, 'Bo') ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "confirm_alias(uuid)": (
        "select least(1, (public.confirm_alias(%(proposal)s) ->> 'affected')::int)",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "refuse_alias(uuid)": (
        "select (public.refuse_alias(%(proposal)s) ->> 'affected')::int",
        (DONE, MISSING, FORBIDDEN, MISSING),
    ),
    "search_user_memory(text,memory_type[],integer)": (
        "select count(*) from public.search_user_memory('ramen')",
        (DONE, EMPTY, FORBIDDEN, EMPTY),
    ),
}


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


@pytest.fixture
def world(db: Clone, people: People) -> World:
    """A database with one row of Ada's in every table."""
    ada, ben = people.person("Ada"), people.person("Ben")
    db.run("delete from public.user_memory")
    conversation = people.conversation(ada)
    message = people.says(ada, conversation, "My favourite food is ramen")
    db.run("insert into public.user_memory_settings (user_id) values (%s)", (ada.user_id,))
    db.run(
        "insert into public.conversation_summaries (conversation_id, summary) values (%s, 'Talked of food')",
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
    forgotten = people.memory(ada, "Likes pizza", source="rule_extraction", status="deleted")
    operation = db.value("select operation_id from keepsake.changes where row_id = %s", (memory,))
    ids = {
        "owner": ada.user_id, "profile": ada.profile_id, "conversation": conversation, "message": message,
        "memory": memory, "forgotten": forgotten, "operation": operation,
        "entity": entity, "proposal": proposal,
    }  # fmt: skip
    return World(db, ada, ben, ids)


def _row_of(table: str) -> sql.SQL:
    keys = {
        "user_profile_list": "id = %(profile)s",
        "conversations": "id = %(conversation)s",
        "messages": "id = %(message)s",
        "user_memory": "id = %(memory)s",
        "user_memory_settings": "user_id = %(owner)s",
        "user_memory_entities": "id = %(entity)s",
        "user_memory_alias_proposals": "id = %(proposal)s",
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
        "select": sql.SQL("select * from {} where {}").format(name, _row_of(table)),
        "insert": NEW_ROWS[table],
        "delete": sql.SQL("delete from {} where {}").format(name, _row_of(table)),
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
        update = sql.SQL("update {0} set {1} = {1} where {2}").format(name, sql.Identifier(column), _row_of(table))
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
