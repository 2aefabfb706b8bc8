"""Keepsake moves into a host that fits, and tells one that does not everything it has to mend."""

from __future__ import annotations

from pathlib import Path
from uuid import UUID

import psycopg
import pytest

from keepsake.errors import Conflict
from keepsake.operations.migrate import migrate
from tests.fixtures.db import Clone
from tests.migrations.supabase_cli import VERSIONS, migration_up, project

HOST = (Path(__file__).parent / "conforming_host.sql").read_text()
ADA = UUID("00000000-0000-4000-8000-00000000000a")
ALONE = UUID("00000000-0000-4000-8000-0000000000c1")
PROFILE = UUID("00000000-0000-4000-8000-0000000000a1")
TABLES = ["user_profile_list", "conversations", "conversations_participants", "messages"]

RULES = """
select c.relname, c.relrowsecurity, c.relforcerowsecurity, c.relacl::text,
  (select json_agg(json_build_array(p.polname, p.polcmd, pg_get_expr(p.polqual, p.polrelid)) order by p.polname)
    from pg_policy as p where p.polrelid = c.oid)::text as policies,
  (select json_agg(a.attacl order by a.attname) from pg_attribute as a where a.attrelid = c.oid)::text as columns
from pg_class as c
where c.relnamespace = 'public'::regnamespace and c.relname = any (%s) order by 1
"""


def _as_owner(db: Clone, script: str) -> None:
    with psycopg.connect(db.owner_url) as connection:
        connection.execute(script.encode())


def _refusal(db: Clone) -> str:
    with pytest.raises(Conflict) as refused:
        migrate(db.owner_url)
    return str(refused.value)


def test_conforming_host__keeps_its_rows_policies_and_grants(unmigrated_db: Clone) -> None:
    """Only columns, indexes and triggers come to the host's tables."""
    _as_owner(unmigrated_db, HOST)
    before = unmigrated_db.all(RULES, (TABLES,))
    rows = unmigrated_db.all("select id, content, role from public.messages order by content")

    assert migrate(unmigrated_db.owner_url) == VERSIONS

    after = unmigrated_db.all(RULES, (TABLES,))
    for was, has_become in zip(before, after, strict=True):
        assert {k: v for k, v in was.items() if k != "columns"} == {
            k: v for k, v in has_become.items() if k != "columns"
        }
        assert set(has_become["columns"].strip("[]").replace(" ", "").split(",")) == {"null"}
    assert unmigrated_db.all("select id, content, role from public.messages order by content") == rows


def test_host__conversation_with_a_profile_is_remembered_from_now_on(blank_db: Clone) -> None:
    """What was said before Keepsake came is not read, not even the last minutes."""
    _as_owner(
        blank_db,
        "create table public.user_profile_list (id uuid primary key, user_id uuid, is_primary boolean);"
        "create table public.conversations (id uuid primary key, user_id uuid, profile_id uuid);"
        "grant all on public.user_profile_list, public.conversations to service_role;"
        "insert into auth.users (id) values ('00000000-0000-0000-0000-00000000000a');"
        "insert into public.user_profile_list select id, id, true from auth.users;"
        "insert into public.conversations select id, id, id from auth.users",
    )
    before = blank_db.value("select now()")
    migrate(blank_db.owner_url)
    assert blank_db.value("select remember_since from public.conversations_participants") > before


def test_conforming_host__owners_take_part(unmigrated_db: Clone) -> None:
    """Every owner has a row among the participants, once, and nothing is remembered yet."""
    _as_owner(unmigrated_db, HOST)
    migrate(unmigrated_db.owner_url)
    rows = unmigrated_db.all(
        "select conversation_id, user_id, nickname, profile_id, remember_since from public.conversations_participants"
        " order by conversation_id, user_id"
    )
    assert [(str(row["conversation_id"])[-2:], str(row["user_id"])[-1], row["nickname"]) for row in rows] == [
        ("c1", "a", "guest"), ("c2", "a", "ada"), ("c2", "b", "ben"),
    ]  # fmt: skip
    assert {row["profile_id"] for row in rows} == {row["remember_since"] for row in rows} == {None}
    assert unmigrated_db.value("select count(*) from public.user_memory") == 0


