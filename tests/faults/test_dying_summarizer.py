"""A worker killed at twenty steps of writing summaries: once another is done, there is exactly one of each."""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.faults.dying_worker import DyingWorker
from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People
from tests.model_server.running import ModelServer
from tests.support.summaries import on

KILLS = 20
TEXT = "Ada lives in Graz [1]."
REPLY: dict[str, Any] = dict.fromkeys(("summary", "emotional_summary", "cognitive_summary"), TEXT) | {
    name: [] for name in ("key_themes", "dominant_patterns", "energy_shifts")
}
TIME = {"model_deadline_seconds": 60.0, "statement_timeout_seconds": 60.0}
TABLES = ("daily", "weekly", "monthly")


@pytest.fixture
def owners(people: People, db: Clone, model: ModelServer) -> Sequence[Account]:
    """People who each remember one thing of a day long ago, of which the model writes three summaries."""
    model.script.always({"content": json.dumps(REPLY)})
    moment = on("2024-10-31")
    owners = [people.person("Ada") for _ in range(KILLS + 1)]
    db.run("delete from keepsake.summary_marks")
    db.run("delete from keepsake.summary_periods")
    for owner in owners:
        people.memory(owner, "Lives in Graz", source="rule_extraction", created_at=moment, valid_from=moment)
    db.all("select keepsake.fold_summary_marks(1000)")
    db.run("update keepsake.summary_periods set due_at = %s", (moment + timedelta(days=40),))
    return owners


@pytest.fixture
def work(db: Clone, model: ModelServer, dying_worker: DyingWorker) -> Callable[..., dict[str, Any]]:
    """What becomes of what is named, where the worker dies before a step."""
    settings = {"openai_base_url": model.url, "openai_api_key": "none", "openai_summary_model": "scripted", **TIME}

    def work(named: dict[str, str], step: int | None = None) -> dict[str, Any]:
        return dying_worker.work(db.api_url, named, step, how=signal.SIGKILL, **settings)

    return work


def test_killed_twenty_times__there_is_exactly_one_summary_of_each_period(
    db: Clone, owners: Sequence[Account], work: Callable[..., dict[str, Any]]
) -> None:
    whole, *dying = [{"user_id": str(owner.user_id), "profile_id": str(owner.profile_id)} for owner in owners]
    done = work(whole)
    assert done["status"] == "3 written"
    assert done["steps"] > KILLS
    steps = [1 + done["steps"] * number // KILLS for number in range(KILLS)]
    assert [work(named, step) for named, step in zip(dying, steps, strict=True)] == [{"killed": step} for step in steps]
    unfinished = db.value("select count(distinct user_id) from keepsake.summary_periods")
    assert unfinished > 0
    assert [work(named)["status"][-7:] for named in dying] == ["written"] * KILLS
    for table in TABLES:
        query: Any = f"select user_id, version, generator from public.user_memory_{table}_summaries"
        rows = db.all(query)
        assert len(rows) == len({row["user_id"] for row in rows}) == KILLS + 1, table
        assert {(row["version"], row["generator"]) for row in rows} == {(1, "llm")}, table
    assert db.all("select from keepsake.summary_periods") == []


def test_killed_twenty_times__there_is_one_summary_of_each_session_and_each_conversation(
    db: Clone, model: ModelServer, people: People, now: datetime, work: Callable[..., dict[str, Any]]
) -> None:
    """One call writes both; a worker that dies between them has the session asked about once more."""
    notes = dict.fromkeys(("one_liner", "summary"), TEXT) | {"tone": ""}
    lists: dict[str, Any] = {name: [] for name in ("what_mattered", "open_loops", "commitments", "people")}
    model.script.always({"content": json.dumps(notes | lists)})
    said = []
    for _ in range(KILLS + 1):
        ada = people.person("Ada")
        chat = people.conversation(ada)
        people.remember_since(chat, ada, now - timedelta(days=1))
        message = people.says(ada, chat, "I live in Graz.", created_at=now - timedelta(hours=1))
        said.append({"conversation_id": str(chat), "message_id": str(message)})
    assert [work(named)["status"] for named in said] == ["extracted"] * len(said)
    whole, *dying = db.all("select user_id::text, id::text as session_id from public.user_memory_sessions")
    done = work(whole)
    assert done["status"] == "written"
    assert len(model.script.chats) == 1
    steps = [1 + done["steps"] * number // KILLS for number in range(KILLS)]
    assert [work(named, step) for named, step in zip(dying, steps, strict=True)] == [{"killed": step} for step in steps]
    assert {work(named)["status"] for named in dying} <= {"written", "nothing to do"}
    sessions = db.all("select generator from public.user_memory_session_summaries")
    conversations = db.all("select generator, version from public.conversation_summaries")
    assert [row["generator"] for row in sessions] == ["llm"] * (KILLS + 1)
    assert [tuple(row.values()) for row in conversations] == [("llm", 1)] * (KILLS + 1)
