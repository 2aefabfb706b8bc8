"""Refuses tables that Keepsake would damage or misread, before anything is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from keepsake.errors import Conflict
from keepsake.operations.adoption.host_tables import HostColumn, HostTables
from keepsake.operations.adoption.recognize import ACCOUNT, ChatTables

_DELETION_MARKS = ("deleted", "is_deleted", "deleted_at", "archived_at", "deletedAt", "isDeleted", "archivedAt")
"""Usual names of columns by which an application marks a row as deleted instead of deleting it."""
_COMPUTED = ("conversation_id", "role", "content", "created_at")
"""Columns that Keepsake reads in a table ``messages``, and would add as computed ones where they are missing."""
_COPIES_ARE_SAFE = (
    "Copy by triggers of your own, with conditions that you choose: the long way of docs/existing-tables.md."
)


def require_harmless(tables: HostTables, found: ChatTables) -> None:
    """Raise Conflict with every reason for which this application may not be connected by what `adopt` writes."""
    reasons = [*_broken_statements(tables, found), *_other_people(tables, found), *_deleted_rows(tables, found)]
    if reasons:
        raise Conflict("This application would be damaged or misread: " + " ".join(reasons), hint=_COPIES_ARE_SAFE)


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


def _other_people(tables: HostTables, found: ChatTables) -> Iterator[str]:
    """People of another sign-in whose ids look like those of Supabase Auth: nothing would ever be remembered."""
    owner = found.owner
    if owner.type == "uuid" and owner.refers_to not in {None, ACCOUNT} and not _leads_to_account(tables, owner):
        place = f"public.{owner.table_name}.{owner.column_name}"
        yield f"{place} refers to {owner.refers_to}, which does not lead to auth.users: these people sign in elsewhere."


def _leads_to_account(tables: HostTables, owner: HostColumn) -> bool:
    schema, _, rest = (owner.refers_to or "").partition(".")
    table = tables.get(rest.partition(".")[0], {}) if schema == "public" else {}
    return any(column.refers_to == ACCOUNT for column in table.values())


def _deleted_rows(tables: HostTables, found: ChatTables) -> Iterator[str]:
    """Rows that the application marks as deleted, which Keepsake would go on reading."""
    for table in dict.fromkeys((found.chat_id.table_name, found.message_id.table_name)):
        if mark := _deletion_mark(tables[table]):
            yield f"public.{table}.{mark} marks rows as deleted; Keepsake would remember what they say."


def _deletion_mark(columns: Mapping[str, HostColumn]) -> str | None:
    return next((name for name in _DELETION_MARKS if name in columns), None)
