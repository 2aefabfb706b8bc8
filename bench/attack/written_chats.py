"""How people, chats and messages are written: into Keepsake's tables, or into an application's, which are copied."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

from tests.operations.layouts import BIGINTS, Layout

Sql = Callable[[str, dict[str, Any]], list[dict[str, Any]]]
"""Runs a statement as the owner of the database."""
_PROFILE = """
insert into public.user_profile_list (id, user_id, name, is_primary) values (%(profile)s, %(user)s, %(name)s, true)
"""
_CHAT = "insert into public.conversations (id, user_id, profile_id) values (%(chat)s, %(user)s, %(profile)s)"
_CONSENT = """
insert into public.conversations_participants (conversation_id, user_id, profile_id, memory_enabled, remember_since)
values (%(chat)s, %(user)s, %(profile)s, true, now() - interval '1 day')
on conflict (conversation_id, user_id) do update
  set profile_id = excluded.profile_id, memory_enabled = true, remember_since = excluded.remember_since
"""
_APPLICATION_PERSON = "insert into public.user_profile_list (user_id, name) values (%(user)s, %(name)s)"
_APPLICATION_CHAT = "insert into public.conversations (id, user_id, title) values (%(chat)s, %(user)s, 'New')"
_AGREES = "select public.agree_to_memory_for(%(user)s, now() - interval '1 day')"
_PRIMARY_PROFILE = "select id from keepsake_chats.user_profile_list where user_id = %(user)s and is_primary"


class OwnChats:
    """An application without tables of chats, which writes into Keepsake's."""

    layout: Layout | None = None
    """The application's own tables, if it has any."""
    deletions = (
        "delete from auth.users where id = %(user)s",
        "delete from public.user_profile_list where id = %(profile)s",
        "delete from public.conversations where id = %(chat)s",
        "delete from public.messages where id = %(message)s",
    )
    """What the application deletes, by the ids of the API."""

    def begin(self, sql: Sql, user: UUID, name: str) -> tuple[UUID, UUID]:
        """Let a person with an account agree, and begin a chat; the ids of profile and chat."""
        profile, chat = uuid4(), uuid4()
        for statement in (_PROFILE, _CHAT, _CONSENT):
            sql(statement, {"user": user, "profile": profile, "chat": chat, "name": name})
        return profile, chat

    def message(self, user: UUID, chat: UUID, text: str) -> tuple[UUID, dict[str, Any]]:
        """The id of a new message of the person, and its row in ``messages``."""
        message = uuid4()
        row = {"id": str(message), "conversation_id": str(chat), "user_id": str(user)}
        return message, {**row, "role": "user", "content": text}


class CopiedChats(OwnChats):
    """An application with tables of the same names, whose keys are numbers; the ids of the API are made of these."""

    layout = BIGINTS
    deletions = (
        "delete from auth.users where id = %(user)s",
        "delete from keepsake_chats.user_profile_list where id = %(profile)s",
        "delete from public.conversations where md5('chats ' || id)::uuid = %(chat)s",
        "delete from public.messages where md5('messages ' || id)::uuid = %(message)s",
    )

    def begin(self, sql: Sql, user: UUID, name: str) -> tuple[UUID, UUID]:
        """Add the application's rows, then agree as its backend would."""
        for statement in (_APPLICATION_PERSON, _APPLICATION_CHAT, _AGREES):
            sql(statement, {"user": user, "chat": _number(user), "name": name})
        profile: UUID = sql(_PRIMARY_PROFILE, {"user": user})[0]["id"]
        return profile, _id_of("chats", _number(user))

    def message(self, user: UUID, chat: UUID, text: str) -> tuple[UUID, dict[str, Any]]:  # noqa: ARG002 (see _number)
        """The same, in the application's columns."""
        number = _number(uuid4())
        row = {"id": number, "conversation_id": _number(user), "sender": "human", "content": text}
        return _id_of("messages", number), row


def _number(own_id: UUID) -> int:
    """A key of the application's: the chat of a person is named by them."""
    return own_id.int % 2**63


def _id_of(kind: str, number: int) -> UUID:
    return UUID(hashlib.md5(f"{kind} {number}".encode(), usedforsecurity=False).hexdigest())
