"""Counts the chats of an application: how many there are, how many can be read, and why not the others."""

from __future__ import annotations

from typing import NamedTuple

import psycopg
from psycopg import sql

from keepsake.operations.adoption.expressions import expressions
from keepsake.operations.adoption.recognize import AuthorWords, ChatTables

_COUNT = """select count(*), count(*) filter (where c.{owner} is null),
  count(*) filter (where c.{owner} is not null and {is_deleted}),
  count(*) filter (where c.{owner} is not null and not {is_deleted} and u.id is null)
from {chats} as c left join auth.users as u on u.id = {account}"""


class ChatCounts(NamedTuple):
    """The chats of an application, and those that are skipped for each reason."""

    found: int
    without_owner: int
    deleted: int
    without_account: int

    @property
    def have_accounts(self) -> bool:
        """Whether there are readable chats, and each owner has an account."""
        return self.without_account == 0 and self.found > self.without_owner + self.deleted

    def line(self, *, may_add_people: bool) -> str:
        """The counts in one line; people of another sign-in get their accounts by the migration."""
        skipped = {
            "no owner": self.without_owner,
            "marked as deleted": self.deleted,
            "no account in auth.users": 0 if may_add_people else self.without_account,
        }
        return describe_counts(self.found, skipped)


def describe_counts(found: int, skipped: dict[str, int]) -> str:
    """The number of chats, of readable ones, and of those skipped, with each reason."""
    total = sum(skipped.values())
    why = ", ".join(f"{count} because of {reason}" for reason, count in skipped.items() if count)
    return f"{found} chats found, {found - total} readable, {total} skipped{f': {why}' if why else ''}"


def count_chats(connection: psycopg.Connection, found: ChatTables) -> ChatCounts:
    """Count the chats in the application's own table."""
    values = expressions(found, AuthorWords(["user"], ["assistant"], []))
    names = {"owner": "owner", "chats": "chats", "account": "c_owner", "is_deleted": "c_is_deleted"}
    parts = {name: sql.SQL(values[value]) for name, value in names.items()}
    row = connection.execute(sql.SQL(_COUNT).format(**parts)).fetchone()
    return ChatCounts(*row) if row else ChatCounts(0, 0, 0, 0)
