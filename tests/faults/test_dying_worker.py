"""A worker killed, or frozen, at any step of an extraction leaves nothing half-written, and the turn is made good."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.faults.dying_worker import DyingWorker
from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People

CLAIM_SECONDS = 0.4
STATEMENT_SECONDS = 1.0
LONG_SECONDS = 60.0
"""A limit for statements that no process frozen for a moment exceeds."""


@dataclass(frozen=True)
class Turn:
    """Somebody who liked pizza best, and says now that it is ramen."""

    person: Account
    chat: UUID
    message: UUID


Turns = Callable[[int], list[Turn]]


@pytest.fixture
def turns(people: People, now: datetime) -> Turns:
    def make(count: int) -> list[Turn]:
        made = []
        before = {"created_at": now - timedelta(hours=1), "valid_from": now - timedelta(hours=1)}
        slot = {"memory_key": "fact|person|self|favorite_food", "value": "pizza"}
        for _ in range(count):
            ada = people.person("Ada")
            chat = people.conversation(ada)
            people.memory(ada, "Favorite food is pizza", **slot, **before)
            made.append(Turn(ada, chat, people.says(ada, chat, "My favourite food is ramen.")))
        return made

    return make


class Work:
    """What the worker does with the turns of one database, with claims that go stale soon."""

    def __init__(self, db: Clone, worker: DyingWorker) -> None:
        self._database_url, self._worker = db.api_url, worker

    def on(self, turn: Turn, step: int | None = None, *, how: int = signal.SIGKILL, **settings: Any) -> dict[str, Any]:
        """What becomes of a turn, where the worker is interrupted before a step."""
        named = {"conversation_id": str(turn.chat), "message_id": str(turn.message)}
        soon = {"model_deadline_seconds": CLAIM_SECONDS / 2, "statement_timeout_seconds": STATEMENT_SECONDS}
        return self._worker.work(self._database_url, named, step, how=how, **soon | settings)

    def kill(self, turns: Sequence[Turn]) -> list[dict[str, Any]]:
        """Kill the worker before the first step of the first turn, the second of the second, and so on."""
        return [self.on(turn, step) for step, turn in enumerate(turns, start=1)]

    def go_on(self) -> dict[str, Any]:
        """What becomes of the turn whose worker was frozen."""
        return self._worker.go_on()


@pytest.fixture
def work(db: Clone, dying_worker: DyingWorker) -> Work:
    return Work(db, dying_worker)


def state(db: Clone, turn: Turn) -> dict[str, Any]:
    """Everything an extraction writes, of one turn."""
    food = (
        "select array_agg(status order by memory_no) from user_memory where user_id = %s and memory_key like '%%food'"
    )
    row = "select status, jsonb_array_length(results) as made, attempts from keepsake.extractions"
    found = db.all(f"{row} where source_message_id = %s", (turn.message,))
    changes = "select count(*) from keepsake.changes where user_id = %s and actor = 'rules'"
    index = "select count(*) from keepsake.memory_index where user_id = %s"
    return {
        "food": db.value(food, (turn.person.user_id,)),
        "row": found[0] if found else None,
        "changes": db.value(changes, (turn.person.user_id,)),
        "indexed": db.value(index, (turn.person.user_id,)),
    }


def assert_untouched(found: dict[str, Any], step: object = "") -> None:
    """Not looked at, or only claimed: nothing else is there."""
    assert (found["food"], found["changes"], found["indexed"]) == (["active"], 0, 2), (step, found)
    assert found["row"] is None or found["row"]["status"] == "claimed", (step, found)


def assert_done(found: dict[str, Any], step: object = "") -> None:
    """All of it is there, once."""
    assert (found["food"], found["changes"], found["indexed"]) == (["superseded", "active"], 2, 2), (step, found)
    assert (found["row"]["status"], found["row"]["made"]) == ("extracted", 1), (step, found)


def test_killed_at_any_step__nothing_is_half_written_and_the_next_worker_makes_it_good(
    db: Clone, turns: Turns, work: Work
) -> None:
    """Between claim, insert, changes, finish and commit: before each round trip a worker is killed outright."""
    (first,) = turns(1)
    whole = work.on(first)
    assert_done(state(db, first))
    assert whole["steps"] > 7
    dying = turns(whole["steps"])
    assert work.kill(dying) == [{"killed": step} for step in range(1, whole["steps"] + 1)]

    states = [state(db, turn) for turn in dying]  # what stood before each round trip
    claimed = [found for found in states if found["row"]]
    assert 3 < len(claimed) < len(states), "no step lies between the claim and the write"
    committed = sum(found["food"] == ["active"] for found in states)
    for step, found in enumerate(states):
        (assert_done if step >= committed else assert_untouched)(found, step)
    time.sleep(CLAIM_SECONDS)
    assert [work.on(turn)["status"] for turn in dying] == ["extracted"] * committed + ["duplicate"] * (
        len(dying) - committed
    )
    for step, turn in enumerate(dying, start=1):
        assert_done(state(db, turn), step)


def test_frozen_past_its_claim__another_takes_over_and_the_thawed_one_writes_nothing(
    db: Clone, turns: Turns, work: Work
) -> None:
    """A process stopped by the kernel between its claim and its write, and let go on after the other was done."""
    (first,) = turns(1)
    whole = work.on(first)
    (turn,) = turns(1)
    claimed = first_step(work, turns(whole["steps"]), lambda turn: state(db, turn)["row"] is not None)
    frozen = work.on(turn, claimed, how=signal.SIGSTOP, statement_timeout_seconds=LONG_SECONDS)
    assert frozen == {"stopped": claimed}
    assert_untouched(state(db, turn))
    time.sleep(CLAIM_SECONDS)
    assert work.on(turn)["status"] == "extracted"
    before = state(db, turn)
    assert work.go_on()["status"] == "duplicate"
    assert state(db, turn) == before
    assert_done(before)


def test_frozen_in_the_middle_of_its_write__does_not_hold_the_person_up(db: Clone, turns: Turns, work: Work) -> None:
    """Stopped with the person's locks in its hands: the database ends its transaction, and the next worker goes on."""
    (first, turn, later) = turns(3)
    whole = work.on(first)
    committing = first_step(work, turns(whole["steps"]), lambda turn: state(db, turn)["food"] != ["active"])
    assert work.on(turn, committing - 1, how=signal.SIGSTOP) == {"stopped": committing - 1}
    time.sleep(STATEMENT_SECONDS + CLAIM_SECONDS)
    assert work.on(turn)["status"] == "extracted"
    before = state(db, turn)
    assert "DatabaseUnavailable" in work.go_on()["status"]
    assert state(db, turn) == before
    assert_done(before)
    assert_untouched(state(db, later))


def first_step(work: Work, dying: Sequence[Turn], holds: Callable[[Turn], bool]) -> int:
    """The first of the steps before which, when a worker dies there, this holds."""
    work.kill(dying)
    return next((step for step, turn in enumerate(dying, start=1) if holds(turn)), len(dying))
