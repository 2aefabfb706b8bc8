"""Recognizes chats, messages and people in the application's tables: by foreign keys first, then by usual names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from keepsake.operations.adoption.histories import History, find_history
from keepsake.operations.adoption.host_tables import ACCOUNT, MARKS, HostColumn, HostTables, qualified
from keepsake.operations.adoption.known import DeadEnd
from keepsake.operations.adoption.likeliest_tables import likeliest, no_messages, several_messages

_USER_WORDS = ("user", "human", "customer", "client", "person", "me")
_ASSISTANT_WORDS = ("assistant", "bot", "ai", "model", "agent")
_NEITHER_WORDS = ("system", "tool", "function", "developer", "data")
_NAMES: Mapping[str, Sequence[str]] = {
    "messages.role": ("role", "sender", "sender_type", "author_role", "author_type", "author", "from"),
    "messages.text": ("parts", "content", "body", "text", "message", "content_text", "message_text"),
    "messages.time": ("created_at", "sent_at", "timestamp", "inserted_at", "createdat", "createdAt", "time"),
    "messages.author": (),
    "messages.chat": ("chat_id", "conversation_id", "thread_id", "chatId", "conversationId", "threadId"),
    "chats.owner": ("user_id", "owner_id", "account_id", "userId", "owner", "profile_id", "created_by", "author_id"),
    "chats.title": ("title", "name", "subject", "topic", "label"),
    "chats.deleted": MARKS,
    "messages.deleted": MARKS,
    "people.account": (),
    "people.name": ("display_name", "full_name", "name", "first_name", "username", "nickname"),
    "people.timezone": ("timezone", "time_zone", "tz"),
}
"""The usual names of each column, the best first."""
_TYPES: Mapping[str, set[str]] = {
    "messages.role": {"text", "character varying", "character"},
    "messages.text": {"text", "character varying", "jsonb", "json"},
    "messages.time": {"timestamp with time zone", "timestamp without time zone"},
    "chats.deleted": {"boolean", "timestamp with time zone", "timestamp without time zone"},
    "messages.deleted": {"boolean", "timestamp with time zone", "timestamp without time zone"},
}
"""The types that a column may have, where not all may."""
Columns = Mapping[str, HostColumn]
Messages = tuple[History | None, Columns, HostColumn]
"""Where messages are kept: as JSON, if they are; their columns; and the column that names the chat."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A column that marks a row as deleted: by being true or not null, or by one of these values."""

    column: HostColumn
    values: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class ChatTables:
    """Where the application keeps chats, messages and people; a person's row may be missing."""

    chat_id: HostColumn
    owner: HostColumn
    title: HostColumn | None
    message_id: HostColumn
    chat: HostColumn
    role: HostColumn
    author: HostColumn | None
    """Who wrote a person's message, where others than the owner may write in a chat."""
    text: HostColumn
    time: HostColumn
    history: History | None
    """Where the messages are JSON in the row of the chat; then their columns are those of ``chat_copies.messages``."""
    chat_mark: Mark | None
    """What marks a chat as deleted."""
    message_mark: Mark | None
    person: HostColumn | None
    """The column of the people's table that is the id of an account."""
    name: HostColumn | None
    timezone: HostColumn | None
    signs_in_elsewhere: bool
    """Whether the owners are no accounts of Supabase Auth, but rows of another sign-in."""


@dataclass(frozen=True, slots=True)
class AuthorWords:
    """The words that stand for a person, for the assistant, and for neither."""

    people: list[str]
    assistants: list[str]
    others: list[str]


def recognize(tables: HostTables, named: Mapping[str, str], filled: Collection[str] = ()) -> ChatTables:
    """Recognize the tables; ``named`` says what the operator knows, as ``chats`` or ``chats.owner``, to its name.

    ``filled`` are the tables with rows.
    """
    named = {what: name if "." in what else name.removeprefix("public.") for what, name in named.items()}
    _check_names(tables, named)
    history, messages, chat = _find_messages(tables, named, filled)
    chats = _table(tables, chat.target, "chats")
    owner = _require(chats, named, "chats.owner", "whose chat it is")
    person = _find_person(tables, named, owner)
    named = {what: name for what, name in named.items() if not (history and what.startswith("messages."))}
    people = tables[person.table_name] if person else {}
    return ChatTables(
        chat_id=_key(chats),
        owner=owner,
        title=_find_optional(chats, named, "chats.title"),
        message_id=_key(messages),
        chat=chat,
        role=_require(messages, named, "messages.role", "who wrote it"),
        author=_find_author(messages, named, owner),
        text=_require(messages, named, "messages.text", "what was said"),
        time=_require(messages, named, "messages.time", "when it was said"),
        history=history,
        chat_mark=_find_mark(chats, named, "chats.deleted"),
        message_mark=_find_mark(messages, named, "messages.deleted"),
        person=person,
        signs_in_elsewhere=person is None and _signs_in_elsewhere(tables, owner),
        name=_find_optional(people, named, "people.name"),
        timezone=_find_optional(people, named, "people.timezone"),
    )


