"""Writes the expressions that read the application's columns, for the rows that a statement calls new, old, c or m."""

from __future__ import annotations

from collections.abc import Sequence

from psycopg import sql

from keepsake.operations.adoption.host_tables import HostColumn
from keepsake.operations.adoption.recognize import AuthorWords, ChatTables, Mark

_MAX_TEXT, _MAX_TITLE, _MAX_NAME, _MAX_TIMEZONE = 250_000, 1_000, 200, 100
"""Characters of a copy: what is longer would be refused, and the application's own insert with it."""
_ADD_ACCOUNTS = """
{indent}insert into auth.users (id, aud, role, raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
{indent}select {account}, 'authenticated', 'authenticated',
{indent}  jsonb_build_object('provider', 'external', 'external_id', p.id, 'made_by', 'keepsake'), '{}', now(), now()
{indent}from ({people}) as p (id) on conflict (id) do nothing;"""


def expressions(found: ChatTables, words: AuthorWords) -> dict[str, str]:
    """Return what each name in braces stands for in the templates."""
    tables = {"chats": found.chat_id, "messages": found.message_id}
    columns = {"chat_id": found.chat_id, "owner": found.owner, "chat": found.chat, "text": found.text}
    values = {name: column.quoted_table for name, column in tables.items()}
    values |= {name: column.quoted_name for name, column in columns.items()}
    values["messages_read"] = "chat_copies.messages" if found.history else values["messages"]
    values |= found.history.expressions if found.history else {}
    for row in ("new", "old", "c", "m"):
        values |= {
            f"{row}_chat_id": _identifier(found.chat_id, row, "chats"),
            f"{row}_title": _limited(found.title, row, _MAX_TITLE),
            f"{row}_owner": _account(found, found.owner, row),
            f"{row}_author": _account(found, found.author, row) if found.author else "c.user_id",
            f"{row}_message_id": _identifier(found.message_id, row, "messages"),
            f"{row}_chat": _identifier(found.chat, row, "chats"),
            f"{row}_text": _text(found.text, row),
            f"{row}_time": _time(found.time, row),
            f"{row}_is_deleted": _is_marked(found.chat_mark if row == "c" else found.message_mark, row),
            f"{row}_is_user": _is_one_of(found.role, row, words.people),
            f"{row}_is_assistant": _is_one_of(found.role, row, words.assistants),
        }
    chat_mark, message_mark = (mark.column if mark else None for mark in (found.chat_mark, found.message_mark))
    values["watched"] = _names(found.owner, found.title, chat_mark)
    values["watched_of_message"] = _names(found.text, message_mark)
    values["message_id"] = found.message_id.quoted_name
    values["chat_of_text"] = _id_of_text(found.chat_id, "repair_chat.id", "chats")
    values["chat_of_list"] = _id_of_text(found.chat_id, "repair_message.id", "chats")
    values["message_of_text"] = _id_of_text(found.message_id, "repair_message.id", "messages")
    values["people_table"] = _people_table(found)
    values["old_person"] = _old_person(found)
    values |= _accounts(found)
    values["name"] = _of_person(found, found.name, _MAX_NAME)
    values["timezone"] = _of_person(found, found.timezone, _MAX_TIMEZONE)
    return values


def _identifier(column: HostColumn, row: str, kind: str) -> str:
    """The id of the copy: that of the row where it is a UUID, else computed from it."""
    name = _column(column, row)
    return name if column.type == "uuid" else f"md5('{kind} ' || {name}::text)::uuid"


def _text(column: HostColumn, row: str = "") -> str:
    """The text of a message, which is never null."""
    name = _column(column, row)
    if column.type in {"json", "jsonb"}:
        return f"left(coalesce(chat_copies.text_of({name}::jsonb), ''), {_MAX_TEXT})"
    return f"left(coalesce({name}, ''), {_MAX_TEXT})"


def _time(column: HostColumn, row: str = "") -> str:
    """When a message was said; without a time zone it is taken for UTC."""
    name = _column(column, row)
    return name if column.type == "timestamp with time zone" else f"{name} at time zone 'UTC'"


