"""What the parts of the demo share: the script, the signed-in people, the backend, and the contexts it got."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

from psycopg.rows import DictRow
from supabase import Client

from keepsake.local.demo.backend import ChatBackend, Row
from keepsake.local.demo.bundled_conversation import Chat, Script, Turn
from keepsake.local.demo.bundled_year import Year
from keepsake.local.demo.read_database import DatabaseProbe


@dataclass(frozen=True, slots=True)
class RunningDemo:
    """The running demo."""

    script: Script
    year: Year
    backend: ChatBackend
    probe: DatabaseProbe
    user_ids: dict[str, UUID]
    clients: dict[str, Client]
    anonymous: Client
    logs: tuple[Path, ...]
    injections: list[tuple[Chat, Turn, Row]] = field(default_factory=list)
    """Each context that Keepsake returned, with the message it was for."""

    def memories(self) -> dict[str, list[DictRow]]:
        """Return the memories of each person of the conversation, by the person's key."""
        return {key: self.probe.memories(self.user_ids[key]) for key in self.script.actors}

    def send(self, chat: Chat, turn: Turn) -> Row:
        """Save a message and return the context for its answer."""
        self.backend.save(chat, turn)
        injection = self.backend.get_context(chat, turn)
        self.injections.append((chat, turn, injection))
        return injection

    def replay_year(self) -> None:
        """Replay the year, whose answers were written long ago, and write the summaries that are due."""
        for chat in self.year.chats:
            self.backend.open(chat)
            for turn in chat.turns:
                self.backend.save(chat, turn)
                self.backend.report(chat, turn)
                if turn.author in self.user_ids:
                    self.probe.wait_for(turn.id)
        for level in ("daily", "weekly", "monthly"):
            self.backend.write_summaries(level)
            self.probe.wait_for_summaries()

    def replay(self) -> None:
        """Replay each conversation, waiting for each extraction, and then run the scheduled functions."""
        for chat in self.script.chats:
            self.backend.open(chat)
            for message, answer in zip(chat.turns[::2], chat.turns[1::2], strict=True):
                injection = self.send(chat, message)
                self.backend.save(chat, answer)
                if injection["injection_id"]:
                    self.backend.record_injection(injection["injection_id"], answer)
                if message.is_reported:
                    self.backend.report(chat, message)
                    self.probe.wait_for(message.id)
        self.backend.run_cron()
        for turn in self.script.user_turns():
            self.probe.wait_for(turn.id)
