"""The fixtures keep what they promise: a database for each test, and the right person in it."""

from __future__ import annotations

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from keepsake.infra.database import Database
from tests.fixtures.db import Clone, CloneOfMany, clone
from tests.fixtures.people import LONG_AGO, People
from tests.fixtures.rest import Rest
from tests.fixtures.servers import Cluster

CHANGES = {
    "rows": "insert into auth.users (id) values (gen_random_uuid())",
    "a table": "create table public.more as select 1 as one",
    "a column": "alter table public.messages alter column role set default 'user'",
    "a grant": "grant select (id) on auth.users to anon",
    "a function": "drop function public.restore_memory",
    "a policy": 'alter policy "People see their own memories" on public.user_memory using (true)',
    "statistics": "insert into auth.users (id) values (gen_random_uuid()); analyze auth.users",
    "a migration": "delete from supabase_migrations.schema_migrations",
    "a setting": "alter database {} set jit = off",
    "a number": "select nextval('keepsake.procrastinate_jobs_id_seq')",
}
STATE = """
select (select count(*) from auth.users) as users, to_regclass('public.more') as more,
  (select count(*) from pg_attrdef) as defaults, (select count(*) from pg_attribute where attacl is not null) as grants,
  to_regproc('public.restore_memory')::text as function,
  (select md5(string_agg(polqual::text, '')) from pg_policy) as policies,
  (select count(*) from pg_stats where schemaname = 'auth') as statistics,
  (select count(*) from supabase_migrations.schema_migrations) as migrations,
  (select count(*) from pg_db_role_setting where setdatabase <> 0) as settings,
  (select last_value from pg_sequences where sequencename = 'procrastinate_jobs_id_seq') as number
"""


@pytest.mark.parametrize("change", CHANGES)
def test_database__the_next_test_finds_it_as_the_migrations_left_it(
    clone_of_many: CloneOfMany, cluster: Cluster, template: str, change: str
) -> None:
    """Whatever a test does to its database, and even where it leaves a transaction open."""
    with clone(cluster, template) as new:
        expected = new.one(STATE)
    with clone_of_many.borrowed() as db:
        for statement in CHANGES[change].split("; "):
            db.run(statement.replace("{}", db.name))
        left = psycopg.connect(db.superuser_url)
        left.execute("insert into auth.users (id) values (gen_random_uuid())")
        assert db.one(STATE) != expected
    with clone_of_many.borrowed() as db:
        assert db.one(STATE) == expected
    left.close()


def test_database__the_owner_is_no_superuser(db: Clone) -> None:
    """The migrations are tested with the rights they have on hosted Supabase, not with all of them."""
    with db.as_owner() as owner:
        assert owner.execute("select usesuper from pg_user where usename = current_user").fetchone() == {
            "usesuper": False
        }


def test_database__a_transaction_as_somebody_has_their_role_and_claims(db: Clone) -> None:
    """`as_person`, `as_service` and `as_anon` are who they say."""
    user_id = db.value("insert into auth.users (id) values (gen_random_uuid()) returning id")
    with db.as_person(user_id) as person:
        row = person.execute("select current_user::text as role, auth.uid() as uid").fetchone()
        assert row == {"role": "authenticated", "uid": user_id}
    with db.as_service() as service:
        assert service.execute("select current_user::text as role").fetchone() == {"role": "service_role"}
    with db.as_anon() as anon, pytest.raises(InsufficientPrivilege):
        anon.execute("select * from auth.users")


def test_unmigrated_database__is_there_on_every_version(unmigrated_db: Clone) -> None:
    """Postgres 16 and 18 always, 15 where the machine has it; with and without the old default grants."""
    version = unmigrated_db.value("select current_setting('server_version_num')::int / 10000 as version")
    assert version == unmigrated_db.cluster.version
    assert unmigrated_db.value("select to_regclass('auth.users') is not null as there")


def test_rest__sees_the_tests_own_database(db: Clone, rest: Rest, people: People) -> None:
    """PostgREST answers from the clone, as whoever the client is."""
    ada, ben = people.person("Ada"), people.person("Ben")
    read = {"select": "name"}
    assert rest.as_person(ada.user_id).get("/user_profile_list", params=read).json() == [{"name": "Ada"}]
    assert rest.as_person(ben.user_id).get("/user_profile_list", params=read).json() == [{"name": "Ben"}]
    assert rest.as_anon().get("/user_profile_list").status_code == 401
    assert len(rest.as_service().get("/user_profile_list").json()) == db.value("select count(*) from auth.users") == 2


async def test_database__the_functions_reach_it_as_the_person(database: Database, people: People) -> None:
    """The functions' own pool logs in to the clone and is the person there."""
    ada = people.person("Ada")
    async with database.as_user(ada.identity) as connection:
        row = await (await connection.execute("select auth.uid() as uid, session_user::text as login")).fetchone()
    assert row == {"uid": ada.user_id, "login": "keepsake_api"}


def test_people__talk_in_a_conversation_that_remembers(db: Clone, people: People) -> None:
    """Two people with their profiles chosen, a question, an answer."""
    ada, ben = people.person("Ada"), people.person("Ben")
    conversation_id = people.conversation(ada, ben, mode="together")
    people.says(ada, conversation_id, "My favourite food is ramen.")
    people.answers(conversation_id, "Noted.")
    assert db.value("select count(*) from messages where conversation_id = %s", (conversation_id,)) == 2
    choices = db.all("select user_id, profile_id, remember_since from conversations_participants")
    assert {row["user_id"]: row["profile_id"] for row in choices} == {p.user_id: p.profile_id for p in (ada, ben)}
    assert {row["remember_since"] for row in choices} == {LONG_AGO}
    people.memory(ada, "Favorite food is ramen")
    assert "Favorite food is ramen" in people.memories(ada)