def test_conforming_host__goes_on_as_before(unmigrated_db: Clone) -> None:
    """The host's own code still adds the owner as a participant itself, and deletes people."""
    _as_owner(unmigrated_db, HOST)
    migrate(unmigrated_db.owner_url)
    with unmigrated_db.as_service() as connection:
        made = connection.execute(
            "insert into public.conversations (user_id, topic) values (%s, 'new') returning id", (ADA,)
        ).fetchone()
        assert made is not None
        connection.execute(
            "insert into public.conversations_participants (conversation_id, user_id, nickname) values (%s, %s, 'ada')",
            (made["id"], ADA),
        )
        connection.execute(
            "update public.conversations set profile_id = %s where id = %s returning id", (PROFILE, ALONE)
        )
    assert unmigrated_db.value(
        "select remember_since is not null and profile_id = %s from public.conversations_participants"
        " where conversation_id = %s",
        (PROFILE, ALONE),
    )
    with unmigrated_db.as_service() as connection:
        said = "select id from public.messages where user_id = %(ada)s"
        given = {"ada": ADA, "profile": PROFILE, "alone": ALONE}
        for statement in [
            (
                "insert into public.user_memory (user_id, profile_id, conversation_id, source_message_id, memory_text,"
                f" memory_type) values (%(ada)s, %(profile)s, %(alone)s, ({said}), 'Likes tea', 'fact')"
            ),
            (
                "insert into keepsake.extractions (user_id, conversation_id, source_message_id)"
                f" values (%(ada)s, %(alone)s, ({said}))"
            ),
            (
                "insert into keepsake.injections (user_id, profile_id, conversation_id, message_id)"
                f" values (%(ada)s, %(profile)s, %(alone)s, ({said}))"
            ),
        ]:
            connection.execute(statement.encode(), given)
    unmigrated_db.run("delete from auth.users where id = %s", (ADA,))
    for table in ("public.user_memory", "keepsake.extractions", "keepsake.injections", "keepsake.changes"):
        with unmigrated_db.as_superuser() as connection:
            assert connection.execute(f"select from {table}".encode()).fetchall() == []
    assert unmigrated_db.value("select count(*) from public.conversations") == 0


def test_conforming_host__by_the_supabase_cli(unmigrated_db: Clone, tmp_path: Path) -> None:
    """The CLI moves in just the same."""
    _as_owner(unmigrated_db, HOST)
    done = migration_up(project(tmp_path), unmigrated_db.owner_url)
    assert done.returncode == 0, done.stderr
    assert unmigrated_db.value("select count(*) from public.conversations_participants") == 3


def test_unfit_host__gets_one_list(unmigrated_db: Clone, tmp_path: Path) -> None:
    """A bigint key, a missing column, two primary profiles and a closed table are named together, by either tool."""
    _as_owner(
        unmigrated_db,
        """
        insert into auth.users (id) values ('00000000-0000-4000-8000-00000000000a');
        create table public.conversations (id bigint primary key, user_id uuid);
        create table public.messages (id uuid primary key, conversation_id bigint, user_id uuid, role text,
          created_at timestamptz);
        create table public.user_profile_list (id uuid primary key, user_id uuid, is_primary boolean);
        insert into public.user_profile_list
          select gen_random_uuid(), '00000000-0000-4000-8000-00000000000a', true from generate_series(1, 2);
        grant select, insert, update on public.conversations, public.messages to service_role;
        revoke all on public.user_profile_list from service_role;
        """,
    )
    refusal = _refusal(unmigrated_db)
    said = migration_up(project(tmp_path), unmigrated_db.owner_url)
    assert said.returncode != 0
    for fault in [
        "public.conversations.id is bigint, and must be uuid",
        "public.messages.conversation_id is bigint, and must be uuid",
        "public.messages has no column content (text)",
        "public.user_profile_list has two primary profiles for 1 people: each may have one",
        "service_role may not insert public.user_profile_list: grant it",
    ]:
        assert fault in refusal
        assert fault in said.stdout + said.stderr
    assert unmigrated_db.value("select to_regclass('public.user_memory') is null")
    assert unmigrated_db.value("select count(*) from pg_attribute where attname = 'persona_id'") == 0


