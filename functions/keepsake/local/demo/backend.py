"""The demo's chat backend: what any host application does around its model, with supabase-py and the secret key."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast
from uuid import UUID

import httpx
from supabase import Client, create_client
from supabase.lib.client_options import SyncClientOptions
from supabase_functions.errors import FunctionsHttpError

from keepsake.local.demo.conversation import Actor, Chat, Turn

Row = dict[str, Any]


def connect(url: str, key: str, *, token: str | None = None) -> Client:
    """A supabase-py client: the backend's with the secret key, a person's with the publishable key and their token."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    options = SyncClientOptions(headers=headers, httpx_client=httpx.Client(timeout=30), auto_refresh_token=False)
    return create_client(url, key, options=options)


def invoke(client: Client, function: str, body: Row) -> Row:
    """Call one of Keepsake's functions."""
    options = {"body": body, "responseType": "json"}
    return cast(Row, client.functions.invoke(function, invoke_options=options))


def refusal(error: FunctionsHttpError) -> str:
    """What a function said when it refused; supabase-py keeps it one level down."""
    cause = error.__cause__
    said = cause.response.json()["message"] if isinstance(cause, httpx.HTTPStatusError) else error.message
    return f"{said} ({error.status})"


class ChatBackend:
    """Stores the conversation, and calls Keepsake before and after each answer."""

    def __init__(self, client: Client, user_ids: dict[str, UUID]) -> None:
        self._client = client
        self._user_ids = user_ids

    def add_profile(self, actor: Actor) -> None:
        """The person fills in who they are; memory belongs to this primary profile."""
        profile = {
            "id": str(actor.profile_id),
            "user_id": str(self._user_ids[actor.key]),
            "name": actor.name,
            "pronouns": actor.pronouns,
            "timezone": actor.timezone,
            "is_primary": True,
        }
        self._client.table("user_profile_list").insert(profile).execute()

    def open(self, chat: Chat, actors: dict[str, Actor]) -> None:
        """Start a conversation in which each person has chosen their own profile, and with it, to be remembered."""
        begun = (chat.turns[0].at - timedelta(minutes=1)).isoformat()
        owner = chat.people[0]
        conversation = {
            "id": str(chat.id),
            "user_id": str(self._user_ids[owner]),
            "profile_id": str(actors[owner].profile_id),
            "mode": chat.mode,
            "title": chat.title,
            "created_at": begun,
        }
        self._client.table("conversations").insert(conversation).execute()
        takes_part = [
            {
                "conversation_id": str(chat.id),
                "user_id": str(self._user_ids[person]),
                "profile_id": str(actors[person].profile_id),
                "remember_since": begun,
                "joined_at": begun,
            }
            for person in chat.people
        ]
        self._client.table("conversations_participants").upsert(takes_part).execute()

    def save(self, chat: Chat, turn: Turn) -> None:
        """Save what a person said, before anything else happens with it."""
        self._insert(chat, turn, role="user", user_id=str(self._user_ids[turn.who]))

    def context_for(self, chat: Chat, turn: Turn) -> Row:
        """Ask Keepsake what the model should know before it answers."""
        return invoke(self._client, "inject-memory", {"conversation_id": str(chat.id), "message_id": str(turn.id)})

    def answer(self, chat: Chat, turn: Turn, injection_id: str | None) -> None:
        """Save the assistant's answer and say which memories were in front of the model when it was written."""
        self._insert(chat, turn, role="assistant", user_id=None)
        if injection_id:
            used = {"injection_id": injection_id, "message_id": str(turn.id)}
            invoke(self._client, "record-injection", used)

    def remember(self, chat: Chat, turn: Turn) -> None:
        """Tell Keepsake that a turn is saved; a real backend does not wait for this call."""
        invoke(self._client, "chat-send", {"conversation_id": str(chat.id), "message_id": str(turn.id)})

    def run_cron(self) -> None:
        """Do what a scheduler does: every minute, find what was missed; every night, end what is over."""
        invoke(self._client, "run-due-jobs", {})
        invoke(self._client, "archive-old-memories", {})

    def _insert(self, chat: Chat, turn: Turn, *, role: str, user_id: str | None) -> None:
        message = {
            "id": str(turn.id),
            "conversation_id": str(chat.id),
            "user_id": user_id,
            "role": role,
            "content": turn.says,
            "created_at": turn.at.isoformat(),
        }
        self._client.table("messages").insert(message).execute()
