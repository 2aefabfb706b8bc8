"""A card number and a password stand in the chat's own messages, and nowhere else: in no table and in no log line."""

from __future__ import annotations

import pytest

from tests.acceptance.backend import Backend
from tests.fixtures.db import Clone
from tests.fixtures.people import People
from tests.rest.dump import rows_that_say

SECRETS = {
    "My card number is 4111 1111 1111 1111, please remember it.": ("4111 1111", "41111111", "'4111'"),
    "Remember that my password is Tr0ub4dor&Zq9, I keep forgetting it.": ("tr0ub4dor", "zq9"),
    "My favourite number is my IBAN DE89 3704 0044 0532 0130 00.": ("3704 0044", "de8937040044", "'3704'"),
    "My api key is sk-proj-abcdEFGH1234567890abcdEFGH1234567890 by the way.": ("sk-proj-abcdefgh", "abcdefgh1234"),
}
WORDS = sorted({word for words in SECRETS.values() for word in words})


def test_secrets__stand_in_the_messages_and_nowhere_else(
    backend: Backend, db: Clone, people: People, capfd: pytest.CaptureFixture[str]
) -> None:
    ada = people.person("Ada")
    chat = people.conversation(ada)
    for text in SECRETS:
        asked = backend.context(ada, chat, text)
        message_id = backend.says(ada, chat, text)
        again = backend.call("extract-user-memory", {"conversation_id": str(chat), "message_id": str(message_id)})
        by_id = backend.call("inject-memory", {"conversation_id": str(chat), "message_id": str(message_id)})
        for answer in (asked, again, by_id):
            assert not [word for word in WORDS if word in str(answer).casefold()], answer
    backend.says(ada, chat, "My favourite food is ramen.")
    backend.run_every_cron()

    assert any("ramen" in text for text in backend.texts(ada)), "the turns were not looked at"
    assert rows_that_say(db, WORDS).keys() == {"public.messages"}
    logged = backend.log.getvalue().casefold()
    assert logged.count("looked at a turn") >= len(SECRETS)
    printed = "".join(capfd.readouterr())
    for word in (*WORDS, "ramen"):
        for written in (logged, printed.casefold(), backend.postgrest_log.read_text(errors="replace").casefold()):
            assert word not in written


@pytest.mark.parametrize("words", SECRETS.values(), ids=["card", "password", "iban", "key"])
def test_secrets__would_be_found_where_they_must_not_stand(db: Clone, people: People, words: tuple[str, ...]) -> None:
    """The search through the database finds what was stored as a memory, in its table, its index and its log."""
    ada = people.person("Ada")
    people.memory(ada, f"Said {words[0]} once")
    assert {"public.user_memory", "keepsake.changes"} <= rows_that_say(db, WORDS).keys()


def test_secrets__a_request_that_is_refused_does_not_log_them(backend: Backend, people: People) -> None:
    ada = people.person("Ada")
    chat = people.conversation(ada)
    password = "Tr0ub4dor&Zq9"
    service = backend.as_service()
    for body in ({"conversation_id": password}, {"conversation_id": str(chat), "x": password}, [password], password):
        answer = service.post("/functions/v1/inject-memory", json=body)
        assert answer.status_code == 400
        assert password not in answer.text
    assert service.post(f"/functions/v1/inject-memory?password={password}", json={}).status_code == 400
    assert password not in backend.log.getvalue()