def _account(found: ChatTables, column: HostColumn, row: str) -> str:
    """The account that a column names: itself, by the table of people, or computed of another sign-in's id."""
    name, person = _column(column, row), found.person
    if person is not None and column.refers_to not in {None, "auth.users.id"}:
        table, key = column.target, (column.refers_to or "").rpartition(".")[2]
        if (table, key) != (person.table_name, person.column_name) and table == person.table_name:
            account = f"(select p.{person.quoted_name} from {person.quoted_table} as p"  # noqa: S608 (names are quoted)
            return f"{account} where p.{sql.Identifier(key).as_string()} = {name})"
    return name if column.type == "uuid" else f"md5('people ' || {name}::text)::uuid"


def _accounts(found: ChatTables) -> dict[str, str]:
    """What makes the accounts of people with another sign-in; nothing for those of Supabase Auth."""
    if not found.signs_in_elsewhere:
        return {"add_person": "", "add_people": "", "add_agreed": ""}
    owner, chats = found.owner.quoted_name, found.chat_id.quoted_table
    everybody = f"select distinct c.{owner}::text from {chats} as c where c.{owner} is not null"  # noqa: S608
    one = f"select c.{owner}::text"
    account = "p.id::uuid" if found.owner.type == "uuid" else "md5('people ' || p.id)::uuid"
    statement = _ADD_ACCOUNTS.replace("{account}", account)
    people = _people_table(found)
    key = sql.Identifier((found.owner.refers_to or "id").rpartition(".")[2]).as_string()
    agreed = f"select o.{key}::text from {people} as o where {_old_person(found).replace('old.', 'o.')} = person"  # noqa: S608
    return {
        "add_agreed": statement.replace("{indent}", "    ").replace("{people}", agreed) if people else "",
        "add_person": statement.replace("{indent}", "    ").replace("{people}", one),
        "add_people": statement.replace("{indent}", "").replace("{people}", everybody),
    }


def _people_table(found: ChatTables) -> str:
    """The table of another sign-in that the owner of a chat refers to; empty where it refers to none."""
    parts = (found.owner.refers_to or "").split(".")
    return sql.Identifier(*parts[:2]).as_string() if found.signs_in_elsewhere and len(parts) == 3 else ""


def _old_person(found: ChatTables) -> str:
    """The account of a person of another sign-in who is deleted."""
    key = sql.Identifier((found.owner.refers_to or "id").split(".")[-1]).as_string()
    return f"old.{key}" if found.owner.type == "uuid" else f"md5('people ' || old.{key}::text)::uuid"


def _id_of_text(column: HostColumn, text_id: str, kind: str) -> str:
    """The id of the copy, from the id of the row as text."""
    return f"{text_id}::uuid" if column.type == "uuid" else f"md5('{kind} ' || {text_id})::uuid"


def _is_marked(mark: Mark | None, row: str) -> str:
    """Whether a row is marked as deleted."""
    if mark is None:
        return "false"
    name = _column(mark.column, row)
    if mark.values:
        return f"coalesce({_is_one_of(mark.column, row, mark.values)}, false)"
    return f"coalesce({name}, false)" if mark.column.type == "boolean" else f"({name} is not null)"


def _names(*columns: HostColumn | None) -> str:
    return ", ".join(dict.fromkeys(column.quoted_name for column in columns if column))


def _of_person(found: ChatTables, column: HostColumn | None, length: int) -> str:
    if found.person is None or column is None:
        return "null"
    table, key = found.person.quoted_table, found.person.quoted_name
    value = f"left(p.{column.quoted_name}, {length})"
    return f"(select {value} from {table} as p where p.{key} = person)"  # noqa: S608 (names are quoted)


def _limited(column: HostColumn | None, row: str, length: int) -> str:
    return "null" if column is None else f"left({_column(column, row)}::text, {length})"


def _is_one_of(column: HostColumn, row: str, words: Sequence[str]) -> str:
    name = _column(column, row) if column.type == "text" else f"{_column(column, row)}::text"
    return f"{name} in ({', '.join(sql.Literal(word).as_string() for word in words)})"


def _column(column: HostColumn, row: str) -> str:
    return f"{row}.{column.quoted_name}" if row else column.quoted_name
