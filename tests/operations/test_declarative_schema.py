"""A project that declares its schema in files has Keepsake's part beside it, and a diff finds nothing to do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from keepsake.errors import NotFound
from keepsake.operations.declarative_schema import write_schema
from keepsake.operations.migrate import migrate
from tests.architecture.source import ROOT
from tests.fixtures.db import Clone, bootstrapped, clone
from tests.fixtures.servers import Cluster
from tests.migrations.supabase_cli import project, schema_difference

HOST = (ROOT / "tests" / "migrations" / "conforming_host.sql").read_bytes()


@pytest.fixture
def declared(cluster: Cluster) -> Iterator[Clone]:
    """The database that holds what an application's files declare."""
    with clone(cluster, bootstrapped(cluster, legacy_grants=False)) as made:
        yield made


def _run(db: Clone, *scripts: bytes) -> None:
    with psycopg.connect(db.owner_url) as owner:
        for script in scripts:
            owner.execute(script)


@pytest.mark.parametrize("of_application", [b"", HOST], ids=["no tables", "tables of its own"])
def test_declared_schema__differs_in_nothing(
    blank_db: Clone, declared: Clone, tmp_path: Path, of_application: bytes
) -> None:
    """What the migrations made of a database is what the written file declares, by the real Supabase CLI."""
    if of_application:
        _run(blank_db, of_application)
    migrate(blank_db.owner_url)
    _run(declared, *filter(None, [of_application]), write_schema(tmp_path).read_bytes())
    assert schema_difference(project(tmp_path), blank_db.owner_url, declared.owner_url) == ""


def test_declared_schema__of_a_release_before(db: Clone, declared: Clone, tmp_path: Path) -> None:
    """A file from before an upgrade is found, and only with what the upgrade changed."""
    written = write_schema(tmp_path).read_text()
    assert written.count("  restated_at timestamptz,\n") == 1
    _run(
        declared, written.replace("  restated_at timestamptz,\n", "  restated_at timestamptz,\n  more text,\n").encode()
    )
    difference = schema_difference(project(tmp_path), db.owner_url, declared.owner_url)
    assert "DROP" not in difference
    assert '"more" text' in difference


def test_project_without_keepsakes_file__would_drop_it(db: Clone, declared: Clone, tmp_path: Path) -> None:
    """The comparison is not empty because nobody looked."""
    difference = schema_difference(project(tmp_path), db.owner_url, declared.owner_url)
    assert 'DROP TABLE "public"."user_memory"' in difference


def test_write_schema__is_written_over_with_each_release(tmp_path: Path) -> None:
    (tmp_path / "keepsake.sql").write_text("-- of before\n")
    assert "create table public.user_memory (" in write_schema(tmp_path).read_text()


def test_write_schema__names_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="missing is no folder"):
        write_schema(tmp_path / "missing")
