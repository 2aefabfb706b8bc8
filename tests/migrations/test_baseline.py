"""The baseline migration is made from the schema files, and gives the same database as they do."""

from __future__ import annotations

import shutil
from pathlib import Path

import psycopg
import pytest

from keepsake.infra.package_files import ROOT, schema_files
from keepsake.operations.migrate import migrate
from tests.fixtures.db import Clone, bootstrapped, clone
from tests.fixtures.servers import Cluster
from tests.migrations.baseline import BASELINE, baseline, write
from tests.migrations.catalog import catalog
from tests.migrations.frozen import freeze, read

PLANTED = {
    "a column": ("importance smallint not null default 1", "importance smallint not null default 2"),
    "a constraint": ("check (importance between 0 and 3)", "check (importance between 0 and 4)"),
    "a right": ("grant update (memory_text, pinned,", "grant update (memory_text, value, pinned,"),
    "an index": ("on public.user_memory (user_id, created_at desc)", "on public.user_memory (user_id, created_at)"),
    "a policy": ('"People see their own memories"', '"People see all of their memories"'),
    "a function": ("new.confidence_score := 1.0;", "new.confidence_score := 0.9;"),
    "a trigger": ("keepsake_10_number before insert", "keepsake_11_number before insert"),
    "a comment": ("is 'The person''s own words it rests on.'", "is 'The words it rests on.'"),
    "row security": ("enable row level security, force row level security", "enable row level security"),
}


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """A copy of the schema files that a test may change."""
    shutil.copytree(ROOT / "supabase" / "schemas", tmp_path / "schemas")
    return Path(shutil.copy(ROOT / "supabase" / "config.toml", tmp_path))


def test_schema_files__are_all_in_the_config() -> None:
    """A file that is not listed would never run."""
    assert sorted(schema_files()) == sorted((ROOT / "supabase" / "schemas").glob("*.sql"))


def test_schema_files__are_read_alike() -> None:
    """Each begins with what it is about, and has under 500 lines, but for the job queue's own."""
    for path in schema_files():
        lines = path.read_text().splitlines()
        assert lines[0].startswith("-- "), path.name
        assert len(lines) < 500 or path.name == "procrastinate.sql", path.name


def test_baseline__is_current() -> None:
    """Until it is released, it is written anew with each change: `make contract`."""
    assert BASELINE.name in read() or BASELINE.read_text() == baseline()


def test_baseline__is_bounded() -> None:
    assert len(BASELINE.read_text().splitlines()) <= 5500


def test_baseline__follows_the_schema_until_it_is_released(config: Path, tmp_path: Path) -> None:
    target, frozen = tmp_path / BASELINE.name, tmp_path / "frozen.txt"
    assert write(config, target, frozen)
    assert not write(config, target, frozen)
    _plant(config, *PLANTED["a column"])
    assert write(config, target, frozen)
    (tmp_path / "released").mkdir()
    freeze(Path(shutil.copy(target, tmp_path / "released")).parent, frozen)
    _plant(config, *PLANTED["a comment"])
    assert not write(config, target, frozen)


def test_schema__is_that_of_the_migrations(cluster: Cluster, blank_db: Clone) -> None:
    """The files of supabase/schemas, run in their order, make what the migrations make."""
    with clone(cluster, bootstrapped(cluster, legacy_grants=False)) as other:
        migrate(other.owner_url)
        _run_schema(blank_db)
        assert catalog(blank_db) == catalog(other)


def test_schema__each_kind_of_difference_is_found(cluster: Cluster, db: Clone, config: Path) -> None:
    """A difference planted in the schema files is one in the catalog."""
    expected = catalog(db)
    for old, new in PLANTED.values():
        _plant(config, old, new)
    with clone(cluster, bootstrapped(cluster, legacy_grants=False)) as changed:
        _run_schema(changed, config)
        found = set(catalog(changed)) ^ set(expected)
    kinds = {line.split(" | ")[0] for line in found}
    assert kinds == {"column", "constraint", "relation", "index", "policy", "function", "trigger"}
    assert any("value" in line and "authenticated=w" in line for line in found), "a right"
    assert any("The words it rests on." in line for line in found), "a comment"


def _plant(config: Path, old: str, new: str) -> None:
    memories = config.parent / "schemas" / "memories.sql"
    text = memories.read_text()
    assert text.count(old) == 1, old
    memories.write_text(text.replace(old, new))


def _run_schema(db: Clone, config: Path | None = None) -> None:
    files = schema_files(config) if config else schema_files()
    with psycopg.connect(db.owner_url) as owner:
        for path in files:
            owner.execute(path.read_bytes())
