"""Writes the two migrations of an application that adopts Keepsake: before Keepsake's own, and after them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files

from keepsake.errors import Conflict
from keepsake.operations.adoption import expressions
from keepsake.operations.adoption.host_tables import HostColumn, HostTables
from keepsake.operations.adoption.recognize import AuthorWords, ChatTables

_PLACE = re.compile(r"\{([a-z_]+)\}")
_MESSAGES, _CHATS = "messages", "conversations"


@dataclass(frozen=True, slots=True)
class Adoption:
    """The statements before Keepsake's migrations, of which there may be none, and those after them."""

    before: str
    after: str


def write_migrations(tables: HostTables, found: ChatTables, words: AuthorWords) -> Adoption:
    """Write the statements; raise Conflict where a table has a name that Keepsake needs and cannot serve as it."""
    _require_names(found)
    values = expressions.expressions(found, words)
    before = after = ""
    repaired: list[str] = []
    if found.message_id.table_name == _MESSAGES:
        before += _columns(tables[_MESSAGES], found, words) + _fill("authors", values)
        values["old_messages"] = ""
    if found.chat_id.table_name == _CHATS:
        before += _owner_column(tables[_CHATS], values)
        after += _fill("own_chats", values)
    else:
        repaired.append("chat")
        after += _fill("copied_chats", values)
    if found.message_id.table_name != _MESSAGES:
        repaired.append("message")
        after += _fill("copied_messages", values)
        values["old_messages"] = _fill("old_messages", values).rstrip("\n")
    if repaired:
        values["repair"] = _repair(repaired)
        after = _fill("failures", values) + after + _fill("repair", values)
    if values["people_table"] and found.chat_id.table_name != _CHATS:
        after += _fill("deleted_people", values)
    after += _fill("agreement", values)
    shared = _fill("shared", {})
    return Adoption(shared + before, after) if before else Adoption("", shared + after)


def _repair(kinds: Sequence[str]) -> str:
    """The statement that copies a row of one of these kinds again."""
    calls = (f"when '{kind}' then perform chat_copies.repair_{kind}(failure.id);" for kind in kinds)
    return f"case failure.kind {' '.join(calls)} end case;"


def _columns(columns: Mapping[str, HostColumn], found: ChatTables, words: AuthorWords) -> str:
    """The columns that a table ``messages`` of the application lacks, computed from those it has."""
    computed = {
        "conversation_id": ("uuid", expressions.identifier(found.chat, "", "chats")),
        "role": ("text", expressions.role(found.role, words)),
        "content": ("text", expressions.text(found.text)),
        "created_at": ("timestamptz", expressions.time(found.time)),
    }
    types = {"uuid": {"uuid"}, "text": {"text", "character varying"}, "timestamptz": {"timestamp with time zone"}}
    additions = []
    for name, (type_name, expression) in computed.items():
        if name not in columns:
            additions.append(f"\n  add column {name} {type_name} generated always as ({expression}) stored")
        elif not columns[name].labels:
            _require(columns[name], types[type_name])
    if "role" in columns and "user" not in words.people:
        raise _name_taken(
            [_MESSAGES], f"public.{_MESSAGES}.role says {', '.join(words.people)}, and would have to say user"
        )
    if "user_id" in columns:
        _require(columns["user_id"], {"uuid"})
    else:
        additions.append("\n  add column user_id uuid")
    return _fill("columns", {"additions": ",".join(additions)}) if additions else ""


def _owner_column(columns: Mapping[str, HostColumn], values: Mapping[str, str]) -> str:
    """The owner under the name that Keepsake reads, in a table ``conversations`` of the application."""
    if "user_id" in columns:
        _require(columns["user_id"], {"uuid"})
        return ""
    return _fill("owners", values)


def _require_names(found: ChatTables) -> None:
    """Refuse ids of another type in tables that would have to serve as Keepsake's own; both at once."""
    keys = {_CHATS: found.chat_id, _MESSAGES: found.message_id}
    taken = [column for name, column in keys.items() if column.table_name == name and column.type != "uuid"]
    if taken:
        why = "; ".join(f"the ids of public.{column.table_name} are {column.type}" for column in taken)
        raise _name_taken([column.table_name for column in taken], f"{why}, and would have to be uuid")


def _require(column: HostColumn, types: set[str]) -> None:
    if column.type not in types:
        place = f"public.{column.table_name}.{column.column_name}"
        raise _name_taken([column.table_name], f"{place} is {column.type}, and would have to be {min(types)}")


def _name_taken(tables: Sequence[str], why: str) -> Conflict:
    renamed = " ".join(f"alter table public.{table} rename to app_{table};" for table in tables)
    return Conflict(
        f"Keepsake needs the names of your tables for its own: {why}.",
        hint=f"Rename yours, also in your application's code: {renamed} "
        "Keys, policies, triggers and grants come along. Then run this again.",
    )


def _fill(template: str, values: Mapping[str, str]) -> str:
    source = files("keepsake.operations.adoption").joinpath(f"{template}.sql").read_text(encoding="utf-8")
    return _PLACE.sub(lambda match: values[match[1]], source)
