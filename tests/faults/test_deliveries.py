"""Webhooks come fifty times, or never; memory is paused, or chosen late: over HTTP, with the cron endpoints after."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from uuid import UUID, uuid4

import httpx
import pytest

from tests.acceptance.backend import Answer, Backend
from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People


@pytest.fixture
def ada(people: People) -> Account:
    return people.person("Ada")


@pytest.fixture
def chat(people: People, ada: Account) -> UUID:
    return people.conversation(ada)


@dataclass(frozen=True)
class Paused:
    """How memory is paused, and what becomes of the webhooks meanwhile."""

    setting: str
    webhooks: str


PAUSES = [
    Paused(setting, webhooks)
    for setting in ("building", "enabled")
    for webhooks in ("worked on", "queued", "never came")
]


@pytest.mark.parametrize("same_name", [True, False], ids=["one-delivery", "fifty-deliveries"])
def test_fifty_at_once__make_one_extraction(
    backend: Backend, db: Clone, ada: Account, chat: UUID, *, same_name: bool
) -> None:
    """The same webhook, or fifty that say the same, while the queue is worked on and the turn is asked for directly."""
    message = backend.save(ada, chat, "My favourite food is ramen.")
    turn = {"conversation_id": str(chat), "message_id": str(message)}
    service = backend.as_service()

    def deliver(number: int) -> httpx.Response:
        if number % 10 == 9:
            return service.post("/functions/v1/extract-user-memory", json=turn)
        if number % 10 == 8:
            return service.post("/functions/v1/run-due-jobs", json={"max_seconds": 1})
        return backend.notify(chat, message, delivery="msg_same" if same_name else f"msg_{number}_{uuid4().hex}")

    with ThreadPoolExecutor(50) as pool:
        answers = list(pool.map(deliver, range(60)))
    assert {answer.status_code for answer in answers} <= {200, 202}, {answer.text for answer in answers}
    backend.run_every_cron()
    row = db.one("select status, jsonb_array_length(results) as made from keepsake.extractions")
    assert row == {"status": "extracted", "made": 1}
    (memory,) = backend.remembered(ada)
    assert memory["reference_count"] == 0
    assert db.value("select count(*) from keepsake.changes where row_id = %s", (memory["id"],)) == 1
    assert db.value("select count(*) from keepsake.procrastinate_jobs") == 0


def test_a_webhook_that_comes_again__gets_the_first_answer(backend: Backend, ada: Account, chat: UUID) -> None:
    message = backend.save(ada, chat, "My favourite food is ramen.")
    first = backend.notify(chat, message, delivery="msg_1")
    again = backend.notify(chat, message, delivery="msg_1")
    assert (first.status_code, again.status_code) == (202, 200)
    assert first.json() == again.json()


def test_a_webhook_that_never_comes__is_made_good_by_cron(backend: Backend, ada: Account, chat: UUID) -> None:
    backend.save(ada, chat, "My favourite food is ramen.")
    assert backend.run_jobs()["found"] == 0, "a turn this fresh may still be delivered"
    backend.clock.advance(minutes=3)
    assert backend.run_jobs()["found"] == 1
    assert backend.texts(ada) == ["Favorite food is ramen"]
    backend.run_every_cron()
    assert len(backend.remembered(ada)) == 1


@pytest.mark.parametrize("pause", PAUSES, ids=lambda pause: f"{pause.setting}-{pause.webhooks}")
def test_paused__nothing_said_meanwhile_ever_appears(
    backend: Backend, db: Clone, ada: Account, chat: UUID, pause: Paused
) -> None:
    """Pause, three turns, unpause, then every cron endpoint: and what is said after that does appear."""
    backend.says(ada, chat, "I have a dog named Rex.")
    choose(backend, ada, **{pause.setting: False})
    for text in ("My favourite food is ramen.", "I live in Lisbon.", "I want to run a marathon."):
        if pause.webhooks == "worked on":
            backend.says(ada, chat, text)
            continue
        message = backend.save(ada, chat, text)
        if pause.webhooks == "queued":
            assert backend.notify(chat, message).status_code == 202
    said_until_now(db)
    choose(backend, ada, **{pause.setting: True})
    backend.run_every_cron()
    assert backend.texts(ada) == ["Has a dog named Rex"]
    backend.says(ada, chat, "My sister is called Mia.")
    backend.run_every_cron()
    assert len(backend.texts(ada)) == 2
    assert "ramen" not in str(backend.remembered(ada))


@pytest.mark.parametrize("how", ["profile chosen late", "turned on late"])
def test_memory_that_starts_late__has_nothing_from_before(
    backend: Backend, db: Clone, ada: Account, people: People, how: str
) -> None:
    if how == "turned on late":
        chat = people.conversation(ada, memory_enabled=False, since=None)
        start: Answer = {"action": "set_memory_enabled", "memory_enabled": True}
    else:
        chat = people.conversation(ada, memory=False, since=None)
        start = {"action": "update_conversation_profile", "profile_id": str(ada.profile_id)}
    backend.save(ada, chat, "My favourite food is ramen.")
    backend.says(ada, chat, "I live in Lisbon.")
    said_until_now(db)
    choice = backend.call("conversation-manager", {**start, "conversation_id": str(chat)}, by=backend.as_person(ada))
    assert choice["remember_since"] is not None
    backend.run_every_cron()
    assert backend.remembered(ada) == []
    backend.says(ada, chat, "I have a dog named Rex.")
    backend.run_every_cron()
    assert backend.texts(ada) == ["Has a dog named Rex"]


def test_a_profile_that_is_primary_again__has_nothing_from_meanwhile(
    backend: Backend, db: Clone, ada: Account, chat: UUID
) -> None:
    """What is said while another profile, or none, is the primary one is never dug up later."""
    backend.says(ada, chat, "I have a dog named Rex.")
    primary(backend, ada, now=False)
    backend.says(ada, chat, "My favourite food is ramen.")
    backend.save(ada, chat, "I live in Lisbon.")
    said_until_now(db)
    primary(backend, ada, now=True)
    backend.run_every_cron()
    assert backend.texts(ada) == ["Has a dog named Rex"]


def primary(backend: Backend, person: Account, *, now: bool) -> None:
    """Make the person's profile the primary one, or not, as their browser does."""
    which = {"id": f"eq.{person.profile_id}"}
    answer = backend.as_person(person).patch("/rest/v1/user_profile_list", params=which, json={"is_primary": now})
    assert answer.is_success, answer.text


def choose(backend: Backend, person: Account, **settings: bool) -> None:
    """Write the person's own settings as their browser does."""
    upsert = {"prefer": "resolution=merge-duplicates"}
    answer = backend.as_person(person).post("/rest/v1/user_memory_settings", json=settings, headers=upsert)
    assert answer.is_success, answer.text


def said_until_now(db: Clone) -> None:
    """Let all messages be from before this moment of the database's own clock, which says when memory starts."""
    db.run("update public.messages set created_at = now() - (select max(created_at) from messages) + created_at")
