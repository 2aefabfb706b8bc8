"""Sixty turns saved and announced while the model is down, and cron that comes by until they are done."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from uuid import UUID

from keepsake.usecases.chat_send import chat_send
from keepsake.usecases.run_due_jobs import run_due_jobs
from tests.fixtures.scene import Scene

TURNS = 10
"""Turns each of them takes."""

PEOPLE = ("Ben", "Cleo", "Dora", "Emil", "Finn", "Gita")
ALL = len(PEOPLE) * TURNS


@dataclass(frozen=True)
class Backlog:
    """Everybody's turns, each of its own wording."""

    scene: Scene
    turns: list[tuple[UUID, UUID]]

    async def cron(self, *, seconds: float = 0) -> None:
        """Let time pass, and cron come by."""
        self.scene.clock.advance(seconds=seconds)
        await run_due_jobs(self.scene.resources, max_seconds=20)

    def unfinished(self) -> int:
        """How many turns are not done with."""
        count: int = self.scene.db.value(
            "select count(*) from public.messages as m where not exists"
            " (select from keepsake.extractions as e where e.source_message_id = m.id and e.finished_at is not null)"
        )
        return count

    async def drain(self, *, every: float, at_most: float) -> None:
        """Cron comes by, again and again, until all is done."""
        for _ in range(int(at_most / every)):
            if not self.unfinished():
                return
            await self.cron(seconds=every)
        assert not self.unfinished(), "the backlog never drained"

    def assert_each_read_once(self, *generators: str) -> None:
        """Every turn has one memory of its own, and none counts as told twice."""
        rows = self.scene.db.all("select status, reason, generator from keepsake.extractions")
        assert len(rows) == ALL
        assert {(row["status"], row["reason"]) for row in rows} == {("extracted", None)}
        assert {row["generator"] for row in rows} <= {*generators}
        made = self.scene.db.one(
            "select count(*) as made, count(distinct source_message_id) as turns, max(reference_count) as again"
            " from public.user_memory where source in ('llm_extraction', 'rule_extraction')"
        )
        assert dict(made) == {"made": ALL, "turns": ALL, "again": 0}


async def announced(scene: Scene) -> Backlog:
    """Save the turns, and announce them as their webhooks would."""
    turns: list[tuple[UUID, UUID]] = []
    numbers = count(1)
    for person in map(scene.people.person, PEOPLE):
        chat = scene.people.conversation(person)
        said = (f"I like tea number {next(numbers)}." for _ in range(TURNS))
        turns += [(chat, scene.says(text, person=person, chat=chat)) for text in said]
    for chat, message in turns:
        await chat_send(scene.resources, conversation_id=chat, message_id=message)
    return Backlog(scene, turns)
