"""Replays the conversation through the chat backend, turn by turn, each one settled before the next is said."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID

from keepsake.local.demo.backend import ChatBackend, Row
from keepsake.local.demo.conversation import Chat, Script, Turn
from keepsake.local.demo.inspection import Evidence

LOST = "lost"


@dataclass(frozen=True, slots=True)
class Given:
    """A context that Keepsake gave for a person's message, and the conversation it was given in."""

    chat: Chat
    turn: Turn
    injection: Row


@dataclass(slots=True)
class Replay:
    """Plays a script and keeps every context that was handed out on the way."""

    script: Script
    backend: ChatBackend
    evidence: Evidence
    given: dict[UUID, Given] = field(default_factory=dict)

    def play(self) -> None:
        """Play every conversation of the script, in the order of its days, and then let the scheduler do its rounds."""
        for chat in self.script.chats:
            self.backend.open(chat, self.script.actors)
            self._play(chat)
        self.backend.run_cron()
        for turn in self.script.said_by_people():
            self.evidence.wait_for(turn.id)

    def ask(self, chat: Chat) -> Row:
        """Say the first message of a fresh conversation and return what the model would be told."""
        self.backend.open(chat, self.script.actors)
        return self._hear(chat, chat.turns[0])

    def _play(self, chat: Chat) -> None:
        for said, answer in zip(chat.turns[::2], chat.turns[1::2], strict=True):
            injection = self._hear(chat, said)
            self.backend.answer(chat, answer, injection.get("injection_id"))
            if said.webhook != LOST:
                self.backend.remember(chat, said)
                self.evidence.wait_for(said.id)

    def _hear(self, chat: Chat, turn: Turn) -> Row:
        self.backend.save(chat, turn)
        injection = self.backend.context_for(chat, turn)
        self.given[turn.id] = Given(chat, turn, injection)
        return injection