def divide_words(found: Sequence[str], people: Sequence[str] = (), assistants: Sequence[str] = ()) -> AuthorWords:
    """Divide the words of the column that says who wrote a message; the operator may name more of them."""
    of_people = [word for word in found if word.lower() in _USER_WORDS or word in people]
    of_assistants = [word for word in found if word.lower() in _ASSISTANT_WORDS or word in assistants]
    others = [word for word in found if word not in {*of_people, *of_assistants}]
    unknown = ", ".join(word for word in others if word.lower() not in _NEITHER_WORDS)
    if unknown and not of_people:
        raise DeadEnd(f"Which of the words {unknown} stands for a person?", {"user-word": "WORD"})
    if unknown and not of_assistants:
        raise DeadEnd(f"Which of the words {unknown} stands for an answer?", {"assistant-word": "WORD"})
    # Of what no message says yet, all that is usual.
    of_people = list(dict.fromkeys([*(of_people or _USER_WORDS), *people]))
    return AuthorWords(of_people, list(dict.fromkeys([*(of_assistants or _ASSISTANT_WORDS), *assistants])), others)


def _signs_in_elsewhere(tables: HostTables, owner: HostColumn) -> bool:
    """Whether the owner's foreign key leads to another table than the accounts, or its type to no account at all."""
    if owner.type != "uuid":
        return True
    table = tables.get(owner.target, {})
    return owner.refers_to not in {None, ACCOUNT} and not any(one.refers_to == ACCOUNT for one in table.values())


def _find_messages(tables: HostTables, named: Mapping[str, str], filled: Collection[str]) -> Messages:
    """Where the messages are: as JSON, or the table of messages, and its column that names the chat."""
    for what in {"chats", "messages"} & named.keys():
        _table(tables, named[what], what)
    if {"chats", "messages", "messages.chat"} <= named.keys():
        messages = _table(tables, named["messages"], "messages")
        chat = _require(messages, named, "messages.chat", "in which chat it was said")
        key = _key(_table(tables, named["chats"], "chats"))
        return None, messages, replace(chat, refers_to=f"{qualified(key.table_name)}.{key.column_name}")
    candidates = [
        (columns, column)
        for name, columns in tables.items()
        if named.get("messages", name) == name
        for column in columns.values()
        if _is_of_chat(tables, named, columns, column)
    ]
    likely = likeliest([column for _, column in candidates], filled)
    if len(likely) == 1:
        return next((None, *one) for one in candidates if one[1] is likely[0])
    if not candidates and "messages" not in named and (history := _find_history(tables, named)):
        return history, *_elements(tables[history.column.table_name])
    if not candidates:
        raise no_messages(tables, named)
    raise several_messages([*likely, *(column for _, column in candidates if column not in likely)])


def _find_history(tables: HostTables, named: Mapping[str, str]) -> History | None:
    owners = {name: _find(columns, named, "chats.owner") for name, columns in tables.items()}
    return find_history(tables, named, {name: owner for name, owner in owners.items() if owner})


def _elements(chats: Columns) -> tuple[Columns, HostColumn]:
    """The columns of messages that are elements of JSON, as ``chat_copies.messages`` shows them."""
    key = _key(chats)
    types = {"id": "uuid", "role": "text", "content": "text", "created_at": "timestamp with time zone"}
    columns = {name: HostColumn("messages", name, kind, is_key=name == "id") for name, kind in types.items()}
    return columns, HostColumn(
        "messages", "chat_id", "uuid", refers_to=f"{qualified(key.table_name)}.{key.column_name}"
    )


def _is_of_chat(tables: HostTables, named: Mapping[str, str], columns: Columns, column: HostColumn) -> bool:
    """Whether a column names the chat of a message."""
    table = column.target
    if table not in tables or named.get("chats", table) != table:
        return False
    wanted = ("messages.role", "messages.text", "messages.time")
    return all(_find(columns, named, what) for what in wanted) and bool(_find(tables[table], named, "chats.owner"))


