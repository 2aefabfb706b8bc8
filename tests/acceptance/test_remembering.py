"""What a person says once, twice, otherwise, and what of it stands in the prompt: through the functions, over HTTP."""

from __future__ import annotations

from uuid import UUID

import pytest

from tests.acceptance.backend import Backend
from tests.fixtures.people import Account, People


@pytest.fixture
def ada(people: People) -> Account:
    return people.person("Ada", timezone="Europe/Lisbon")


@pytest.fixture
def chat(people: People, ada: Account) -> UUID:
    return people.conversation(ada)


def test_said_twice__is_stored_once_and_counted(backend: Backend, ada: Account, chat: UUID) -> None:
    backend.says(ada, chat, "My favourite food is pizza.")
    (once,) = backend.remembered(ada)
    backend.says(ada, chat, "My favourite food is pizza!")
    (twice,) = backend.remembered(ada)
    assert twice["id"] == once["id"]
    assert twice["reference_count"] == once["reference_count"] + 1


def test_corrected__the_new_is_active_and_linked_and_alone_in_the_prompt(
    backend: Backend, ada: Account, chat: UUID
) -> None:
    backend.says(ada, chat, "My favourite food is pizza.")
    backend.says(ada, chat, "Actually it's ramen.")
    pizza, ramen = backend.remembered(ada)
    assert "pizza" in pizza["memory_text"]
    assert "ramen" in ramen["memory_text"]
    assert (pizza["status"], pizza["is_active"]) == ("superseded", False)
    assert pizza["valid_to"] is not None
    assert (ramen["status"], ramen["supersedes_id"]) == ("active", pizza["id"])
    injected = backend.context(ada, chat, "What should I eat tonight? Something with my favourite food.")
    assert "ramen" in injected["context"]
    assert "pizza" not in injected["context"].casefold()
    assert [one["id"] for one in injected["memories"]] == [ramen["id"]]
    assert ramen["id"] in injected["memory_ids"]


def test_retracted__neither_stands_in_the_prompt_as_liked(backend: Backend, ada: Account, chat: UUID) -> None:
    backend.says(ada, chat, "I like pizza.")
    backend.says(ada, chat, "I don't like pizza any more.")
    context = backend.context(ada, chat, "Shall we get pizza?")["context"]
    assert "Likes pizza" not in context
    assert "Likes pizza" not in backend.texts(ada)


def test_a_dog__is_there_a_year_later_and_a_feeling_gone_after_six_hours(
    backend: Backend, ada: Account, chat: UUID
) -> None:
    backend.says(ada, chat, "I have a dog named Rex.")
    backend.says(ada, chat, "I feel so tired today.")
    fresh = backend.context(ada, chat, "How do I look after my dog when I am tired?")
    texts = [memory["text"] for memory in fresh["memories"]]
    assert len(texts) == 2
    assert "Has a dog named Rex" in texts
    assert any("tired" in text for text in texts)
    assert all(text in fresh["context"] for text in texts)

    backend.clock.advance(hours=6, minutes=1)
    later = backend.context(ada, chat, "How do I look after my dog when I am tired?")
    assert [memory["text"] for memory in later["memories"]] == ["Has a dog named Rex"]
    assert "tired" not in later["context"]

    backend.clock.advance(days=365)
    backend.run_every_cron()
    much_later = backend.context(ada, chat, "What is my dog called?")
    assert "Rex" in much_later["context"]


@pytest.mark.parametrize(
    "first, second",
    [
        ("I'm allergic to peanuts.", "I'm not allergic to peanuts."),
        ("My daughter is 5.", "My daughter is 6."),
        ("I live in Austin, Texas.", "I live in Houston, Texas."),
        ("I have two cats.", "I have three cats."),
    ],
)
def test_contradictions__never_merge(backend: Backend, ada: Account, chat: UUID, first: str, second: str) -> None:
    """The old one is kept as history or stays beside the new; it never counts as said again."""
    backend.says(ada, chat, first)
    said = backend.remembered(ada)
    assert said, "the first statement was not remembered at all"
    backend.says(ada, chat, second)
    rows = backend.remembered(ada)
    assert [row["reference_count"] for row in rows if row["id"] == said[0]["id"]] == [said[0]["reference_count"]]
    assert rows[0]["memory_text"] == said[0]["memory_text"]
    active = backend.texts(ada)
    assert not (rows[0]["memory_text"] in active and len(active) == 1), "the contradiction was lost"


def test_another_primary_profile__leaves_old_memories_on_the_old_one(
    backend: Backend, ada: Account, chat: UUID, people: People
) -> None:
    backend.says(ada, chat, "My favourite food is ramen.")
    browser = backend.as_person(ada)
    new = people.profile(ada.user_id, "Ada at work")
    for profile_id, primary in ((ada.profile_id, False), (new, True)):
        changed = browser.patch(
            "/rest/v1/user_profile_list", params={"id": f"eq.{profile_id}"}, json={"is_primary": primary}
        )
        assert changed.is_success, changed.text
    assert backend.context(ada, chat, "My favourite food?")["reason"] == "not_primary"
    choose = {"action": "update_conversation_profile", "conversation_id": str(chat), "profile_id": str(new)}
    backend.call("conversation-manager", choose, by=browser)
    backend.clock.advance(minutes=5)
    backend.says(ada, chat, "My favourite food is salad.")

    by_profile = {row["profile_id"]: row["memory_text"] for row in backend.remembered(ada, status="eq.active")}
    assert "ramen" in by_profile[str(ada.profile_id)]
    assert "salad" in by_profile[str(new)]
    context = backend.context(ada, chat, "What is my favourite food?")["context"]
    assert "salad" in context
    assert "ramen" not in context


def test_swiss__remembers_nothing_until_turned_on(backend: Backend, ada: Account, people: People) -> None:
    chat = people.conversation(ada, mode="swiss", since=None)
    backend.says(ada, chat, "My favourite food is ramen.")
    backend.run_every_cron()
    assert backend.remembered(ada) == []
    on = {"action": "set_memory_enabled", "conversation_id": str(chat), "memory_enabled": True}
    backend.call("conversation-manager", on, by=backend.as_person(ada))
    backend.says(ada, chat, "I have a dog named Rex.")
    backend.run_every_cron()
    assert [text for text in backend.texts(ada) if "ramen" in text] == []
    assert len(backend.texts(ada)) == 1