@pytest.mark.parametrize(
    "made, fault",
    [
        ("create table public.user_memory (id int)", "public.user_memory already exists and is not Keepsake's"),
        ("create type public.memory_type as enum ('x')", "schema public already has a type memory_type"),
        ("create view public.messages as select 1 as id", "public.messages is not a table"),
        (
            (
                "create table public.conversations_participants (conversation_id uuid, user_id uuid,"
                " seat int not null);"
                "grant all on public.conversations_participants to service_role"
            ),
            "conversations_participants.seat must be given on insert",
        ),
        (
            (
                "create table public.conversations_participants (conversation_id uuid, user_id uuid);"
                "insert into public.conversations_participants"
                " select gen_random_uuid(), a.id from (values (gen_random_uuid())) as a (id);"
                "insert into public.conversations_participants select * from public.conversations_participants"
            ),
            "public.conversations_participants names a participant twice in 1 conversations",
        ),
        (
            (
                "create type public.speaker as enum ('human', 'bot');"
                "create table public.messages (id uuid primary key, conversation_id uuid, user_id uuid,"
                " role public.speaker, content text, created_at timestamptz)"
            ),
            "public.messages has no value 'user' in role",
        ),
        (
            (
                "create table public.user_profile_list (id uuid primary key, user_id uuid);"
                "create table public.conversations (id uuid primary key, user_id uuid, profile_id uuid);"
                "grant all on public.user_profile_list, public.conversations to service_role;"
                "insert into public.conversations select gen_random_uuid(), gen_random_uuid(), gen_random_uuid()"
            ),
            "public.conversations names a profile of somebody else, or none that exists, in 1 rows",
        ),
        (
            "create table public.conversation_summaries (id uuid primary key, conversation_id uuid)",
            "public.conversation_summaries may hold several rows for one conversation",
        ),
    ],
)
def test_unfit_host__each_fault_is_named(blank_db: Clone, made: str, fault: str) -> None:
    """Nothing that would fail later passes the check at the beginning."""
    _as_owner(blank_db, made)
    assert fault in _refusal(blank_db)


def test_unfit_host__mended_and_tried_again(blank_db: Clone) -> None:
    """After a refusal nothing is there, and the same command does all of it."""
    _as_owner(blank_db, "create table public.conversations (id bigint primary key, user_id uuid)")
    _refusal(blank_db)
    _as_owner(blank_db, "drop table public.conversations")
    assert migrate(blank_db.owner_url) == VERSIONS


def test_unfit_owner__cannot_bypass_row_security(blank_db: Clone) -> None:
    """An owner bound by policies could not run the private functions: it is told so."""
    blank_db.run("create role weak_owner login createrole")
    blank_db.run("grant anon, authenticated, service_role to weak_owner with admin option")
    try:
        blank_db.run("grant all on auth.users to weak_owner; grant usage on schema auth to weak_owner")
        blank_db.run(f"alter database {blank_db.name} owner to weak_owner")
        weak = Clone(blank_db.cluster, blank_db.name).cluster.url(blank_db.name, "weak_owner")
        with pytest.raises(Conflict, match="role weak_owner does not bypass row-level security"):
            migrate(weak)
    finally:
        blank_db.run(f"alter database {blank_db.name} owner to supabase_owner")
        blank_db.run("reassign owned by weak_owner to postgres; drop owned by weak_owner")
        blank_db.run("drop role if exists weak_owner")
