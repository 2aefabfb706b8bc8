"""Whatever a person says, edits, forgets, brings back, undoes and erases, in whatever order: the invariants hold."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, LiteralString
from uuid import UUID

import psycopg
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from keepsake.infra.readers import Readers
from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.usecases.archive_old_memories import archive_old_memories
from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from keepsake.usecases.extract_user_memory import extract_user_memory
from tests.fixtures.clock import FixedClock
from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People
from tests.sql.gap_checks import INVARIANTS, gaps

SAYINGS = (
    "I love ramen.", "I'm really into ramen.", "ramen is my favourite food.", "I don't like ramen any more.",
    "My favourite food is pizza.", "I hate pizza.", "I live in Austin.", "I used to live in Austin, now Lisbon.",
    "I moved to Lisbon.", "I work at Acme.", "I no longer work at Acme.", "I like chess.", "I like hiking.",
    "I'm vegetarian.", "I'm no longer vegetarian.", "My girlfriend is Anna.", "We broke up.", "I have a dog named Rex.",
    "Rex died.", "moved again lol", "things with Anna ended", "not at Acme any more", "jk",
    "My son leo is 4.", "My son Leo is 5.", "My exam is next Friday.", "I feel tired.",
    "I live in Graz. I love ramen. My favourite color is blue.",
)  # fmt: skip
_WHICH = st.integers(0, 30)
_USAGE = frozenset({"updated_at", "reference_count", "last_referenced_at"})
Row = dict[str, Any]


@dataclass
class World:
    """What every run of the machine shares: one database, one set of resources, one loop that waits."""

    db: Clone
    people: People
    clock: FixedClock
    resources: Resources
    runner: asyncio.Runner
    owner: psycopg.Connection[Any]


class Life(RuleBasedStateMachine):
    """One person's memory, in the hands of everybody who may change it."""

    world: World

    def __init__(self) -> None:
        super().__init__()
        self.world.clock.at = self.began = datetime.now(UTC).replace(microsecond=0)
        self.ada: Account = self.world.people.person("Ada")
        self.chat = self.world.people.conversation(self.ada)
        self.before = gaps(self.world.owner, INVARIANTS)  # what a life that failed has left behind
        self.done: list[tuple[UUID, list[Row]]] = []
        """Each operation that was the only one of its step, and how everything was before it."""

    @rule(text=st.sampled_from(SAYINGS), late=st.integers(0, 3))
    def say(self, text: str, late: int) -> None:
        """Say something, perhaps on a device that was offline for some days."""
        self.world.clock.advance(minutes=1)
        at = self.world.clock.now() - timedelta(days=late)
        message = self.world.people.says(self.ada, self.chat, text, created_at=at)
        self._step(
            lambda: self._wait(extract_user_memory(self.world.resources, conversation_id=self.chat, message_id=message))
        )

    @rule(which=_WHICH, text=st.sampled_from(("Likes ramen", "Lives in Oslo", "Paints on Sundays")))
    def edit(self, which: int, text: str) -> None:
        """The person writes it anew, as the panel would."""
        self._as_person("update public.user_memory set memory_text = %s where id = %s", text, self._memory(which))

    @rule(which=_WHICH)
    def pin(self, which: int) -> None:
        """Pin it, or take the pin out."""
        self._as_person("update public.user_memory set pinned = not pinned where id = %s", self._memory(which))

    @rule(which=_WHICH, call=st.sampled_from(("forget_memory", "restore_memory", "confirm_memory", "end_memory")))
    def decide(self, which: int, call: str) -> None:
        """Forget it, bring it back, or say that it is right or over."""
        calls: dict[str, LiteralString] = {
            "forget_memory": "select public.forget_memory(%s)",
            "restore_memory": "select public.restore_memory(%s)",
            "confirm_memory": "select public.confirm_memory(%s)",
            "end_memory": "select public.end_memory(%s)",
        }
        self._as_person(calls[call], self._memory(which))

    @rule(which=_WHICH)
    def count_use(self, which: int) -> None:
        """An answer uses a memory: that is no change, and nothing stands in its way."""
        with self.world.db.as_service() as connection:
            connection.execute(
                "update public.user_memory set reference_count = reference_count + 1, last_referenced_at = now()"
                " where id = %s",
                (self._memory(which),),
            )

    @rule()
    def undo_the_last(self) -> None:
        """Everything is as it was before, but for its use."""
        if not self.done:
            return
        operation, before = self.done.pop()
        self._as_person("select public.undo_operation(%s)", operation, may_fail=False)
        assert self._rows() == before

    @rule(which=_WHICH)
    def undo_any(self, which: int) -> None:
        """Undone, or refused whole: a later change stands in the way."""
        found = self.world.db.all(
            "select operation_id from keepsake.changes where user_id = %s group by 1 order by min(seq)",
            (self.ada.user_id,),
        )
        if found:
            self._as_person("select public.undo_operation(%s)", found[which % len(found)]["operation_id"])

    @rule(days=st.sampled_from((1, 8)))
    def archive(self, days: int) -> None:
        """Time passes, and what has had its time ends; no month, for the database's own clock stands where it is."""
        if self.world.clock.now() - self.began < timedelta(days=20):
            self.world.clock.advance(days=days)
        self._wait(archive_old_memories(self.world.resources, max_seconds=300))
        self.done.clear()

    @rule(which=_WHICH, everything=st.sampled_from((False, False, True)))
    def erase(self, which: int, *, everything: bool) -> None:
        """What is erased is in no row and no change."""
        target = self._memory(which)
        if not target.int:
            return
        wish = EraseRequest(everything=True) if everything else EraseRequest(memory_ids=[str(target)])
        answer: Any = self._wait(erase_memories(self.world.resources, self.ada.identity, wish))
        assert not any((answer.remaining or {}).values())
        left = [row["id"] for row in self._rows()]
        assert left == [] if everything else target not in left
        assert not self.world.db.all("select from keepsake.changes where row_id = %s", (target,))
        self.world.clock.advance(minutes=1)
        self.done.clear()
        if everything:  # so that there is always something to speak of
            self.world.people.memory(self.ada, "Name is Ada", memory_key="fact|person|self|name", value="ada")

    @invariant()
    def holds(self) -> None:
        """After every step nothing is found that was not there before this life."""
        assert gaps(self.world.owner, INVARIANTS) == self.before

    def _memory(self, which: int) -> UUID:
        rows = self._rows()
        found: UUID = rows[which % len(rows)]["id"] if rows else UUID(int=0)
        return found

    def _rows(self) -> list[Row]:
        rows = self.world.db.all(
            "select m.*, i.lexemes::text from public.user_memory as m left join keepsake.memory_index as i"
            " on i.user_id = m.user_id and i.memory_id = m.id where m.user_id = %s order by m.memory_no",
            (self.ada.user_id,),
        )
        return [{name: value for name, value in row.items() if name not in _USAGE} for row in rows]

    def _as_person(self, statement: LiteralString, *given: object, may_fail: bool = True) -> None:
        def act() -> None:
            with self.world.db.as_person(self.ada.user_id) as connection:
                connection.execute(statement, given)

        try:
            self._step(act)
        except psycopg.Error as refusal:
            if not may_fail or refusal.sqlstate not in {"PT409", "PT404", "PT410", "23505"}:
                raise

    def _step(self, act: Any) -> None:
        """Do something, and remember how to check that it was undone."""
        before, newest = self._rows(), self._newest()
        act()
        made = self.world.db.all(
            "select distinct operation_id from keepsake.changes where user_id = %s and seq > %s",
            (self.ada.user_id, newest),
        )
        if len(made) == 1:
            self.done.append((made[0]["operation_id"], before))
        elif made:
            self.done.clear()

    def _newest(self) -> int:
        return int(self.world.db.value("select coalesce(max(seq), 0) from keepsake.changes"))

    def _wait(self, work: Any) -> Any:
        return self.world.runner.run(work)


@pytest.fixture
def world(db: Clone, people: People, clock: FixedClock, settings: Settings, readers: Readers) -> Iterator[World]:
    """A database that every life of the run is lived in."""
    with asyncio.Runner() as runner, psycopg.connect(db.owner_url, autocommit=True) as owner:
        resources = Resources.build(settings, clock=clock)
        yield World(db, people, clock, replace(resources, readers=readers), runner, owner)
        runner.run(resources.close())


def test_any_life__keeps_the_invariants_and_undo_restores_exactly(world: World) -> None:
    class LifeHere(Life):
        pass

    LifeHere.world = world
    run_state_machine_as_test(
        LifeHere,
        settings=settings(
            max_examples=12, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck)
        ),
    )
