"""Writes the expressions that read the application's columns, for the rows that a statement calls new, old, c or m."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from psycopg import sql

from keepsake.operations.adoption.host_tables import HostColumn
from keepsake.operations.adoption.recognize import AuthorWords, ChatTables

_MAX_TEXT, _MAX_TITLE, _MAX_NAME, _MAX_TIMEZONE = 250_000, 1_000, 200, 100
"""Characters of a copy: what is longer would be refused, and the application's own insert with it."""
_ADD_ACCOUNTS = """
{indent}insert into auth.users (id, aud, role, raw_app_meta_data, raw_user_meta_data, created_at, updated_at)
{indent}select md5('people ' || p.id)::uuid, 'authenticated', 'authenticated',
{indent}  jsonb_build_object('provider', 'external', 'external_id', p.id), '{}', now(), now()
{indent}from ({people}) as p (id) on conflict (id) do nothing;"""


def expressions(found: ChatTables, words: AuthorWords) -> dict[str, str]:
    """Return what each name in braces stands for in the templates."""
    tables = {"chats": found.chat_id, "messages": found.message_id}
    columns = {"chat_id": found.chat_id, "owner": found.owner, "chat": found.chat, "text": found.text}
    values = {name: column.quoted_table for name, column in tables.items()}
    values |= {name: column.quoted_name for name, column in columns.items()}
    for row in ("new", "old", "c", "m"):
        values |= {
            f"{row}_chat_id": identifier(found.chat_id, row, "chats"),
            f"{row}_title": _limited(found.title, row, _MAX_TITLE),
            f"{row}_owner": _account(found, found.owner, row),
            f"{row}_author": _account(found, found.author, row) if found.author else "c.user_id",
            f"{row}_message_id": identifier(found.message_id, row, "messages"),
            f"{row}_chat": identifier(found.chat, row, "chats"),
            f"{row}_text": text(found.text, row),
            f"{row}_time": time(found.time, row),
            f"{row}_is_user": _is_one_of(found.role, row, words.people),
            f"{row}_is_assistant": _is_one_of(found.role, row, words.assistants),
        }
    for row in ("new", "m"):
        values[f"{row}_writer"] = values[f"{row}_author"] if found.author else _owner_of_chat(values, row)
    watched = (found.owner, found.title) if found.title else (found.owner,)
    values["watched"] = ", ".join(column.quoted_name for column in watched)
    values |= _accounts(found)
    values["name"] = _of_person(found, found.name, _MAX_NAME)
    values["timezone"] = _of_person(found, found.timezone, _MAX_TIMEZONE)
    return values


def identifier(column: HostColumn, row: str, kind: str) -> str:
    """The id of the copy: that of the row where it is a UUID, else computed from it."""
    name = _column(column, row)
    return name if column.type == "uuid" else f"md5('{kind} ' || {name}::text)::uuid"


def text(column: HostColumn, row: str = "") -> str:
    """The text of a message, which is never null."""
    name = _column(column, row)
    if column.type in {"json", "jsonb"}:
        return f"left(coalesce(chat_copies.text_of({name}::jsonb), ''), {_MAX_TEXT})"
    return f"left(coalesce({name}, ''), {_MAX_TEXT})"


def time(column: HostColumn, row: str = "") -> str:
    """When a message was said; without a time zone it is taken for UTC."""
    name = _column(column, row)
    return name if column.type == "timestamp with time zone" else f"{name} at time zone 'UTC'"


def role(column: HostColumn, words: AuthorWords) -> str:
    """The role as Keepsake names it; what is neither a person's nor the assistant's is called ``system``."""
    is_user, is_assistant = _is_one_of(column, "", words.people), _is_one_of(column, "", words.assistants)
    return f"case when {is_user} then 'user' when {is_assistant} then 'assistant' else 'system' end"


def _owner_of_chat(values: Mapping[str, str], row: str) -> str:
    """Who owns the chat of a message that does not name its author."""
    chat = f"public.{values['chats']} as c where c.{values['chat_id']} = {row}.{values['chat']}"
    return f"(select {values['c_owner']} from {chat})"  # noqa: S608 (names are quoted)


def _account(found: ChatTables, column: HostColumn, row: str) -> str:
    """The account that a column names: itself, by the table of people, or computed of another sign-in's id."""
    name, person = _column(column, row), found.person
    if person is not None and column.refers_to not in {None, "auth.users.id"}:
        _, table, key = (column.refers_to or "").split(".")
        if (table, key) != (person.table_name, person.column_name) and table == person.table_name:
            account = f"(select p.{person.quoted_name} from public.{person.quoted_table} as p"  # noqa: S608 (names are quoted)
            return f"{account} where p.{sql.Identifier(key).as_string()} = {name})"
    return name if column.type == "uuid" else f"md5('people ' || {name}::text)::uuid"


def _accounts(found: ChatTables) -> dict[str, str]:
    """What makes the accounts of people with another sign-in; nothing for those of Supabase Auth."""
    if found.owner.type == "uuid" or found.person is not None:
        return {"add_person": "", "add_people": ""}
    owner, chats = found.owner.quoted_name, found.chat_id.quoted_table
    everybody = f"select distinct c.{owner}::text from public.{chats} as c where c.{owner} is not null"  # noqa: S608
    one = f"select new.{owner}::text"
    return {
        "add_person": _ADD_ACCOUNTS.replace("{indent}", "  ").replace("{people}", one),
        "add_people": _ADD_ACCOUNTS.replace("{indent}", "").replace("{people}", everybody),
    }


def _of_person(found: ChatTables, column: HostColumn | None, length: int) -> str:
    if found.person is None or column is None:
        return "null"
    table, key = found.person.quoted_table, found.person.quoted_name
    value = f"left(p.{column.quoted_name}, {length})"
    return f"(select {value} from public.{table} as p where p.{key} = person)"  # noqa: S608 (names are quoted)


def _limited(column: HostColumn | None, row: str, length: int) -> str:
    return "null" if column is None else f"left({_column(column, row)}::text, {length})"


def _is_one_of(column: HostColumn, row: str, words: Sequence[str]) -> str:
    return f"{_column(column, row)} in ({', '.join(sql.Literal(word).as_string() for word in words)})"


def _column(column: HostColumn, row: str) -> str:
    return f"{row}.{column.quoted_name}" if row else column.quoted_name
