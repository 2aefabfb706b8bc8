"""Writes the two migrations of an application that adopts Keepsake: before Keepsake's own, and after them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from keepsake.operations.adoption.expressions import expressions
from keepsake.operations.adoption.recognize import AuthorWords, ChatTables

_PLACE = re.compile(r"\{([a-z_]+)\}")


@dataclass(frozen=True, slots=True)
class Adoption:
    """The statements before Keepsake's migrations, and those after them."""

    before: str
    after: str


def write_migrations(found: ChatTables, words: AuthorWords) -> Adoption:
    """Write the statements: nothing is added to the application's tables but triggers, which copy."""
    values = expressions(found, words)
    values["old_messages"] = _fill("old_messages", values).rstrip("\n")
    parts = ["failures", "copied_chats", "copied_history" if found.history else "copied_messages", "repair"]
    if values["people_table"]:
        parts.append("deleted_people")
    return Adoption(_fill("shared", {}), "".join(_fill(part, values) for part in (*parts, "agreement")))


def _fill(template: str, values: Mapping[str, str]) -> str:
    source = files("keepsake.operations.adoption").joinpath(f"{template}.sql").read_text(encoding="utf-8")
    return _PLACE.sub(lambda match: values[match[1]], source)
