"""People who chat: each with a profile, and what is remembered and injected of what they say, on a real database."""

from __future__ import annotations

import json
from dataclasses import dataclass
from uuid import UUID, uuid4

import psycopg

from bench.harness.stage import Stage
from keepsake.identity import Person
from keepsake.infra.resources import Resources
from keepsake.usecases.embed_memories import embed_memories
from keepsake.usecases.extract_user_memory import extract_user_memory
from keepsake.usecases.import_memories import import_memories
from keepsake.usecases.inject_memory import ContextRequest, Injected, inject_memory

KNOWN_BEFORE = (
    "Has a collection of old maps", "Goes to a choir on Tuesdays", "Favorite season is spring",
    "Is interested in beekeeping museums", "Watches quiz shows", "Uses a fountain pen", "Favorite color is beige",
    "Prefers aisle seats", "Reads crime novels", "Plays badminton", "Dislikes loud restaurants",
    "Wants to see the northern lights", "Is afraid of spiders", "Grows herbs on a window sill", "Wears contact lenses",
    "Has a library card", "Likes thunderstorms", "Listens to radio plays", "Enjoys jigsaw puzzles", "Knits scarves",
)  # fmt: skip
"""What is known of a person of a dialogue beside it; a context should not be filled with it."""

_MEMORIES = """
select memory_text from public.user_memory
where user_id = %s and source <> 'import' and (not %s or status = 'active' and doubted_at is null)
order by memory_no
"""


@dataclass(frozen=True, slots=True)
class Chatter:
    """A new person, and the functions as a chat backend calls them."""

    on: Stage
    resources: Resources
    user_id: UUID
    profile_id: UUID

    @classmethod
    def sign_up(cls, on: Stage, resources: Resources) -> Chatter:
        """Create a person with a primary profile."""
        user, profile = uuid4(), uuid4()
        with psycopg.connect(on.superuser_url, autocommit=True) as connection:
            connection.execute("insert into auth.users (id) values (%s)", (user,))
            statement = "insert into public.user_profile_list (id, user_id, is_primary) values (%s, %s, true)"
            connection.execute(statement, (profile, user))
        return cls(on, resources, user, profile)

    def open_chat(self) -> UUID:
        """Open a conversation in which the person is remembered."""
        chat = uuid4()
        with psycopg.connect(self.on.superuser_url, autocommit=True) as connection:
            statement = "insert into public.conversations (id, user_id, profile_id) values (%s, %s, %s)"
            connection.execute(statement, (chat, self.user_id, self.profile_id))
        return chat

    def answer(self, chat: UUID, text: str) -> None:
        """Save a message of the assistant."""
        self._write(chat, None, "assistant", text)

    async def say(self, chat: UUID, text: str) -> UUID:
        """One turn: the context is read, the message answered and looked at; returns its id."""
        message = self._write(chat, self.user_id, "user", text)
        await inject_memory(self.resources, ContextRequest(chat, message_id=message))
        await extract_user_memory(self.resources, conversation_id=chat, message_id=message)
        self.answer(chat, "Okay.")
        return message

    async def ask(self, chat: UUID, text: str) -> Injected:
        """The context of a message, when the jobs have embedded what was remembered, as they do within seconds."""
        while (await embed_memories(self.resources)).embedded:
            pass
        message = self._write(chat, self.user_id, "user", text)
        return await inject_memory(self.resources, ContextRequest(chat, message_id=message))

    async def know(self, texts: tuple[str, ...] = KNOWN_BEFORE) -> None:
        """Import what is known of the person."""
        rows = [{"memory_text": text, "confidence_score": 0.7} for text in texts]
        await import_memories(self.resources, Person(self.user_id), json.dumps(rows).encode())

    def memories(self, *, active: bool = True) -> list[str]:
        """The texts that hold now, or that were ever stored; what was imported is not among them."""
        with psycopg.connect(self.on.superuser_url, autocommit=True) as connection:
            return [text for (text,) in connection.execute(_MEMORIES, (self.user_id, active))]

    def _write(self, chat: UUID, author: UUID | None, role: str, text: str) -> UUID:
        message = uuid4()
        with psycopg.connect(self.on.superuser_url, autocommit=True) as connection:
            connection.execute(
                "insert into public.messages (id, conversation_id, user_id, role, content, created_at)"
                " values (%s, %s, %s, %s, %s, clock_timestamp())",
                (message, chat, author, role, text),
            )
        return message
