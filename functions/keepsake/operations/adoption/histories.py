"""Recognizes chats whose messages are all kept as JSON in the chat's own row, and reads their elements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import psycopg
from psycopg import sql
from psycopg.rows import scalar_row

from keepsake.operations.adoption.host_tables import LOOKED_AT, MARKS, HostColumn, HostTables
from keepsake.operations.adoption.known import DeadEnd
from keepsake.operations.adoption.likeliest_tables import CHATS

_JSON = frozenset({"json", "jsonb", "json[]", "jsonb[]"})
_COLUMNS = ("messages", "payload", "history", "turns")
_KEYS: Mapping[str, Sequence[str]] = {
    "messages.role": ("role", "sender", "author", "from"),
    "messages.text": ("parts", "content", "text", "body", "message"),
    "messages.time": ("createdAt", "created_at", "timestamp", "time"),
    "messages.deleted": MARKS,
}
"""The usual keys of an element, the best first."""
_WORDS = """select distinct {role} from (select to_jsonb({column}) as history from {table} limit {limit}) as h
cross join lateral jsonb_array_elements(case when jsonb_typeof(h.history) = 'array' then h.history
  when jsonb_typeof(h.history -> 'messages') = 'array' then h.history -> 'messages' else '[]' end) as e (element)
where jsonb_typeof(e.element) = 'object' order by 1"""


@dataclass(frozen=True, slots=True)
class History:
    """The column of a chat that holds its messages, and the keys by which an element says who, what and when."""

    column: HostColumn
    role: Sequence[str]
    text: Sequence[str]
    time: Sequence[str]
    marks: Sequence[str]

    @property
    def expressions(self) -> dict[str, str]:
        """What reads an element, by its name in the templates."""
        texts = ", ".join(f"nullif(chat_copies.text_of(e.element -> {_literal(key)}), '')" for key in self.text)
        return {
            "history": self.column.quoted_name,
            **{f"{row}_history": self._as_jsonb(row) for row in ("new", "old", "c")},
            "element_role": _first(self.role, "->>"),
            "element_text": f"coalesce({texts}, '')",
            "element_time": _first(self.time, "->"),
            "marks": ", ".join(map(_literal, self.marks)),
        }

    def _as_jsonb(self, row: str) -> str:
        """The column as jsonb; `to_jsonb` would write the whole list anew, which costs as much as reading it."""
        name = f"{row}.{self.column.quoted_name}"
        return f"to_jsonb({name})" if self.column.type.endswith("[]") else f"{name}::jsonb"


def find_history(tables: HostTables, named: Mapping[str, str], owners: Mapping[str, HostColumn]) -> History | None:
    """Find the table of chats with an owner and a column of JSON with a usual name, or the one that was named."""
    wanted = [named["chats.messages"]] if "chats.messages" in named else _COLUMNS
    found = [
        column
        for name in owners
        if named.get("chats", name) == name
        for column in (tables[name][one] for one in wanted if one in tables[name])
        if column.type in _JSON
    ]
    found = [column for column in found if CHATS.search(column.table_name)] or found
    if len(found) > 1:
        ways = ({"chats": one.table_name, "chats.messages": one.column_name} for one in found)
        raise DeadEnd("Several columns look like the messages of a chat as JSON.", *ways)
    if not found:
        return None
    keys = {what: [named[what]] if what in named else usual for what, usual in _KEYS.items()}
    return History(
        found[0], keys["messages.role"], keys["messages.text"], keys["messages.time"], keys["messages.deleted"]
    )


def read_element_words(connection: psycopg.Connection, history: History) -> list[str]:
    """Read the different words by which the elements of some rows say who wrote them."""
    statement = sql.SQL(_WORDS).format(
        role=sql.SQL(_first(history.role, "->>")),
        column=sql.Identifier(history.column.column_name),
        table=sql.SQL(history.column.quoted_table),
        limit=sql.Literal(LOOKED_AT),
    )
    with connection.cursor(row_factory=scalar_row) as cursor:
        return [word for word in cursor.execute(statement).fetchall() if word is not None]


def _first(keys: Sequence[str], operator: str) -> str:
    return f"coalesce({', '.join(f'e.element {operator} {_literal(key)}' for key in keys)})"


def _literal(text: str) -> str:
    return sql.Literal(text).as_string()
