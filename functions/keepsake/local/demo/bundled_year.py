"""Reads the bundled year of two people, and dates it: from the month thirteen months ago to the last month."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from keepsake.local.demo.bundled_conversation import TURN_INTERVAL, Actor, Chat, Turn

YEAR = Path(__file__).with_name("year.json")
ASSISTANT = "ilo"


@dataclass(frozen=True, slots=True)
class Year:
    """Two people and their conversations, oldest first; the newest are of the last month that is over."""

    actors: dict[str, Actor]
    chats: tuple[Chat, ...]


def read_year(now: datetime) -> Year:
    """Read the year; each message gets the local time of the person who writes."""
    document = json.loads(YEAR.read_text(encoding="utf-8"))
    actors = {person["key"]: Actor(**person, profile_id=uuid4()) for person in document["people"]}
    chats = [_chat(day, actors[day["author"]], now) for day in document["days"]]
    return Year(actors, tuple(sorted(chats, key=lambda chat: chat.turns[0].at)))


def months_before(day: date, months: int) -> date:
    """The first day of the month that lies this many months before the month of a day."""
    index = day.year * 12 + day.month - 1 - months
    return date(index // 12, index % 12 + 1, 1)


def _chat(day: dict[str, Any], actor: Actor, now: datetime) -> Chat:
    zone = ZoneInfo(actor.timezone)
    first = months_before(now.astimezone(zone).date(), day["months_ago"])
    start = datetime.combine(first.replace(day=day["day"]), time.fromisoformat(day["at"]), zone)
    authors = (actor.key, ASSISTANT)
    turns = (
        Turn(id=uuid4(), at=start + TURN_INTERVAL * i, author=authors[i % 2], text=text)
        for i, text in enumerate(day["turns"])
    )
    return Chat(uuid4(), f"{first:%B}", "chat", (actor.key,), tuple(turns))
