"""supabase/schemas/README.md names every schema file, and every table and column that a person can write."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from keepsake.infra.package_files import schema_files
from tests.architecture.source import ROOT

PAGE = (ROOT / "supabase" / "schemas" / "README.md").read_text(encoding="utf-8")
ACCESS: Mapping[str, Any] = json.loads((ROOT / "frontend_contract" / "browser_access.json").read_text(encoding="utf-8"))
"""What the database grants; the tests of the contract keep it current."""


def rows(heading: str) -> list[list[str]]:
    """The cells of the table in a section, without its head."""
    section = PAGE.split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("|")]
    return lines[2:]


def columns(cell: str) -> list[str]:
    """The columns that a cell lists."""
    return re.findall(r"`(\w+)`", cell)


def test_page__names_every_file() -> None:
    named = re.findall(r"`(\w+\.sql)`", PAGE.split("## What a person can write")[0])
    assert sorted({*named}) == sorted(path.name for path in schema_files())


def test_page__says_what_a_person_can_write() -> None:
    tables = ACCESS["authenticated"]["tables"]
    told = {
        name.strip("`"): {
            "insert": columns(insert),
            "update": columns(update),
            "delete": delete == "yes",
        }
        for name, _, insert, update, delete in rows("What a person can write")
    }
    granted = {name: {key: table[key] for key in ("insert", "update", "delete")} for name, table in tables.items()}
    assert told == {name: rights for name, rights in granted.items() if any(rights.values())}
