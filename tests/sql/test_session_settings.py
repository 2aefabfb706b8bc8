"""The table of session settings at the top of the audit log is complete: who sets each, and who reads it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from keepsake.infra.package_files import SQL_FOLDER, schema_files

_FUNCTION = re.compile(r"create (?:or replace )?function \w+\.(\w+)")
_USE = re.compile(r"(set_config|current_setting)\('keepsake\.(\w+)'")


def uses() -> Iterator[tuple[str, str, str]]:
    """Each use as (what is called, setting, who calls: a function, or a file of queries)."""
    for path in schema_files():
        function = ""
        for line in path.read_text().splitlines():
            function = made[1] if (made := _FUNCTION.search(line)) else function
            yield from ((call, setting, function) for call, setting in _USE.findall(line))
    for path in sorted(SQL_FOLDER.glob("*.sql")):
        yield from ((call, setting, f"sql/{path.stem}") for call, setting in _USE.findall(path.read_text()))


def documented(text: str) -> dict[str, dict[str, str]]:
    """By setting, the words of its row under `set by` and `read by`; "the same" refers to the row above."""
    rows: list[list[str]] = []
    for line in re.findall(r"^-- \| (.*) \|$", text, re.MULTILINE):
        cells = [cell.strip() for cell in line.split(" | ")]
        if cells[0] == "setting" or cells[0].startswith("---"):
            continue
        if cells[0]:
            rows.append(cells)
        else:
            rows[-1] = [f"{before} {more}".strip() for before, more in zip(rows[-1], cells, strict=True)]
    found: dict[str, dict[str, str]] = {}
    above = ""
    for names, set_by, read_by in rows:
        above = f"{above} {set_by}" if set_by.startswith("the same") else set_by
        for name in re.findall(r"keepsake\.(\w+)", names):
            row = found.setdefault(name, {"set_config": "", "current_setting": ""})
            row["set_config"] += f" {above}"
            row["current_setting"] += f" {read_by}"
    return found


def missing(text: str) -> list[str]:
    """What the table does not say."""
    table = documented(text)
    return [
        f"{setting}: {who} ({call})"
        for call, setting, who in sorted(set(uses()))
        if not re.search(rf"{who}\b", table.get(setting, {}).get(call, ""))
    ]


def page() -> str:
    """The schema file that contains the table."""
    return next(path.read_text() for path in schema_files() if path.name == "changes.sql")


def test_session_settings__are_all_in_the_table() -> None:
    assert missing(page()) == []
    assert documented(page()).keys() == {setting for _, setting, _ in uses()}


def test_session_settings__a_forgotten_reader_is_found() -> None:
    """The check above can fail."""
    assert missing(page().replace("sync_fold_members:", "")) == ["raw_write: sync_fold_members (current_setting)"]
