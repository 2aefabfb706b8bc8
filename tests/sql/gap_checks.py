"""Runs our own gap checks, as an operator would: every file of ``sql/checks``, one query each."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import psycopg

_FOLDER = Path(__file__).parents[2] / "sql" / "checks"
INVARIANTS = _FOLDER / "invariants.sql"
CHECKS = sorted(set(_FOLDER.glob("*.sql")) - {INVARIANTS})


def names(*files: Path) -> set[str]:
    """Every gap the checks can name."""
    return {
        name for file in files or CHECKS for name in re.findall(r"^select '([a-z_]+)'", file.read_text(), re.MULTILINE)
    }


def gaps(connection: psycopg.Connection[Any], *files: Path) -> list[tuple[str, str, str]]:
    """What the checks find in this transaction: the check, the object, and what is wrong with it."""
    found: list[tuple[str, str, str]] = []
    for file in files or CHECKS:
        cursor = psycopg.ClientCursor(connection, row_factory=psycopg.rows.tuple_row)
        found += cursor.execute(file.read_bytes()).fetchall()
    return found
