"""What the bootstrap lays is what a hosted Supabase project has, and laying it again changes nothing."""

from __future__ import annotations

from uuid import uuid4

import psycopg
import pytest

from keepsake.local.servers.create_supabase_roles import OWNER, bootstrap
from tests.fixtures.db import Clone

EVERYTHING = """
select 'role', rolname, row(r.*)::text from pg_roles r where rolname !~ '^pg_'
union all select 'schema', nspname, nspowner::regrole || coalesce(nspacl::text, '')
  from pg_namespace where nspname !~ '^pg_'
union all select 'relation', c.oid::regclass::text, relowner::regrole || coalesce(relacl::text, '')
  from pg_class c where relnamespace in ('auth'::regnamespace, 'public'::regnamespace)
union all select 'function', p.oid::regprocedure::text, proowner::regrole || prosrc
  from pg_proc p where pronamespace in ('auth'::regnamespace, 'public'::regnamespace)
union all select 'trigger', evtname, evtevent from pg_event_trigger
union all select 'member', roleid::regrole::text, member::regrole || admin_option::text from pg_auth_members
order by 1, 2, 3
"""


def test_bootstrap__twice_is_once(unmigrated_db: Clone) -> None:
    before = unmigrated_db.all(EVERYTHING)
    bootstrap(unmigrated_db.superuser_url)
    assert unmigrated_db.all(EVERYTHING) == before


@pytest.mark.parametrize(
    "role, attributes",
    [
        (OWNER, {"rolsuper": False, "rolcreaterole": True, "rolbypassrls": True, "rolcanlogin": True}),
        ("anon", {"rolsuper": False, "rolcreaterole": False, "rolbypassrls": False, "rolcanlogin": False}),
        ("authenticated", {"rolsuper": False, "rolcreaterole": False, "rolbypassrls": False, "rolcanlogin": False}),
        ("service_role", {"rolsuper": False, "rolcreaterole": False, "rolbypassrls": True, "rolcanlogin": False}),
        ("authenticator", {"rolsuper": False, "rolinherit": False, "rolbypassrls": False, "rolcanlogin": True}),
    ],
)
def test_roles__have_the_powers_they_have_on_supabase(blank_db: Clone, role: str, attributes: dict[str, bool]) -> None:
    row = blank_db.one("select * from pg_roles where rolname = %s", (role,))
    assert {name: row[name] for name in attributes} == attributes


def test_authenticator__can_do_nothing_until_it_becomes_somebody(blank_db: Clone) -> None:
    blank_db.run("create table public.thing (); grant select on public.thing to anon")
    with (
        psycopg.connect(blank_db.authenticator_url) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute("select from public.thing")
    with blank_db.as_anon() as connection:
        connection.execute("select from public.thing")


@pytest.mark.parametrize("claims", [None, ""])
def test_uid__outside_a_request_is_nobody(blank_db: Clone, claims: str | None) -> None:
    with blank_db.as_superuser() as connection:
        if claims is not None:
            connection.execute("select set_config('request.jwt.claims', %s, true)", (claims,))
        row = connection.execute("select auth.uid(), auth.role(), auth.jwt(), auth.email()").fetchone()
    assert row
    assert set(row.values()) == {None}


def test_uid__is_the_person_of_the_request(blank_db: Clone) -> None:
    ada = uuid4()
    with blank_db.as_person(ada, email="ada@example.com") as connection:
        row = connection.execute("select auth.uid() as id, auth.role() as role, auth.email() as email").fetchone()
    assert row == {"id": ada, "role": "authenticated", "email": "ada@example.com"}


def test_owner__works_as_on_supabase(blank_db: Clone) -> None:
    """It makes schemas, tables that point at users, and roles; it is no superuser."""
    with blank_db.as_owner() as connection:
        connection.execute("create schema host; create table host.note (user_id uuid references auth.users (id))")
        connection.execute(
            "grant service_role to authenticator; alter publication supabase_realtime add table host.note"
        )
    with blank_db.as_owner() as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("alter role service_role superuser")


def test_new_tables__are_granted_to_nobody_unless_the_project_is_old(unmigrated_db: Clone) -> None:
    with unmigrated_db.as_owner() as connection:
        connection.execute("create table public.thing ()")
    old = unmigrated_db.value("select count(*) > 0 from pg_default_acl")
    assert unmigrated_db.value("select has_table_privilege('anon', 'public.thing', 'insert')") == old
