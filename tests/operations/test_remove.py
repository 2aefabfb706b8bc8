"""``keepsake remove`` leaves the catalog as it was before, and Keepsake can be installed again."""

from __future__ import annotations

from pathlib import Path

import pytest

from keepsake.errors import NotFound
from keepsake.operations.adoption.known import Known
from keepsake.operations.migrate import migrate
from keepsake.operations.removal.remove import read_installation, remove, write_removal
from tests.fixtures.db import Clone
from tests.fixtures.scene import Scene
from tests.operations.test_adopt import ADA, OTHER_NAMES, PEOPLE, VERCEL, adopted, agree, run
from tests.operations.test_adopt_copies import NEXT_AUTH, SOFT

CATALOG = """
select 'schema ' || n.nspname || ' ' || coalesce(n.nspacl::text, '') as entry from pg_namespace as n
where n.nspname not like 'pg\\_%%' and n.nspname <> 'supabase_migrations'
union all select 'relation ' || c.oid::regclass || ' ' || c.relkind::text || ' '
  || c.relrowsecurity::text || c.relforcerowsecurity::text
  || coalesce(array_to_string(array(select a::text from unnest(c.relacl) as a order by 1), ' '), '')
from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
where n.nspname not like 'pg\\_%%' and n.nspname not in ('information_schema', 'supabase_migrations')
union all select 'column ' || a.attrelid::regclass || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
  || coalesce(a.attacl::text, '') || a.attnotnull::text || coalesce(pg_get_expr(d.adbin, d.adrelid), '')
from pg_attribute as a
join pg_class as c on c.oid = a.attrelid and c.relkind in ('r', 'p', 'v')
join pg_namespace as n on n.oid = c.relnamespace
left join pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
where a.attnum > 0 and not a.attisdropped and n.nspname not like 'pg\\_%%'
  and n.nspname not in ('information_schema', 'supabase_migrations')
union all select 'constraint ' || c.conrelid::regclass || ' ' || c.conname || pg_get_constraintdef(c.oid)
from pg_constraint as c join pg_namespace as n on n.oid = c.connamespace
where c.conrelid <> 0 and n.nspname not in ('pg_catalog', 'information_schema', 'supabase_migrations')
union all select 'trigger ' || t.tgrelid::regclass || ' ' || t.tgname from pg_trigger as t where not t.tgisinternal
union all select 'policy ' || p.polrelid::regclass || ' ' || p.polname from pg_policy as p
union all select 'function ' || p.oid::regprocedure || coalesce(p.proacl::text, '') from pg_proc as p
join pg_namespace as n on n.oid = p.pronamespace where n.nspname not in ('pg_catalog', 'information_schema')
union all select 'type ' || t.oid::regtype from pg_type as t join pg_namespace as n on n.oid = t.typnamespace
where n.nspname not like 'pg\\_%%' and n.nspname not in ('information_schema', 'supabase_migrations')
union all select 'published ' || p.prrelid::regclass from pg_publication_rel as p
union all select 'default ' || d.defaclobjtype::text || d.defaclnamespace::regnamespace::text || d.defaclacl::text
from pg_default_acl as d
order by 1
"""
"""Everything that an installation could leave behind. Extensions and roles are of the whole server."""


def catalog(db: Clone) -> list[str]:
    """The entries of the catalog."""
    return [row["entry"] for row in db.all(CATALOG)]


def removed(db: Clone) -> str:
    """Remove Keepsake, and return what was said."""
    said: list[str] = []
    remove(db.owner_url, said.append)
    return "\n".join(said)


@pytest.mark.parametrize(
    "tables, known",
    [
        (PEOPLE + VERCEL, Known()),
        (PEOPLE + SOFT, Known()),
        (NEXT_AUTH + f"insert into next_auth.users values ('{ADA}', 'Ada')", Known(may_add_people=True)),
        (OTHER_NAMES, Known({"chats.owner": "account"}, may_add_people=True)),
        ("", None),
    ],
    ids=["uuids", "soft deletes", "Auth.js", "other keys", "no chats"],
)
def test_removed__the_catalog_is_as_before_and_adopting_again_works(
    host_db: Clone, tmp_path: Path, tables: str, known: Known | None
) -> None:
    """Nothing of Keepsake is left in the schemas, tables, functions, policies, triggers, types and publications."""
    db = host_db
    if tables:
        run(db, tables)
    before = catalog(db)
    people = db.all("select id from auth.users")
    for again in ("first", "second"):
        folder = tmp_path / again
        folder.mkdir()
        if known is None:
            migrate(db.owner_url)
        else:
            adopted(db, folder, known)
        assert catalog(db) != before
        if "owner_id" in tables:
            run(db, f"insert into public.chats (owner_id) values ('{ADA}')")
            agree(db)
        assert "Keepsake is removed." in removed(db)
        assert catalog(db) == before
        assert db.all("select id from auth.users") == people
        assert db.all("select from supabase_migrations.schema_migrations") == []
    with pytest.raises(NotFound):
        read_installation(db.owner_url)


async def test_chats_of_the_application_itself__stay(scene: Scene) -> None:
    """Where the application keeps its chats in Keepsake's tables, only what is remembered goes."""
    await scene.tell("I live in Graz.")
    installed = read_installation(scene.db.owner_url)
    assert (installed.people, installed.has_copies) == (1, False)
    assert {"conversations", "messages"} <= set(installed.filled)
    assert "2 memories" in "\n".join(installed.lines())
    assert "public.messages holds rows of the application and stays" in removed(scene.db)
    assert [row["content"] for row in scene.db.all("select content from public.messages")] == ["I live in Graz."]


def test_written_as_a_migration__does_the_same(host_db: Clone, tmp_path: Path) -> None:
    db = host_db
    run(db, PEOPLE + VERCEL)
    before = catalog(db)
    adopted(db, tmp_path)
    run(db, write_removal(tmp_path).read_text())
    assert catalog(db) == before
