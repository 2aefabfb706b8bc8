"""Turns put before the scripted model as a service does it: over HTTP, with what is stored looked at afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx

from tests.fixtures.scene import Scene
from tests.http.conftest import Functions
from tests.model_server.script import Script

SAID = "My favorite food is ramen."
FOUND = "Favorite food is ramen"
"""What a good model makes of it."""


@dataclass(frozen=True)
class Asked:
    """A turn as it stands after it was looked at: what the caller was told, and what is stored."""

    message: UUID
    status: int
    said: dict[str, Any]
    row: dict[str, Any]

    @property
    def outcome(self) -> tuple[str, str | None]:
        """What the caller was told, in two words."""
        return self.said["status"], self.said["reason"]

    @property
    def texts(self) -> list[str]:
        """The memories the caller was told of."""
        return [memory["text"] for memory in self.said["memories"]]


class Asking:
    """Puts turns before the scripted model, as a service calls the function."""

    def __init__(self, scene: Scene, functions: Functions, script: Script) -> None:
        self.scene, self.functions, self.script = scene, functions, script

    async def about(self, text: str = SAID) -> Asked:
        """Say something a minute later, and have it looked at."""
        self.scene.clock.advance(minutes=1)
        return await self.again(self.scene.says(text))

    async def again(self, message: UUID) -> Asked:
        """Have a message looked at, for the first time or once more."""
        answer = await self.call(message)
        row = self.scene.row(message)
        assert row is not None
        return Asked(message, answer.status_code, answer.json(), row)

    async def call(self, message: UUID) -> httpx.Response:
        """Call the function for a message."""
        body = {"conversation_id": str(self.scene.chat), "message_id": str(message)}
        return await self.functions.call("extract-user-memory", body)

    def after(self, asked: Asked) -> float:
        """Seconds until the turn's next attempt."""
        seconds: float = (asked.row["next_attempt_at"] - self.scene.clock.now()).total_seconds()
        return seconds
