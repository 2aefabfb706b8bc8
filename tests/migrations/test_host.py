"""Keepsake leaves the tables of an application as they are, and says what is in its way before it changes anything."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from keepsake.errors import Conflict
from keepsake.operations.check_use import check_use
from keepsake.operations.migrate import migrate
from tests.fixtures.db import Clone
from tests.migrations.supabase_cli import VERSIONS, migration_up, project

HOST = (Path(__file__).parent / "conforming_host.sql").read_text()
TABLES = ["user_profile_list", "conversations", "conversations_participants", "messages", "conversation_summaries"]
TABLE = """
select c.relname, c.relacl::text, c.relrowsecurity, c.relforcerowsecurity, c.relhastriggers,
  obj_description(c.oid) as says,
  (select json_agg(json_build_array(a.attname, a.atttypid, a.attacl, a.attstattarget) order by a.attnum)::text
    from pg_attribute as a where a.attrelid = c.oid) as columns,
  (select json_agg(pg_get_indexdef(i.indexrelid) order by i.indexrelid)::text
    from pg_index as i where i.indrelid = c.oid) as indexes,
  (select json_agg(pg_get_constraintdef(k.oid) order by k.oid)::text
    from pg_constraint as k where k.conrelid = c.oid or k.confrelid = c.oid) as constraints,
  (select json_agg(t.tgname order by t.oid)::text from pg_trigger as t where t.tgrelid = c.oid) as triggers,
  (select json_agg(json_build_array(p.polname, p.polcmd, pg_get_expr(p.polqual, p.polrelid)) order by p.polname)
    from pg_policy as p where p.polrelid = c.oid)::text as policies
from pg_class as c where c.oid = to_regclass('public.' || %s)
"""


def _of_the_host(db: Clone) -> list[list[dict[str, object]]]:
    """What the catalog says of the application's tables, and their rows."""
    found = [db.all(TABLE, (name,)) for name in TABLES]
    rows = [db.all(f"select * from public.{name}") for name, described in zip(TABLES, found, strict=True) if described]
    return [*found, *rows]


def _as_owner(db: Clone, script: str) -> None:
    with psycopg.connect(db.owner_url) as connection:
        connection.execute(script.encode())


def _refusal(db: Clone) -> str:
    with pytest.raises(Conflict) as refused:
        migrate(db.owner_url)
    return str(refused.value)


def test_chats_of_the_host__are_not_read_and_doctor_says_so(blank_db: Clone, tmp_path: Path) -> None:
    """Also where they would fit, and by the Supabase CLI, which prints no warning of a migration."""
    _as_owner(blank_db, HOST)
    before = _of_the_host(blank_db)
    assert migration_up(project(tmp_path), blank_db.owner_url).returncode == 0
    (finding,) = (one for one in check_use(blank_db.owner_url) if one.subject == "chats")
    assert finding.failed
    assert "public.conversations and public.messages are your application's" in finding.line()
    assert _of_the_host(blank_db) == before


def test_chats_of_the_host__stay_as_they_are_beside_keepsakes_own(unmigrated_db: Clone) -> None:
    """No column, index, key, policy, grant, trigger or row comes to them."""
    _as_owner(unmigrated_db, HOST)
    before = _of_the_host(unmigrated_db)
    warnings: list[str] = []
    assert migrate(unmigrated_db.owner_url, on_warning=warnings.append) == VERSIONS
    assert ["run `keepsake adopt`" in line for line in warnings] == [True]
    assert _of_the_host(unmigrated_db) == before
    assert unmigrated_db.all("select from keepsake_chats.conversations") == []


def test_table_that_holds_no_chats__stays_as_it_is(blank_db: Clone) -> None:
    """Profiles, participants and summaries of the application's own need no adoption."""
    _as_owner(
        blank_db,
        "create table public.user_profile_list (id int); create table public.conversations_participants (seat int);"
        "create table public.conversation_summaries (summary jsonb)",
    )
    before = _of_the_host(blank_db)
    assert migrate(blank_db.owner_url) == VERSIONS
    assert _of_the_host(blank_db) == before
    assert blank_db.all("select from keepsake_chats.user_profile_list") == []


@pytest.mark.parametrize(
    "made, fault",
    [
        ("create table public.user_memory (id int)", "public.user_memory already exists and is not Keepsake's"),
        ("create type public.memory_type as enum ('x')", "schema public already has a type memory_type"),
    ],
)
def test_unfit_host__each_fault_is_named(blank_db: Clone, made: str, fault: str) -> None:
    """Nothing that would fail later passes the check at the beginning."""
    _as_owner(blank_db, made)
    assert fault in _refusal(blank_db)


def test_unfit_host__mended_and_tried_again(blank_db: Clone) -> None:
    """After a refusal nothing is there, and the same command does all of it."""
    _as_owner(blank_db, "create table public.user_memory (id bigint primary key, user_id uuid)")
    _refusal(blank_db)
    _as_owner(blank_db, "drop table public.user_memory")
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
