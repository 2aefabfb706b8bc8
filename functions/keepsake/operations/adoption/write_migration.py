"""Writes the migration of an application that adopts Keepsake, which runs after Keepsake's own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib.resources import files

from keepsake.operations.adoption.expressions import expressions
from keepsake.operations.adoption.recognize import AuthorWords, ChatTables

_PLACE = re.compile(r"\{([a-z_]+)\}")


def write_migration(found: ChatTables, words: AuthorWords, *, writes_meta: bool = False) -> str:
    """Write the statements: nothing is added to the application's tables but triggers, which copy."""
    values = expressions(found, words)
    values["old_messages"] = _fill("old_messages", values).rstrip("\n")
    copied_messages = "copied_history" if found.history else "copied_messages"
    parts = ["shared", "failures", "copied_chats", copied_messages, "repair"]
    if values["people_table"]:
        parts.append("deleted_people")
    if writes_meta:
        parts.append("written_meta")
    return "".join(_fill(part, values) for part in (*parts, "agreement"))


def _fill(template: str, values: Mapping[str, str]) -> str:
    source = files("keepsake.operations.adoption").joinpath(f"{template}.sql").read_text(encoding="utf-8")
    return _PLACE.sub(lambda match: values[match[1]], source)
