"""Chooses among tables that look like messages, and says how to go on where none does or several do."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from keepsake.operations.adoption.host_tables import HostColumn
from keepsake.operations.adoption.known import DeadEnd

CHATS = re.compile(r"chat|conversation|thread|session|dialog", re.IGNORECASE)
"""What the name of a table of chats contains."""
_VERSION = re.compile(r"[_-]?v?(\d{1,6})\Z", re.IGNORECASE)


def likeliest(columns: Sequence[HostColumn], filled: Collection[str]) -> list[HostColumn]:
    """The columns that name a chat in the likeliest tables: of chats by name, and of versions the newest with rows."""
    of_chats = [one for one in columns if CHATS.search(_target(one))] or list(columns)
    families = {_family(one) for one in of_chats}
    if len(of_chats) < 2 or len(families) > 1:
        return of_chats
    with_rows = [one for one in of_chats if one.table_name in filled] or of_chats
    newest = max(_version(one) for one in with_rows)
    return [one for one in with_rows if _version(one) == newest]


def no_messages(named: Mapping[str, str]) -> DeadEnd:
    """What to do where no table looks like the messages of chats."""
    columns = ("messages.chat", "messages.role", "messages.text", "messages.time", "chats.owner")
    return DeadEnd(
        "No table looks like the messages of chats: one with a foreign key to a table that names its owner, and with "
        "columns for the author's role, the text and the time; and no table of chats has them as JSON in a column.",
        {"chats": "TABLE", "messages": "TABLE"} | dict.fromkeys(columns, "NAME") | dict(named),
        {"chats": "TABLE", "chats.messages": "NAME", "chats.owner": "NAME"} | dict(named),
        otherwise="Without chats of your own run `keepsake migrate`: it makes the tables for them. Otherwise name "
        "yours; the second command is for messages that are JSON in the row of the chat.",
    )


def several_messages(columns: Sequence[HostColumn]) -> DeadEnd:
    """Which tables look like messages, with a command for each."""
    found = sorted((one.table_name, _target(one)) for one in columns)
    named = ", ".join(f"{table} (in {chats})" for table, chats in found)
    ways = ({"messages": table, "chats": chats} for table, chats in found)
    return DeadEnd(f"Several tables look like messages: {named}.", *ways)


def _target(column: HostColumn) -> str:
    """The table that the column refers to."""
    return (column.refers_to or "").split(".")[1] if column.refers_to else ""


def _family(column: HostColumn) -> str:
    return _VERSION.sub("", column.table_name).lower()


def _version(column: HostColumn) -> int:
    match = _VERSION.search(column.table_name)
    return int(match[1]) if match else 0
