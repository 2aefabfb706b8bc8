"""A worker killed, or frozen, at any step of an extraction leaves nothing half-written, and the turn is made good."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People
from tests.fixtures.tokens import JWT_SECRET, SECRET_KEY

WORKER = Path(__file__).with_name("dying.py")
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

    def at(self, step: int | None, how: int = signal.SIGKILL) -> dict[str, Any]:
        """The turn, interrupted before one of its steps."""
        return {"conversation_id": str(self.chat), "message_id": str(self.message), "step": step, "signal": how}


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


@contextmanager
def worker(
    db: Clone, turns: list[dict[str, Any]], statement_seconds: float = STATEMENT_SECONDS, **more: Any
) -> Iterator[subprocess.Popen[str]]:
    """The process that looks at the turns, with claims that go stale soon."""
    settings = {
        "database_url": db.api_url,
        "supabase_jwt_secret": JWT_SECRET,
        "supabase_secret_key": SECRET_KEY,
        "model_deadline_seconds": CLAIM_SECONDS / 2,
        "statement_timeout_seconds": statement_seconds,
        "log_level": "error",
        **more,
    }
    process = subprocess.Popen(
        [sys.executable, WORKER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        bufsize=1,
        env=os.environ,
    )
    assert process.stdin
    with process:
        process.stdin.write(json.dumps({"settings": settings, "turns": turns}) + "\n")
        try:
            yield process
        finally:
            process.stdin.close()
            process.wait(60)


def said(process: subprocess.Popen[str]) -> dict[str, Any]:
    """The next thing the worker says of a child."""
    assert process.stdout
    assert process.stderr
    line = process.stdout.readline()
    assert line, process.stderr.read()
    told: dict[str, Any] = json.loads(line)
    return told


def work(db: Clone, turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What became of each turn, where none of them is frozen."""
    with worker(db, turns) as process:
        return [said(process) for _ in turns]


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


def test_killed_at_any_step__nothing_is_half_written_and_the_next_worker_makes_it_good(db: Clone, turns: Turns) -> None:
    """Between claim, insert, changes, finish and commit: before each round trip a worker is killed outright."""
    (first,) = turns(1)
    (whole,) = work(db, [first.at(None)])
    assert_done(state(db, first))
    assert whole["steps"] > 7
    dying = turns(whole["steps"])
    killed = work(db, [turn.at(step) for step, turn in enumerate(dying, start=1)])
    assert killed == [{"killed": step} for step in range(1, whole["steps"] + 1)]

    states = [state(db, turn) for turn in dying]  # what stood before each round trip
    claimed = [found for found in states if found["row"]]
    assert 3 < len(claimed) < len(states), "no step lies between the claim and the write"
    committed = sum(found["food"] == ["active"] for found in states)
    for step, found in enumerate(states):
        (assert_done if step >= committed else assert_untouched)(found, step)
    time.sleep(CLAIM_SECONDS)
    again = work(db, [turn.at(None) for turn in dying])
    assert [line["status"] for line in again] == ["extracted"] * committed + ["duplicate"] * (len(dying) - committed)
    for step, turn in enumerate(dying, start=1):
        assert_done(state(db, turn), step)


def test_frozen_past_its_claim__another_takes_over_and_the_thawed_one_writes_nothing(db: Clone, turns: Turns) -> None:
    """A process stopped by the kernel between its claim and its write, and let go on after the other was done."""
    (first,) = turns(1)
    (whole,) = work(db, [first.at(None)])
    (turn,) = turns(1)
    claimed = first_step(db, turns, whole["steps"], lambda found: found["row"] is not None)
    with worker(db, [turn.at(claimed, signal.SIGSTOP)], LONG_SECONDS) as process:
        assert said(process) == {"stopped": claimed}
        assert_untouched(state(db, turn))
        time.sleep(CLAIM_SECONDS)
        (other,) = work(db, [turn.at(None)])
        assert other["status"] == "extracted"
        before = state(db, turn)
        assert process.stdin
        process.stdin.write("\n")
        assert said(process)["status"] == "duplicate"
    assert state(db, turn) == before
    assert_done(before)


def test_frozen_in_the_middle_of_its_write__does_not_hold_the_person_up(db: Clone, turns: Turns) -> None:
    """Stopped with the person's locks in its hands: the database ends its transaction, and the next worker goes on."""
    (first, turn, later) = turns(3)
    (whole,) = work(db, [first.at(None)])
    committing = first_step(db, turns, whole["steps"], lambda found: found["food"] != ["active"])
    with worker(db, [turn.at(committing - 1, signal.SIGSTOP)]) as process:
        assert said(process) == {"stopped": committing - 1}
        time.sleep(STATEMENT_SECONDS + CLAIM_SECONDS)
        (other,) = work(db, [turn.at(None)])
        assert other["status"] == "extracted"
        before = state(db, turn)
        assert process.stdin
        process.stdin.write("\n")
        assert "DatabaseUnavailable" in said(process)["status"]
    assert state(db, turn) == before
    assert_done(before)
    assert_untouched(state(db, later))


def first_step(db: Clone, turns: Turns, steps: int, holds: Callable[[dict[str, Any]], bool]) -> int:
    """The first of the steps before which, when a worker dies there, this holds."""
    dying = turns(steps)
    work(db, [turn.at(step) for step, turn in enumerate(dying, start=1)])
    return next((step for step, turn in enumerate(dying, start=1) if holds(state(db, turn))), steps)
