"""Reads the bundled conversation and dates it: most days lie before today, the last one is this morning."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

CONVERSATION = Path(__file__).with_name("conversation.json")
TURN_INTERVAL = timedelta(seconds=80)


@dataclass(frozen=True, slots=True)
class Actor:
    """A person in the conversation, with the ids that the host application assigns."""

    key: str
    name: str
    email: str
    pronouns: str
    timezone: str
    profile_id: UUID


@dataclass(frozen=True, slots=True)
class Turn:
    """A message of a person or of the assistant."""

    id: UUID
    at: datetime
    author: str
    text: str
    expect: str | None = None
    """A word that the resulting memory must contain."""
    reason: str | None = None
    """Why the message must not become a memory."""
    is_reported: bool = True
    """False if the backend's call to ``chat-send`` is lost."""


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation; its owner is the first of its participants."""

    id: UUID
    title: str
    mode: str
    participants: tuple[str, ...]
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """What the demo replays, and what it then expects."""

    actors: dict[str, Actor]
    chats: tuple[Chat, ...]
    new_message: Chat
    must_contain: tuple[str, ...]
    must_not_contain: tuple[str, ...]
    doubtful_message: Chat
    doubted: str
    """The memory that may no longer hold; ``doubtful_message`` asks for it."""
    secrets: dict[str, str]

    def user_turns(self) -> list[Turn]:
        """The turns written by people, oldest first."""
        return [turn for chat in self.chats for turn in chat.turns if turn.author in self.actors]


def read_script(now: datetime) -> Script:
    """Read the conversation, with its times counted back from ``now``."""
    document = json.loads(CONVERSATION.read_text(encoding="utf-8"))
    new, doubtful = document["new_message"], document["doubtful_message"]
    doubted = doubtful.pop("doubted")
    must_contain, must_not_contain = tuple(new.pop("must_contain")), tuple(new.pop("must_not_contain"))
    return Script(
        actors={person["key"]: Actor(**person, profile_id=uuid4()) for person in document["people"]},
        chats=tuple(_chat(chat, now) for chat in document["conversations"]),
        new_message=_one_message(new, now),
        must_contain=must_contain,
        must_not_contain=must_not_contain,
        doubtful_message=_one_message(doubtful, now),
        doubted=doubted,
        secrets={secret["name"]: secret["text"] for secret in document["secrets"]},
    )


def _one_message(message: dict[str, Any], now: datetime) -> Chat:
    """A conversation of one message, at this moment."""
    turns = [{"author": message["author"], "text": message["text"]}]
    return _chat({"title": message["title"], "owner": message["author"], "turns": turns}, now)


def _chat(chat: dict[str, Any], now: datetime) -> Chat:
    start = now - timedelta(hours=chat.get("hours_ago", 0), days=chat.get("days_ago", 0))
    if "at" in chat:
        hour, minute = map(int, chat["at"].split(":"))
        start = start.replace(hour=hour, minute=minute, second=0, microsecond=0)
    turns = (Turn(id=uuid4(), at=start + TURN_INTERVAL * i, **turn) for i, turn in enumerate(chat["turns"]))
    participants = (chat["owner"], *chat.get("with", ()))
    return Chat(uuid4(), chat["title"], chat.get("mode", "chat"), participants, tuple(turns))
