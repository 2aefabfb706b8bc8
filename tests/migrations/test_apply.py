"""The migrations apply on every supported Postgres, by either tool and by both in turn, and then never again."""

from __future__ import annotations

from pathlib import Path

from keepsake.operations.migrate import migrate
from tests.fixtures.db import Clone, bootstrapped, clone
from tests.fixtures.servers import Cluster
from tests.migrations.catalog import catalog
from tests.migrations.supabase_cli import FILES, VERSIONS, add_later, migration_up, project
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


def test_supabase_cli__then_ours(blank_db: Clone, tmp_path: Path) -> None:
    """What the Supabase CLI began, our command ends."""
    folder = project(tmp_path)
    done = migration_up(folder, blank_db.owner_url)
    assert done.returncode == 0, done.stderr
    later = add_later(folder)
    assert migrate(blank_db.owner_url, directory=folder / "supabase" / "migrations") == [later.split("_")[0]]


def test_migrate__then_supabase_cli(blank_db: Clone, tmp_path: Path) -> None:
    """What our command began, the Supabase CLI ends; the history reads as if one had done it all."""
    folder = project(tmp_path)
    migrate(blank_db.owner_url, directory=folder / "supabase" / "migrations")
    files = [*FILES, add_later(folder)]
    done = migration_up(folder, blank_db.owner_url)
    assert done.returncode == 0, done.stderr
    assert [tuple(row.values()) for row in blank_db.all(HISTORY)] == [
        tuple(name.removesuffix(".sql").split("_", 1)) for name in files
    ]


def test_migrate__both_tools_make_the_same_schema(cluster: Cluster, blank_db: Clone, tmp_path: Path) -> None:
    """Not a column, grant, policy or comment differs between the two."""
    with clone(cluster, bootstrapped(cluster, legacy_grants=False)) as other:
        migrate(blank_db.owner_url)
        migration_up(project(tmp_path), other.owner_url)
        assert catalog(blank_db) == catalog(other) != []


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
            seen.append(catalog(project_db))
    assert seen[0] == seen[1]
