"""Every test that the tables of attacks and of faults name exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGE, ROOT

ATTACKS, FAULTS = ROOT / "tests" / "rest" / "README.md", ROOT / "tests" / "faults" / "README.md"
NAME = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
MODULE = re.compile(r"`((?:[a-z]\w*/)+\w+\.(?:py|sql))`")
NUMBER = re.compile(r"^\| D(\d+): ", re.MULTILINE)


def _is_there(path: str, name: str) -> bool:
    file = ROOT / path
    return file.is_file() and re.search(rf"^(?:async )?def {name}\(", file.read_text(), re.MULTILINE) is not None


@pytest.mark.parametrize("table, rows_at_least", [(ATTACKS, 30), (FAULTS, 18)], ids=["attacks", "faults"])
def test_table__names_tests_that_exist(table: Path, rows_at_least: int) -> None:
    text = table.read_text()
    rows = [line for line in text.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= rows_at_least
    assert [row for row in rows if not NAME.search(row)] == []
    assert [named for named in NAME.findall(text) if not _is_there(*named)] == []


def test_table_of_faults__has_each_defect() -> None:
    text = FAULTS.read_text()
    assert {int(number) for number in NUMBER.findall(text)} == set(range(1, 19))
    modules = MODULE.findall(text)
    assert len(modules) > 18
    assert [path for path in modules if not any((folder / path).is_file() for folder in (ROOT, PACKAGE))] == []


def test_table__a_test_that_is_gone_is_found() -> None:
    assert not _is_there("tests/architecture/test_tables_of_tests.py", "test_nothing")
    assert not _is_there("tests/architecture/test_nothing.py", "test_nothing")
