"""Every test that the table of attacks names exists."""

from __future__ import annotations

import re

from tests.architecture.source import ROOT

TABLE = ROOT / "docs" / "security-tests.md"
NAME = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


def _named() -> list[tuple[str, str]]:
    return NAME.findall(TABLE.read_text())


def _is_there(path: str, name: str) -> bool:
    file = ROOT / path
    return file.is_file() and re.search(rf"^(?:async )?def {name}\(", file.read_text(), re.MULTILINE) is not None


def test_table_of_attacks__names_tests_that_exist() -> None:
    rows = [line for line in TABLE.read_text().splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 30
    assert [row for row in rows if not NAME.search(row)] == []
    assert [named for named in _named() if not _is_there(*named)] == []


def test_table_of_attacks__a_test_that_is_gone_is_found() -> None:
    assert not _is_there("tests/architecture/test_security_table.py", "test_nothing")
    assert not _is_there("tests/architecture/test_nothing.py", "test_nothing")
