"""Who may do what over an application's own chats is what the matrix says of Keepsake's tables.

The application's tables have all names of Keepsake's, and numbers as keys; nothing of it is tried through REST, which
shows the application's tables by these names.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from psycopg import sql

from tests.fixtures.clock import FixedClock
from tests.fixtures.db import Clone
from tests.fixtures.people import People
from tests.migrations.supabase_cli import advisors, project
from tests.operations.layouts import BIGINTS
from tests.operations.test_adopt import adopted, run
from tests.sql.access_lists import CALLS, CLOSED, MINE, NEW_ROWS, TABLES, UPDATABLE, WHO
from tests.sql.test_access_matrix import World, make_world, row_of

CHATS = ("user_profile_list", "conversations", "conversations_participants", "messages", "conversation_summaries")
AGREEMENTS = {"agree_to_memory(timestamp with time zone)", "agree_to_memory_for(uuid,timestamp with time zone)"}
COLUMNS = """
select attname from pg_attribute where attrelid = %s::regclass and attnum > 0 and not attisdropped and attgenerated = ''
"""


@pytest.fixture
def copied(blank_db: Clone, clock: FixedClock, tmp_path: Path) -> World:
    """The application's database, once it has adopted, with one row of Ada's in every table of Keepsake's."""
    run(blank_db, BIGINTS.tables)
    adopted(blank_db, tmp_path)
    return make_world(blank_db, People(blank_db, clock, chats="keepsake_chats"), "keepsake_chats")


def test_access_to_copies__names_every_object(copied: World) -> None:
    """In the exposed schema is what is there without an application, but its own tables for those of chats."""
    functions = copied.db.all(
        "select replace(oid::regprocedure::text, 'public.', '') as name from pg_proc"
        " where pronamespace = 'public'::regnamespace"
    )
    assert {row["name"] for row in functions} == {*CALLS, *AGREEMENTS}
    relations = copied.db.all(
        "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r','p','v','m','f')"
    )
    assert {row["relname"] for row in relations} == set(TABLES)


def test_access_to_copies__tables(copied: World) -> None:
    """Reading, writing in the owner's name and deleting, by each of the four, and changing each column of a chat."""
    for table, expected in TABLES.items():
        schema = "keepsake_chats" if table in CHATS else "public"
        name = sql.Identifier(schema, table)
        statements: dict[str, sql.Composed | str] = {
            "select": sql.SQL("select * from {} where {}").format(name, row_of(table)),
            "insert": NEW_ROWS[table].replace(f"public.{table} ", f"{schema}.{table} "),
            "delete": sql.SQL("delete from {} where {}").format(name, row_of(table)),
        }
        for verb, outcomes in expected.items():
            assert tuple(copied.outcome(who, statements[verb]) for who in WHO) == outcomes, (table, verb)


@pytest.mark.parametrize("table", CHATS)
def test_access_to_copies__columns(copied: World, table: str) -> None:
    """A column of a chat can be changed exactly where the lists say so."""
    name = sql.Identifier("keepsake_chats", table)
    for column in [row["attname"] for row in copied.db.all(COLUMNS, (f"keepsake_chats.{table}",))]:
        update = sql.SQL("update {0} set {1} = {1} where {2}").format(name, sql.Identifier(column), row_of(table))
        expected = MINE if column in UPDATABLE[table].split() else CLOSED
        assert tuple(copied.outcome(who, update) for who in WHO) == expected, column


def test_access_to_copies__calls(copied: World) -> None:
    """Each function of the exposed schema, called by each of the four."""
    for call, (statement, expected) in CALLS.items():
        assert tuple(copied.answer(who, statement) for who in WHO) == expected, call


def test_advisors__find_nothing_new_over_copies(blank_db: Clone, tmp_path: Path) -> None:
    """Supabase's own, by the real CLI: only what they found of the application before, and unused indexes."""
    run(blank_db, BIGINTS.tables)
    cli, written = project(tmp_path / "cli"), tmp_path / "migrations"
    written.mkdir()
    before = {issue["detail"] for issue in advisors(cli, blank_db.owner_url)}
    adopted(blank_db, written)
    found = advisors(cli, blank_db.owner_url)
    assert [one["detail"] for one in found if one["name"] != "unused_index" and one["detail"] not in before] == []
    assert any("keepsake_chats" in one["detail"] for one in found), "the advisors did not look"
