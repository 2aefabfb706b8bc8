"""A chat backend, as any host application has one: saves messages with supabase-py and calls Keepsake's functions."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast
from uuid import UUID

import httpx
from supabase import Client, create_client
from supabase.lib.client_options import SyncClientOptions

from keepsake.local.demo.bundled_conversation import Actor, Chat, Turn

Row = dict[str, Any]


def create_supabase_client(url: str, key: str, *, token: str | None = None) -> Client:
    """Create a client: the backend uses the secret key, a person the publishable key and their token."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    options = SyncClientOptions(headers=headers, httpx_client=httpx.Client(timeout=30), auto_refresh_token=False)
    return create_client(url, key, options=options)


def invoke(client: Client, function: str, **body: Any) -> Row:
    """Call a function of Keepsake."""
    return cast(Row, client.functions.invoke(function, invoke_options={"body": body, "responseType": "json"}))


class ChatBackend:
    """Stores the conversation, and calls Keepsake before and after each answer of the assistant."""

    def __init__(self, client: Client, actors: dict[str, Actor], user_ids: dict[str, UUID]) -> None:
        self._client, self._actors, self._user_ids = client, actors, user_ids

    def add_profiles(self) -> None:
        """Insert the primary profile of each person."""
        profiles = [
            {
                "id": str(actor.profile_id),
                "user_id": str(self._user_ids[key]),
                "name": actor.name,
                "pronouns": actor.pronouns,
                "timezone": actor.timezone,
                "is_primary": True,
            }
            for key, actor in self._actors.items()
        ]
        self._client.table("user_profile_list").insert(profiles).execute()

    def open(self, chat: Chat) -> None:
        """Start a conversation whose participants have chosen their primary profiles and are remembered."""
        start = (chat.turns[0].at - timedelta(minutes=1)).isoformat()
        participants = [
            {
                "conversation_id": str(chat.id),
                "user_id": str(self._user_ids[key]),
                "profile_id": str(self._actors[key].profile_id),
                "remember_since": start,
                "joined_at": start,
            }
            for key in chat.participants
        ]
        owner = {name: participants[0][name] for name in ("user_id", "profile_id")}
        conversation = {"id": str(chat.id), **owner, "mode": chat.mode, "title": chat.title, "created_at": start}
        self._client.table("conversations").insert(conversation).execute()
        self._client.table("conversations_participants").upsert(participants).execute()

    def save(self, chat: Chat, turn: Turn) -> None:
        """Insert a message of a person or of the assistant."""
        user_id = self._user_ids.get(turn.author)
        message = {
            "id": str(turn.id),
            "conversation_id": str(chat.id),
            "user_id": str(user_id) if user_id else None,
            "role": "user" if user_id else "assistant",
            "content": turn.text,
            "created_at": turn.at.isoformat(),
        }
        self._client.table("messages").insert(message).execute()

    def get_context(self, chat: Chat, turn: Turn) -> Row:
        """Ask Keepsake what the model should know before it answers."""
        return invoke(self._client, "inject-memory", conversation_id=str(chat.id), message_id=str(turn.id))

    def record_injection(self, injection_id: str, answer: Turn) -> None:
        """Tell Keepsake which answer was written with an injection."""
        invoke(self._client, "record-injection", injection_id=injection_id, message_id=str(answer.id))

    def report(self, chat: Chat, turn: Turn) -> None:
        """Tell Keepsake that a message was saved; a real backend does not wait for this call."""
        invoke(self._client, "chat-send", conversation_id=str(chat.id), message_id=str(turn.id))

    def run_cron(self) -> None:
        """Call the two functions that a scheduler calls."""
        invoke(self._client, "run-due-jobs")
        invoke(self._client, "archive-old-memories")

    def write_summaries(self, level: str) -> None:
        """Call the function that has the due summaries of a level written: days before weeks, weeks before months."""
        invoke(self._client, f"generate-{level}-summaries")
