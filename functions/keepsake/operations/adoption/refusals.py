"""Refuses tables that Keepsake would damage or misread, before anything is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from keepsake.errors import Conflict
from keepsake.operations.adoption.host_tables import HostColumn, HostTables
from keepsake.operations.adoption.recognize import ACCOUNT, ChatTables

_SERVING = {"conversations", "messages"}
"""Tables that serve as Keepsake's own, where the application has them."""
_COMPUTED = ("conversation_id", "role", "content", "created_at")
"""Columns that Keepsake reads in a table ``messages``, and would add as computed ones where they are missing."""
_TYPES: Mapping[str, Mapping[str, Sequence[str]]] = {
    "conversations": {
        "profile_id": ["uuid"],
        "mode": ["text", "character varying"],
        "persona_id": ["text", "character varying"],
        "memory_enabled": ["boolean"],
        "title": ["text", "character varying"],
    },
    "messages": {"meta": ["jsonb"], "turn_index": ["integer", "smallint", "bigint"]},
}
"""Columns that Keepsake uses where they exist, with the types that its migrations accept."""
_COPIES_ARE_SAFE = (
    "Copy by triggers of your own, with conditions that you choose: the long way of docs/existing-tables.md."
)


def require_harmless(tables: HostTables, found: ChatTables, *, may_add_people: bool) -> None:
    """Raise Conflict with every reason for which this application may not be connected by what `adopt` writes."""
    reasons = [*_broken_statements(tables, found), *_deleted_rows(found), *_misread_types(tables, found)]
    if reasons:
        raise Conflict("This application would be damaged or misread: " + " ".join(reasons), hint=_COPIES_ARE_SAFE)
    if found.signs_in_elsewhere and not may_add_people:
        raise _other_people(found.owner)


def _broken_statements(tables: HostTables, found: ChatTables) -> Iterator[str]:
    """Layouts in which statements of the application itself would fail afterwards."""
    messages, chats = found.message_id, found.chat_id
    own = tables["messages"] if messages.table_name == "messages" else dict.fromkeys(_COMPUTED)
    missing = [name for name in _COMPUTED if name not in own]
    if missing:
        yield (
            f"public.messages has no {', '.join(missing)}; Keepsake would add computed columns, and an application "
            "that writes whole rows back could no longer update its messages (error 428C9)."
        )
    owner = tables["conversations"].get("user_id") if chats.table_name == "conversations" else None
    if owner is not None and owner.refers_to not in {None, ACCOUNT}:
        yield (
            f"public.conversations.user_id refers to {owner.refers_to}; Keepsake's tables need ids of auth.users, "
            "and new conversations would be refused."
        )


def _other_people(owner: HostColumn) -> Conflict:
    """Say whose people these are, and what would be made for them."""
    place = f"public.{owner.table_name}.{owner.column_name}"
    leads = f"refers to {owner.refers_to}" if owner.refers_to else f"is {owner.type}"
    same = "the same id" if owner.type == "uuid" else "an id computed from theirs"
    return Conflict(
        f"{place} {leads}, which does not lead to auth.users: these people sign in elsewhere. Keepsake needs a row in "
        f"auth.users for each of them, with {same} and without a password.",
        hint="If the migration may add these rows, add `--people auth.users` to the command.",
    )


def _deleted_rows(found: ChatTables) -> Iterator[str]:
    """Rows that the application marks as deleted, in tables that serve as Keepsake's own."""
    for mark in (found.chat_mark, found.message_mark):
        if mark is not None and mark.table_name in _SERVING:
            place = f"public.{mark.table_name}.{mark.column_name}"
            yield f"{place} marks rows as deleted; Keepsake would remember what they say."


def _misread_types(tables: HostTables, found: ChatTables) -> Iterator[str]:
    """Columns of another type than Keepsake's migrations accept in a table that serves as its own."""
    for table in {found.chat_id.table_name, found.message_id.table_name} & _SERVING:
        for name, types in _TYPES[table].items():
            column = tables[table].get(name)
            if column is not None and not column.labels and column.type not in types:
                yield f"public.{table}.{name} is {column.type}, and would have to be {types[0]}."
