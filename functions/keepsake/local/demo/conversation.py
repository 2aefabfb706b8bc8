"""Reads the bundled conversation and sets it in time: the days before now, the last one this morning."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

CONVERSATION = Path(__file__).with_name("conversation.json")
BETWEEN_TURNS = timedelta(seconds=80)


@dataclass(frozen=True, slots=True)
class Actor:
    """One of the people in the conversation, with the ids the host gives them."""

    key: str
    name: str
    email: str
    pronouns: str
    timezone: str
    profile_id: UUID


@dataclass(frozen=True, slots=True)
class Turn:
    """One message; ``keeps`` is a word its memory must hold, ``because`` says why it must make none.

    ``webhook`` is ``lost`` where the backend's call after the turn never arrives.
    """

    id: UUID
    who: str
    says: str
    at: datetime
    keeps: str | None = None
    because: str | None = None
    webhook: str = "sent"


@dataclass(frozen=True, slots=True)
class Chat:
    """One conversation, its owner first among the people in it."""

    id: UUID
    title: str
    mode: str
    people: tuple[str, ...]
    turns: tuple[Turn, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """Everything the demo replays and everything it then expects."""

    assistant: str
    actors: dict[str, Actor]
    chats: tuple[Chat, ...]
    new_message: Chat
    must_hold: tuple[str, ...]
    must_not_hold: tuple[str, ...]
    secrets: dict[str, str]

    def said_by_people(self) -> list[Turn]:
        """The turns that are a person's own words, oldest first."""
        return [turn for chat in self.chats for turn in chat.turns if turn.who in self.actors]


def read_script(now: datetime) -> Script:
    """The conversation with its times counted back from ``now``."""
    written = json.loads(CONVERSATION.read_text(encoding="utf-8"))
    new = written["new_message"]
    people = ({**person, "profile_id": uuid4()} for person in written["people"])
    return Script(
        assistant=written["assistant"],
        actors={person["key"]: Actor(**person) for person in people},
        chats=tuple(_chat(chat, now) for chat in written["conversations"]),
        new_message=_chat({**new, "owner": new["who"], "hours_ago": 0, "turns": [new]}, now),
        must_hold=tuple(new["must_hold"]),
        must_not_hold=tuple(new["must_not_hold"]),
        secrets={secret["what"]: secret["text"] for secret in written["secrets"]},
    )


def _chat(written: dict[str, Any], now: datetime) -> Chat:
    begins = _begins(written, now)
    told = ("keeps", "because", "webhook")
    turns = (
        Turn(
            id=uuid4(),
            who=turn["who"],
            says=turn["says"],
            at=begins + BETWEEN_TURNS * place,
            **{name: turn[name] for name in told if name in turn},
        )
        for place, turn in enumerate(written["turns"])
    )
    people = (written["owner"], *written.get("with", ()))
    return Chat(uuid4(), written["title"], written.get("mode", "chat"), people, tuple(turns))


def _begins(written: dict[str, Any], now: datetime) -> datetime:
    if "hours_ago" in written:
        return now - timedelta(hours=written["hours_ago"])
    hour, minute = map(int, written["at"].split(":"))
    return (now - timedelta(days=written["days_ago"])).replace(hour=hour, minute=minute, second=0, microsecond=0)
