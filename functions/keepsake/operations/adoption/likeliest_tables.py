"""Chooses among tables that look like messages, and says how to go on where none does or several do."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from keepsake.errors import Conflict
from keepsake.operations.adoption.host_tables import HostColumn, HostTables

_CHATS = re.compile(r"chat|conversation|thread|session|dialog", re.IGNORECASE)
_VERSION = re.compile(r"[_-]?v?(\d{1,6})\Z", re.IGNORECASE)
_JSON = frozenset({"json", "jsonb"})
_HISTORY = ("messages", "payload", "history", "turns")


def likeliest(columns: Sequence[HostColumn], filled: Collection[str]) -> list[HostColumn]:
    """The columns that name a chat in the likeliest tables: of chats by name, and of versions the newest with rows."""
    of_chats = [one for one in columns if _CHATS.search(_target(one))] or list(columns)
    families = {_family(one) for one in of_chats}
    if len(of_chats) < 2 or len(families) > 1:
        return of_chats
    with_rows = [one for one in of_chats if one.table_name in filled] or of_chats
    newest = max(_version(one) for one in with_rows)
    return [one for one in with_rows if _version(one) == newest]


def no_messages(tables: HostTables) -> Conflict:
    """What to do where no table looks like the messages of chats."""
    for columns in tables.values():
        for column in columns.values():
            if column.type in _JSON and column.column_name in _HISTORY:
                return Conflict(
                    f"public.{column.table_name}.{column.column_name} seems to hold all messages of a chat as JSON. "
                    "Keepsake cannot read them there.",
                    hint="Run `keepsake migrate`, and save each message also in public.conversations and "
                    "public.messages, which it makes: docs/existing-tables.md has the statements.",
                )
    return Conflict(
        "No table looks like the messages of chats: one with a foreign key to a table that names its owner, and with "
        "columns for the author's role, the text and the time.",
        hint="Without chats of your own run `keepsake migrate`: it makes the tables for them. Otherwise name yours: "
        "keepsake adopt --chats TABLE --messages TABLE --column messages.chat=NAME --column messages.role=NAME "
        "--column messages.text=NAME --column messages.time=NAME --column chats.owner=NAME",
    )


def several_messages(columns: Sequence[HostColumn]) -> Conflict:
    """Which tables look like messages, with a complete command for each."""
    found = sorted((one.table_name, _target(one)) for one in columns)
    commands = " or ".join(f"`keepsake adopt --messages {table} --chats {chats}`" for table, chats in found)
    named = ", ".join(f"{table} (in {chats})" for table, chats in found)
    return Conflict(f"Several tables look like messages: {named}.", hint=f"Name one: {commands}.")


def _target(column: HostColumn) -> str:
    """The table that the column refers to."""
    return (column.refers_to or "").split(".")[1] if column.refers_to else ""


def _family(column: HostColumn) -> str:
    return _VERSION.sub("", column.table_name).lower()


def _version(column: HostColumn) -> int:
    match = _VERSION.search(column.table_name)
    return int(match[1]) if match else 0
