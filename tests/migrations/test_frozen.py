"""From the first release on no migration is edited, renamed or removed, and none is forgotten in ``frozen.txt``."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from keepsake.infra.package_files import MIGRATIONS
from tests.migrations.frozen import freeze, problems, read
from tests.migrations.supabase_cli import FILES, VERSIONS

FIRST, SECOND, THIRD = (f"2026010{number}000000_step.sql" for number in (1, 2, 3))
NEW = "20991231235900_new.sql"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three migrations, for a test that may break them."""
    folder = tmp_path / "migrations"
    folder.mkdir()
    for name in (FIRST, SECOND, THIRD):
        (folder / name).write_text(f"-- {name}\n")
    return folder


@pytest.fixture
def frozen(folder: Path, tmp_path: Path) -> Path:
    """The list that holds the three, as after a release."""
    listed = tmp_path / "frozen.txt"
    freeze(folder, listed)
    return listed


def test_frozen__every_migration_is_as_it_was_released() -> None:
    assert list(problems(MIGRATIONS)) == []
    assert list(read()) == FILES[: len(read())]


def test_frozen__nothing_is_before_the_first_release(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    assert list(problems(folder, tmp_path / "empty.txt")) == []


def test_frozen__an_edit_is_found(folder: Path, frozen: Path) -> None:
    assert list(problems(folder, frozen)) == []
    (folder / SECOND).write_text("-- one comment more\n")
    assert [problem.split()[0] for problem in problems(folder, frozen)] == [SECOND]


def test_frozen__a_removed_and_a_renamed_file_are_found(folder: Path, frozen: Path) -> None:
    (folder / FIRST).unlink()
    (folder / SECOND).rename(folder / NEW)
    found = {problem.split()[0]: problem for problem in problems(folder, frozen)}
    assert found.keys() == {FIRST, SECOND, NEW}
    assert "python -m tests.migrations.freeze" in found[NEW]


def test_freeze__appends_what_is_new_and_hides_no_edit(folder: Path, frozen: Path) -> None:
    """The command lists a new file; an edited one stays a problem."""
    before = frozen.read_text()
    (folder / THIRD).write_text("-- edited\n")
    (folder / NEW).write_text("-- new\n")
    assert freeze(folder, frozen) == [NEW]
    assert frozen.read_text().startswith(before)
    assert [problem.split()[0] for problem in problems(folder, frozen)] == [THIRD]


def test_versions__are_unique_ascending_times_of_the_past() -> None:
    """As the Supabase CLI makes them, 14 digits that are a moment: a team's next migration comes after them."""
    assert sorted(set(VERSIONS)) == VERSIONS
    for version in VERSIONS:
        assert re.fullmatch(r"\d{14}", version)
        moment = datetime.strptime(version, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
        assert datetime(2026, 1, 1, tzinfo=UTC) < moment < datetime.now(UTC)
