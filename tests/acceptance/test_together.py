"""Two people in one conversation, through the functions: each is remembered for their own words, and for themselves."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest

from tests.acceptance.backend import Backend
from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People
from tests.rest.dump import rows_that_say
from tests.rest.intruders import INTRUDERS


@dataclass(frozen=True)
class Together:
    """Ada and Ben talk together; Ada has a chat of her own as well."""

    ada: Account
    ben: Account
    chat: UUID
    adas_own: UUID
    message: UUID
    """Something that Ada said in her own chat."""


@pytest.fixture
def together(backend: Backend, people: People) -> Together:
    ada, ben = people.person("Ada"), people.person("Ben")
    chat = people.conversation(ada, ben, mode="together")
    own = people.conversation(ada)
    message = backend.says(ada, own, "My favourite food is canary ramen.")
    return Together(ada, ben, chat, own, message)


def test_each_ones_words__become_only_their_own_memories(backend: Backend, together: Together) -> None:
    ada, ben, chat = together.ada, together.ben, together.chat
    backend.says(ada, chat, "I have a dog named Canary.")
    backend.says(ben, chat, "I have a cat named Mimi.")
    backend.says(ben, chat, "Ada lives in Lisbon. Ada's favourite colour is red.")
    backend.run_every_cron()
    assert [row["user_id"] for row in backend.remembered(ada)] == [str(ada.user_id)] * 2
    assert backend.texts(ada) == ["Favorite food is canary ramen", "Has a dog named Canary"]
    assert backend.texts(ben) == ["Has a cat named Mimi"]


@pytest.mark.parametrize(
    "question",
    ["What is Ada's favourite food?", "What do you know about Ada?", "canary ramen dog", "Repeat what Ada told you."],
)
def test_a_canary_of_one__is_never_in_the_context_of_the_other(
    backend: Backend, together: Together, question: str
) -> None:
    ada, ben, chat = together.ada, together.ben, together.chat
    backend.says(ada, chat, "I have a dog named Canary.")
    hers = backend.context(ada, chat, "What is my favourite food, and my dog called?")
    assert "canary" in hers["context"].casefold()
    asked = backend.save(ben, chat, question)
    for answer in (
        backend.context(ben, chat, question),
        backend.call("inject-memory", {"conversation_id": str(chat), "message_id": str(asked)}),
        backend.call(
            "inject-memory", {"conversation_id": str(chat), "message_id": str(asked)}, by=backend.as_person(ben)
        ),
    ):
        assert "canary" not in str(answer).casefold().replace(question.casefold(), "")
        assert answer["memories"] == []


def test_history__is_what_both_have_read_in_this_conversation(backend: Backend, together: Together) -> None:
    """The messages of the shared conversation, and none of the other's own."""
    backend.says(together.ada, together.chat, "Hello Ben.")
    answer = backend.context(together.ben, together.chat, "Hello.", history=True)
    assert [message["content"] for message in answer["history"]["messages"]] == ["Hello Ben."]


def requests_for(together: Together) -> dict[str, dict[str, Any]]:
    """Every function with what reaches for Ada's own conversation."""
    own, message = str(together.adas_own), str(together.message)
    turn = {"conversation_id": own, "message_id": message}
    return {
        "inject-memory": turn,
        "chat-send": turn,
        "extract-user-memory": turn,
        "record-injection": {"injection_id": message, "message_id": message},
        "conversation-manager": {"action": "set_memory_enabled", "conversation_id": own, "memory_enabled": False},
        "run-due-jobs": {},
        "archive-old-memories": {},
    }


def test_everybody_at_once__each_gets_their_own(backend: Backend, people: People) -> None:
    """Many people on few connections: nothing of whoever had the connection before is in anybody's context."""
    everybody = [people.person(f"P{number}") for number in range(12)]
    chats = {person: people.conversation(person) for person in everybody}
    for number, person in enumerate(everybody):
        backend.says(person, chats[person], f"My favourite food is canary{number:02} soup.")

    def ask(turn: int) -> tuple[int, str]:
        number = turn % len(everybody)
        person = everybody[number]
        return number, str(backend.context(person, chats[person], "What is my favourite food?"))

    with ThreadPoolExecutor(24) as pool:
        answers = list(pool.map(ask, range(240)))
    for number, answer in answers:
        assert set(re.findall(r"canary\d\d", answer)) == {f"canary{number:02}"}


SIGNED_IN = {"another-person", "anonymous", "long-gone", "metadata"}
OPEN_TO_PEOPLE = {"inject-memory", "conversation-manager"}


def test_the_other__gets_404_for_anothers_conversation(backend: Backend, together: Together, db: Clone) -> None:
    """And 401 where no person has any business; existence is not disclosed, and nothing is different afterwards."""
    ids = [str(together.ada.user_id)]
    before = rows_that_say(db, ids)
    ben = backend.as_person(together.ben)
    for name, body in requests_for(together).items():
        answer = ben.post(f"/functions/v1/{name}", json=body)
        assert answer.status_code == (404 if name in OPEN_TO_PEOPLE else 401), (name, answer.text)
        unknown = {key: str(UUID(int=5)) if key.endswith("_id") else value for key, value in body.items()}
        assert ben.post(f"/functions/v1/{name}", json=unknown).json() == answer.json()
    elsewhere = {"conversation_id": str(together.chat), "message_id": str(together.message)}
    assert ben.post("/functions/v1/inject-memory", json=elsewhere).status_code == 404
    as_service = {"conversation_id": str(together.chat), "user_id": str(together.ada.user_id), "user_message": "canary"}
    assert ben.post("/functions/v1/inject-memory", json=as_service).status_code == 400
    choose = {
        "action": "update_conversation_profile",
        "conversation_id": str(together.chat),
        "profile_id": str(together.ada.profile_id),
    }
    assert ben.post("/functions/v1/conversation-manager", json=choose).status_code == 404
    assert rows_that_say(db, ids) == before


def test_whoever_is_not_signed_in__gets_401_from_every_function(
    backend: Backend, together: Together, db: Clone
) -> None:
    """Forged, expired, unsigned, of another audience or without a subject that is a UUID."""
    ids = [str(together.ada.user_id)]
    before = rows_that_say(db, ids)
    for intruder in INTRUDERS:
        token = intruder.token(together.ada, together.ben)
        client = backend.client(**({"authorization": f"Bearer {token}"} if token else {}))
        for name, body in requests_for(together).items():
            answer = client.post(f"/functions/v1/{name}", json=body)
            found = 404 if intruder.name in SIGNED_IN and name in OPEN_TO_PEOPLE else 401
            assert answer.status_code == found, (intruder.name, name, answer.text)
            assert "canary" not in answer.text
        assert rows_that_say(db, ids) == before, intruder.name
