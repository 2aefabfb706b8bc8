"""Chooses among tables that look like messages, and says how to go on where none does or several do."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from keepsake.operations.adoption.host_tables import ACCOUNT, HostColumn, HostTables
from keepsake.operations.adoption.known import DeadEnd

CHATS = re.compile(r"chat|conversation|thread|session|dialog", re.IGNORECASE)
"""What the name of a table of chats contains."""
_TEXTS = frozenset({"text", "character varying", "jsonb", "json"})
_VERSION = re.compile(r"[_-]?v?(\d{1,6})\Z", re.IGNORECASE)


def likeliest(columns: Sequence[HostColumn], filled: Collection[str]) -> list[HostColumn]:
    """The columns that name a chat in the likeliest tables: of chats by name, and of versions the newest with rows."""
    of_chats = [one for one in columns if CHATS.search(one.target.rpartition(".")[2])] or list(columns)
    families = {_family(one) for one in of_chats}
    if len(of_chats) < 2 or len(families) > 1:
        return of_chats
    with_rows = [one for one in of_chats if one.table_name in filled] or of_chats
    newest = max(_version(one) for one in with_rows)
    return [one for one in with_rows if _version(one) == newest]


def no_messages(tables: HostTables, named: Mapping[str, str]) -> DeadEnd:
    """What to do where no table looks like the messages of chats: name what is built like them, or all."""
    columns = ("messages.chat", "messages.role", "messages.text", "messages.time", "chats.owner")
    if ways := [way for way in _built_like_messages(tables) if _has_columns(tables, way, named)]:
        described = ", ".join(dict.fromkeys(way["messages"] for way in ways))
        return DeadEnd(
            f"No table has usual names of messages. By its keys {described} may have them.",
            *({**way, **named} for way in ways),
            otherwise="If so, say which column is which.",
        )
    split = [name for name, found in tables.items() if any(one.is_in_split_key for one in found.values())]
    long_way = (
        f"Keys of several columns are not followed ({', '.join(split)}): copy such chats by triggers of your own, "
        'as in docs/existing-tables.md, "The long way".'
    )
    return DeadEnd(
        "No table looks like the messages of chats: one with a foreign key to a table that names its owner, and with "
        "columns for the author's role, the text and the time; and no table of chats has them as JSON in a column.",
        {"chats": "TABLE", "messages": "TABLE"} | dict.fromkeys(columns, "NAME") | dict(named),
        {"chats": "TABLE", "chats.messages": "NAME", "chats.owner": "NAME"} | dict(named),
        otherwise=(f"{long_way}\n" if split else "")
        + "Without chats of your own run `keepsake migrate`: it makes the tables for them. Otherwise name "
        "yours; the second command is for messages that are JSON in the row of the chat.",
    )


def _built_like_messages(tables: HostTables) -> Iterator[dict[str, str]]:
    """What may be messages of chats by its keys alone, with the columns; NAME where several may be one."""
    for table, columns in tables.items():
        if not any(column.is_key for column in columns.values()):
            continue
        for chat in columns.values():
            chats = tables.get(chat.target, {})
            owners = [one for one in chats.values() if _leads_to_account(tables, one) and not one.is_key]
            texts = [one for one in columns.values() if one.type in _TEXTS and not (one.refers_to or one.is_key)]
            times = [one for one in columns.values() if one.type.startswith("timestamp")]
            if not owners or not texts or not times or chat.target == table:
                continue
            roles = [one for one in columns.values() if one.labels or _is_lookup(tables, one, chat)]
            found = {"messages.role": roles, "messages.text": texts, "messages.time": times, "chats.owner": owners}
            way = {"chats": chat.target, "messages": table, "messages.chat": chat.column_name}
            yield way | {what: one[0].column_name if len(one) == 1 else "NAME" for what, one in found.items()}


def _has_columns(tables: HostTables, way: Mapping[str, str], named: Mapping[str, str]) -> bool:
    """Whether these tables are the named ones, and have the columns that were named."""
    wanted = ((*what.partition("."), name) for what, name in named.items() if what.startswith(("chats", "messages")))
    return all(name.partition("=")[0] in tables[way[of]] if dot else name == way[of] for of, dot, _, name in wanted)


def _leads_to_account(tables: HostTables, column: HostColumn) -> bool:
    """Whether a column names an account, or a row of a table whose rows are accounts."""
    people = tables.get(column.target, {})
    return ACCOUNT in {column.refers_to, *(one.refers_to for one in people.values() if one.is_key)}


def _is_lookup(tables: HostTables, column: HostColumn, chat: HostColumn) -> bool:
    """Whether a column names a row of a table that itself refers to nothing, such as a list of roles."""
    target = tables.get(column.target, {})
    return bool(target) and column is not chat and not any(one.refers_to for one in target.values())


def several_messages(columns: Sequence[HostColumn]) -> DeadEnd:
    """Which tables look like messages, in their order, with a command for each; two columns may lead to one table."""
    places = [(one.table_name, one.target) for one in columns]
    named = ", ".join(f"{table} (in {chats})" for table, chats in dict.fromkeys(places))
    ways = [{"messages": table, "chats": chats} for table, chats in places]
    for way, column, place in zip(ways, columns, places, strict=True):
        if places.count(place) > 1:
            way["messages.chat"] = column.column_name
    return DeadEnd(f"Several tables look like messages: {named}.", *ways)


def _family(column: HostColumn) -> str:
    return _VERSION.sub("", column.table_name).lower()


def _version(column: HostColumn) -> int:
    match = _VERSION.search(column.table_name)
    return int(match[1]) if match else 0
