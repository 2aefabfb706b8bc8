"""Turns put before the scripted model as a service does it: over HTTP, with what is stored looked at afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import pytest

from tests.fixtures.model import API_KEY
from tests.fixtures.scene import Scene
from tests.http.conftest import Functions
from tests.model_server.script import Script

SAID = "My favorite food is ramen."
FOUND = "Favorite food is ramen"
"""What a good model makes of it."""

WAITS = ("queued", "model_unavailable")


@dataclass(frozen=True)
class Asked:
    """A turn as it stands after it was looked at: what the caller was told, and what is stored."""

    message: UUID
    answer: httpx.Response
    row: dict[str, Any]

    @property
    def said(self) -> dict[str, Any]:
        """What the caller was told."""
        told: dict[str, Any] = self.answer.json()
        return told

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
        return Asked(message, answer, row)

    async def call(self, message: UUID) -> httpx.Response:
        """Call the function for a message."""
        body = {"conversation_id": str(self.scene.chat), "message_id": str(message)}
        return await self.functions.call("extract-user-memory", body)

    async def when_due(self, asked: Asked) -> Asked:
        """Have it looked at once more, when its next attempt has come."""
        self.scene.clock.advance(seconds=self.wait(asked))
        return await self.again(asked.message)

    def wait(self, asked: Asked) -> float:
        """Seconds until the turn's next attempt."""
        seconds: float = (asked.row["next_attempt_at"] - self.scene.clock.now()).total_seconds()
        return seconds

    def assert_waiting(self, asked: Asked) -> None:
        """It is noted, will come back, and there is nothing of it yet."""
        assert (asked.answer.status_code, asked.outcome) == (202, WAITS)
        assert (asked.said["memories"], asked.said["generator"]) == ([], None)
        row = asked.row
        assert (row["status"], row["claim_token"], row["finished_at"]) == ("pending", None, None)
        assert (row["results"], row["dropped"], row["generator"], row["operation_id"]) == ([], {}, None, None)
        assert self.wait(asked) > 0
        assert self.scene.told() == []
        assert self.scene.db.value("select count(*) from keepsake.changes where actor in ('llm', 'rules')") == 0

    def assert_read_by(self, generator: str, asked: Asked, *texts: str) -> None:
        """It is finished, and these are its memories, of all that there are."""
        assert (asked.answer.status_code, asked.outcome) == (200, ("extracted", None)), asked.answer.text
        assert asked.said["generator"] == generator
        assert asked.texts == list(texts)
        assert (asked.row["status"], asked.row["generator"]) == ("extracted", generator)
        assert (asked.row["claim_token"], asked.row["next_attempt_at"]) == (None, None)
        assert asked.row["finished_at"] is not None
        assert self.scene.told() == list(texts)


def assert_nothing_leaks(asked: Asked, capfd: pytest.CaptureFixture[str]) -> None:
    """Neither what the endpoint said, nor the key, nor the person's words stand in a refusal or in a log."""
    logged = "".join(capfd.readouterr())
    for never in ("sk-scripted", API_KEY, "ramen", "nginx"):
        assert never not in asked.answer.text + logged, never
    assert set(asked.said) == {"status", "reason", "extraction_id", "generator", "memories"}
