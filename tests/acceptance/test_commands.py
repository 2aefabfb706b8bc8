"""What a person tells their memory in the chat, as the host's backend sees it over HTTP."""

from __future__ import annotations

from uuid import UUID

import pytest

from tests.acceptance.backend import Answer, Backend
from tests.fixtures.people import Account, People


@pytest.fixture
def ada(people: People) -> Account:
    return people.person("Ada", timezone="Europe/Lisbon")


@pytest.fixture
def chat(people: People, ada: Account) -> UUID:
    return people.conversation(ada)


def hears(backend: Backend, person: Account, chat: UUID, text: str) -> Answer:
    """The context for what somebody is about to say, which is then saved and delivered."""
    backend.clock.advance(minutes=1)
    answer = backend.context(person, chat, text)
    backend.says(person, chat, text)
    return answer


def test_commands__from_the_first_word_to_the_undo(backend: Backend, ada: Account, chat: UUID, people: People) -> None:
    backend.says(ada, chat, "I have a sister named Mia.")
    backend.says(ada, chat, "I'm allergic to nuts.")
    told = hears(backend, ada, chat, "Could you please forget that?")
    assert told["command_result"]["status"] == "done"
    assert told["command_result"]["message"] in told["context"]
    assert backend.texts(ada) == ["Has a sister named Mia"]

    undone = hears(backend, ada, chat, "Actually, bring it back")
    assert undone["command_result"]["kind"] == "undo_last"
    assert backend.texts(ada) == ["Has a sister named Mia", "Allergic to nuts"]

    told = hears(backend, ada, chat, "Remember that I play the violin")
    (memory,) = told["command_result"]["memory_ids"]
    row = next(row for row in backend.remembered(ada) if row["id"] == memory)
    assert (row["source"], row["confidence_score"]) == ("user", 1)

    listed = hears(backend, ada, chat, "what have you got on me?")
    assert {one["id"] for one in listed["memories"]} <= set(listed["command_result"]["memory_ids"])
    assert all(one["text"] in listed["context"] for one in listed["memories"])
    assert [one["why"] for one in listed["memories"]] == ["asked for"] * listed["memory_count"]

    ben = people.person("Ben")
    people.join(chat, ben)
    backend.says(ben, chat, "I have a sister named Zoe.")
    others = hears(backend, ben, chat, "what do you know about Ada's sister?")
    assert "Mia" not in others["context"]
    shared = hears(backend, ada, chat, "what do you remember about me?")
    assert "nuts" not in shared["context"]
    assert "Zoe" not in shared["context"]

    forgotten = hears(backend, ada, chat, "please forget everything about my sister")
    assert "Mia" not in " ".join(backend.texts(ada))
    assert backend.texts(ben) == ["Has a sister named Zoe"]
    by_hand = {"operation_id": forgotten["command_result"]["operation_id"]}
    answer = backend.as_person(ada).post("/rest/v1/rpc/undo_operation", json=by_hand)
    assert answer.status_code == 200, answer.text
    assert "Has a sister named Mia" in backend.texts(ada)


def test_a_command_by_its_webhook_alone__is_carried_out_and_told_to_who_asks_later(
    backend: Backend, ada: Account, chat: UUID
) -> None:
    backend.says(ada, chat, "I have a dog named Rex.")
    message = backend.says(ada, chat, "forget everything about my dog")
    assert backend.texts(ada) == []
    asked = {"conversation_id": str(chat), "message_id": str(message)}
    by_herself = backend.call("inject-memory", asked, by=backend.as_person(ada))
    assert by_herself["command_result"] == backend.call("inject-memory", asked)["command_result"]
    assert "Has a dog named Rex" in by_herself["context"]
    assert "Rex" not in backend.log.getvalue()
