"""No merged migration is edited, renamed or removed, and no new one is forgotten in ``frozen.txt``."""

from __future__ import annotations

import re
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from keepsake.infra.package_files import MIGRATIONS
from tests.migrations.frozen import FROZEN, freeze, problems, read
from tests.migrations.supabase_cli import FILES, VERSIONS


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the migrations that a test may break."""
    return Path(shutil.copytree(MIGRATIONS, tmp_path / "migrations"))


def test_frozen__every_migration_is_as_it_was_merged() -> None:
    assert list(problems(MIGRATIONS)) == []


def test_frozen__an_edit_is_found(copy: Path) -> None:
    (copy / FILES[3]).write_text((copy / FILES[3]).read_text() + "\n-- one comment more\n")
    assert [problem.split()[0] for problem in problems(copy)] == [FILES[3]]


def test_frozen__a_removed_and_a_renamed_file_are_found(copy: Path) -> None:
    (copy / FILES[0]).unlink()
    (copy / FILES[1]).rename(copy / "20991231235900_renamed.sql")
    found = {problem.split(" ", 1)[0]: problem for problem in problems(copy)}
    assert found.keys() == {FILES[0], FILES[1], "20991231235900_renamed.sql"}
    assert "python -m tests.migrations.freeze" in found["20991231235900_renamed.sql"]


def test_freeze__appends_what_is_new_and_hides_no_edit(copy: Path, tmp_path: Path) -> None:
    """The command lists a new file; an edited one stays a problem."""
    frozen = tmp_path / "frozen.txt"
    frozen.write_text(FROZEN.read_text())
    (copy / FILES[2]).write_text("-- edited\n")
    (copy / "20991231235900_new.sql").write_text("-- new\n")
    assert freeze(copy, frozen) == ["20991231235900_new.sql"]
    assert frozen.read_text().startswith(FROZEN.read_text())
    assert [problem.split()[0] for problem in problems(copy, frozen)] == [FILES[2]]


def test_frozen__is_in_the_order_in_which_files_apply() -> None:
    assert list(read()) == FILES


def test_versions__are_unique_ascending_times() -> None:
    """As the Supabase CLI makes them: 14 digits that are a moment."""
    assert sorted(set(VERSIONS)) == VERSIONS
    for version in VERSIONS:
        assert re.fullmatch(r"\d{14}", version)
        assert datetime.strptime(version, "%Y%m%d%H%M%S").replace(tzinfo=UTC) > datetime(2026, 1, 1, tzinfo=UTC)
