"""The migrations apply on every supported Postgres, by either tool and by both in turn, and then never again."""

from __future__ import annotations

from pathlib import Path

import pytest

from keepsake.infra.package_files import MIGRATIONS
from keepsake.operations.migrate import migrate
from tests.fixtures.db import Clone, bootstrapped, clone
from tests.fixtures.servers import Cluster
from tests.migrations.supabase_cli import FILES, VERSIONS, migration_up, project
from tests.sql.gap_checks import gaps

HISTORY = "select version, name from supabase_migrations.schema_migrations order by version"


def test_migrate__empty_project(unmigrated_db: Clone) -> None:
    """Our own command applies every file once, leaves no gap, and finds nothing to do the second time."""
    assert migrate(unmigrated_db.owner_url) == VERSIONS
    with unmigrated_db.as_owner() as connection:
        assert gaps(connection) == []
    assert migrate(unmigrated_db.owner_url) == []


def test_supabase_cli__empty_project(unmigrated_db: Clone, tmp_path: Path) -> None:
    """The Supabase CLI applies every file once, leaves no gap, and finds nothing to do the second time."""
    folder = project(tmp_path)
    first = migration_up(folder, unmigrated_db.owner_url)
    assert first.returncode == 0, first.stderr
    with unmigrated_db.as_owner() as connection:
        assert gaps(connection) == []
    second = migration_up(folder, unmigrated_db.owner_url)
    assert second.returncode == 0, second.stderr
    assert "Applying" not in second.stdout + second.stderr
    assert migrate(unmigrated_db.owner_url) == []


@pytest.mark.parametrize("half", [1, len(FILES) // 2, len(FILES) - 1])
def test_supabase_cli__then_ours(blank_db: Clone, tmp_path: Path, half: int) -> None:
    """What the Supabase CLI began, our command ends."""
    done = migration_up(project(tmp_path, FILES[:half]), blank_db.owner_url)
    assert done.returncode == 0, done.stderr
    assert migrate(blank_db.owner_url) == VERSIONS[half:]


@pytest.mark.parametrize("half", [1, len(FILES) // 2, len(FILES) - 1])
def test_migrate__then_supabase_cli(blank_db: Clone, tmp_path: Path, half: int) -> None:
    """What our command began, the Supabase CLI ends; the history reads as if one had done it all."""
    folder = project(tmp_path, FILES[:half])
    migrate(blank_db.owner_url, directory=folder / "supabase" / "migrations")
    done = migration_up(project(tmp_path), blank_db.owner_url)
    assert done.returncode == 0, done.stderr
    assert [tuple(row.values()) for row in blank_db.all(HISTORY)] == [
        tuple(name.removesuffix(".sql").split("_", 1)) for name in FILES
    ]


def test_migrate__both_tools_make_the_same_schema(cluster: Cluster, blank_db: Clone, tmp_path: Path) -> None:
    """Not a column, grant, policy or comment differs between the two."""
    with clone(cluster, bootstrapped(cluster, legacy_grants=False)) as other:
        migrate(blank_db.owner_url)
        migration_up(project(tmp_path), other.owner_url)
        assert _catalogue(blank_db) == _catalogue(other) != []


def test_migrate__second_database_of_a_cluster(cluster: Cluster, db: Clone) -> None:
    """The role of the functions belongs to the cluster: a second database finds it there, and takes it as it is."""
    assert db.value("select count(*) from pg_roles where rolname = 'keepsake_api'") == 1
    with clone(cluster, bootstrapped(cluster, legacy_grants=False)) as other:
        assert migrate(other.owner_url) == VERSIONS


def test_migrations__grants_are_the_same_on_old_and_new_projects(any_cluster: Cluster) -> None:
    """Supabase's old default grants leave no trace on anything of ours."""
    seen = []
    for legacy in (False, True):
        with clone(any_cluster, bootstrapped(any_cluster, legacy_grants=legacy)) as project_db:
            migrate(project_db.owner_url)
            seen.append(_catalogue(project_db))
    assert seen[0] == seen[1]


def test_migrations__are_named_and_read_alike() -> None:
    """One feature a file: a number, a name, a first line that says what it is, and under 200 lines of our own."""
    for name in FILES:
        text = (MIGRATIONS / name).read_text()
        assert text.startswith("-- "), name
        assert len(text.splitlines()) < 200 or "procrastinate" in text, name


def _catalogue(db: Clone) -> list[tuple[object, ...]]:
    rows = db.all(
        """
        select 'column' as kind, a.attrelid::regclass || '.' || a.attname as name,
          concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attacl,
            pg_get_expr(d.adbin, d.adrelid), col_description(a.attrelid, a.attnum)) as what
        from pg_attribute as a join pg_class as c on c.oid = a.attrelid
        left join pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
        where c.relnamespace in ('public'::regnamespace, 'keepsake'::regnamespace) and a.attnum > 0
        union all
        select 'relation', c.oid::regclass::text, concat_ws(' ', c.relacl, c.relrowsecurity, c.relforcerowsecurity,
          obj_description(c.oid, 'pg_class'), pg_get_indexdef(i.indexrelid))
        from pg_class as c left join pg_index as i on i.indexrelid = c.oid
        where c.relnamespace in ('public'::regnamespace, 'keepsake'::regnamespace)
        union all
        select 'constraint', conname, conrelid::regclass || ' ' || pg_get_constraintdef(oid)
        from pg_constraint where connamespace in ('public'::regnamespace, 'keepsake'::regnamespace)
        union all
        select 'policy', polname, concat_ws(' ', polrelid::regclass, polcmd, pg_get_expr(polqual, polrelid),
          pg_get_expr(polwithcheck, polrelid))
        from pg_policy
        union all
        select 'function', oid::regprocedure::text,
          concat_ws(' ', pg_get_functiondef(oid), proacl, obj_description(oid, 'pg_proc'))
        from pg_proc where pronamespace in ('public'::regnamespace, 'keepsake'::regnamespace)
        union all
        select 'trigger', tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
        order by 1, 2, 3
        """
    )
    return [tuple(row.values()) for row in rows]