def _find_mark(columns: Columns, named: Mapping[str, str], what: str) -> Mark | None:
    """The column that marks a row as deleted; one that is neither true nor a time needs its values, as status=gone."""
    name, has_values, values = named.get(what, "").partition("=")
    column = _find(columns, {**named, what: name} if name else named, what)
    if name and column is None:
        _require(columns, {**named, what: name}, what, "what is deleted")
    if column is None or has_values:
        return Mark(column, values.split(",")) if column else None
    if column.type not in _TYPES[what]:
        way = {what: f"{name}=VALUE,VALUE"}
        raise DeadEnd(f"{name} is {column.type}: by which of its values is a row deleted?", way)
    return Mark(column)


def _find_author(messages: Columns, named: Mapping[str, str], owner: HostColumn) -> HostColumn | None:
    """The column that names a message's author as the chat names its owner: by the same foreign key, or as told."""
    if "messages.author" in named:
        return _require(messages, named, "messages.author", "who wrote it")
    targets = {owner.refers_to, ACCOUNT} - {None}
    by_name = messages.get(owner.column_name)
    by_key = [column for column in messages.values() if column.refers_to in targets]
    if by_name and (by_name in by_key or not by_key):
        return by_name
    if len(by_key) > 1:
        names = " or ".join(column.column_name for column in by_key)
        ways = ({"messages.author": column.column_name} for column in by_key)
        raise DeadEnd(f"Is the author of a message in {names} of {qualified(by_key[0].table_name)}?", *ways)
    return next(iter(by_key), None)


def _find_person(tables: HostTables, named: Mapping[str, str], owner: HostColumn) -> HostColumn | None:
    """The column that holds the account's id in the table of people: where the owner leads, else by its foreign key."""
    table = named.get("people") or owner.target
    if "people.account" in named:
        return _require(_table(tables, table, "people"), named, "people.account", "whose account it is")
    if "people" in named or table in tables:
        accounts = [column for column in _table(tables, table, "people").values() if column.refers_to == ACCOUNT]
        return accounts[0] if accounts else None
    names = {
        column: name
        for columns in tables.values()
        for column in columns.values()
        if column.is_unique and column.refers_to == ACCOUNT and (name := _find(columns, named, "people.name"))
    }
    usual = [named.get("people.name"), *_NAMES["people.name"]]
    return min(names, default=None, key=lambda one: (usual.index(names[one].column_name), not one.is_key))


def _table(tables: HostTables, name: str, what: str) -> Columns:
    if name not in tables:
        raise DeadEnd(
            f"There is no table {qualified(name)}.", {what: "TABLE"}, otherwise=f"There are: {', '.join(tables)}."
        )
    return tables[name]


def _key(columns: Columns) -> HostColumn:
    keys = [column for column in columns.values() if column.is_key]
    if not keys:
        table = next(iter(columns.values())).table_name
        otherwise = "Copy such chats by triggers of your own: docs/existing-tables.md, The long way."
        raise DeadEnd(f"{qualified(table)} has no primary key of one column.", otherwise=otherwise)
    return keys[0]


def _find(columns: Columns, named: Mapping[str, str], what: str) -> HostColumn | None:
    if what in named:
        return columns.get(named[what])
    types = _TYPES.get(what)
    usual = (columns[name] for name in _NAMES[what] if name in columns)
    if what == "messages.role":
        types = {*_TYPES[what], *(column.type for column in columns.values() if column.labels)}
    return next((column for column in usual if types is None or column.type in types), None)


def _find_optional(columns: Columns, named: Mapping[str, str], what: str) -> HostColumn | None:
    """A column that may be missing, but not where it is named."""
    if what in named and not columns:
        raise DeadEnd(f"No table of people leads to the accounts, so {what} cannot be read: leave it out.")
    if what in named and named[what] not in columns:
        raise _no_column(columns, named, what)
    return _find(columns, named, what)


def _check_names(tables: HostTables, named: Mapping[str, str]) -> None:
    """Raise DeadEnd where a table that is named has no column of a name that is given for it."""
    for what, name in named.items():
        of, _, column = what.partition(".")
        columns = tables.get(named.get(of, ""), {})
        if column and columns and name.partition("=")[0] not in columns:
            raise _no_column(columns, named, what)


def _no_column(columns: Columns, named: Mapping[str, str], what: str) -> DeadEnd:
    table, otherwise = next(iter(columns.values())).table_name, f"Its columns are: {', '.join(columns)}."
    return DeadEnd(f"{qualified(table)} has no column {named[what]}.", {what: "NAME"}, otherwise=otherwise)


def _require(columns: Columns, named: Mapping[str, str], what: str, contents: str) -> HostColumn:
    column = _find(columns, named, what)
    if column is None:
        table = next(iter(columns.values())).table_name
        otherwise = f"Its columns are: {', '.join(columns)}."
        raise DeadEnd(f"{qualified(table)} has no column that says {contents}.", {what: "NAME"}, otherwise=otherwise)
    return column
