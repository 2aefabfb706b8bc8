"""Two people in one conversation read its messages, and nothing else of each other's."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

import pytest

from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People
from tests.fixtures.rest import Rest
from tests.rest.access import TABLES


@dataclass(frozen=True)
class Together:
    """Ada and Ben talk together; each has a chat of their own as well."""

    ada: Account
    ben: Account
    chat: UUID
    adas_own: UUID


@pytest.fixture
def together(people: People, db: Clone) -> Together:
    ada, ben = people.person("Ada", nickname="canary"), people.person("Ben")
    chat = people.conversation(ada, ben, mode="together", title="Dinner")
    own = people.conversation(ada, title="canary chat")
    message = people.says(ada, chat, "I love ramen.")
    people.says(ben, chat, "I play the cello.")
    people.answers(chat, "How nice.")
    people.says(ada, own, "canary words")
    people.memory(ada, "Likes canary ramen", conversation_id=chat, source_message_id=message)
    with db.as_service() as service:
        service.execute(
            "insert into public.conversation_summaries (conversation_id, summary)"
            " values (%s, 'canary'), (%s, 'Dinner')",
            (own, chat),
        )
        service.execute("insert into public.user_memory_settings (user_id) values (%s)", (ada.user_id,))
    return Together(ada, ben, chat, own)


def test_both__read_the_messages_and_the_conversation(rest: Rest, together: Together) -> None:
    said = []
    for person in (together.ada, together.ben):
        browser = rest.as_person(person.user_id)
        here = {"conversation_id": f"eq.{together.chat}", "order": "created_at,content"}
        said.append([row["content"] for row in browser.get("/messages", params=here).json()])
        (chat,) = browser.get("/conversations", params={"id": f"eq.{together.chat}"}).json()
        (summary,) = browser.get("/conversation_summaries", params={"conversation_id": f"eq.{together.chat}"}).json()
        assert (chat["title"], summary["summary"]) == ("Dinner", "Dinner")
    assert said[0] == said[1] == ["How nice.", "I love ramen.", "I play the cello."]


def test_a_memory__embeds_the_conversation_it_comes_from(rest: Rest, together: Together, people: People) -> None:
    """One request, of the host's own columns; a memory that comes from nowhere embeds null."""
    people.memory(together.ada, "Plays the harp")
    embedded = {"select": "memory_text,conversations(title)", "source": "neq.seeded_profile", "order": "memory_no"}
    answer = rest.as_person(together.ada.user_id).get("/user_memory", params=embedded)
    assert answer.json() == [
        {"memory_text": "Likes canary ramen", "conversations": {"title": "Dinner"}},
        {"memory_text": "Plays the harp", "conversations": None},
    ]


@pytest.mark.parametrize("table", TABLES)
def test_the_other__reads_nothing_else(rest: Rest, together: Together, table: str) -> None:
    """Not what the first is remembered for, chose, is called elsewhere, or says in a chat of their own."""
    answer = rest.as_person(together.ben.user_id).get(f"/{table}")
    assert answer.status_code == 200
    assert "canary" not in answer.text.casefold()
    assert str(together.adas_own) not in answer.text
    if table not in {"messages", "conversations"}:
        assert str(together.ada.user_id) not in answer.text
        assert str(together.ada.profile_id) not in answer.text


def test_the_owners_profile__is_not_told_to_the_other(rest: Rest, together: Together) -> None:
    """The conversation is visible to both, and with it which profile its owner chose; nothing can be read of that."""
    browser = rest.as_person(together.ben.user_id)
    wanted = {"select": "*,user_profile_list(*),conversations_participants(*)", "id": f"eq.{together.chat}"}
    (chat,) = browser.get("/conversations", params=wanted).json()
    assert chat["user_profile_list"] is None
    assert [row["user_id"] for row in chat["conversations_participants"]] == [str(together.ben.user_id)]


def test_who_left__reads_nothing_any_more(rest: Rest, together: Together, db: Clone) -> None:
    browser = rest.as_person(together.ben.user_id)
    assert len(browser.get("/messages").json()) == 3
    db.run("delete from conversations_participants where user_id = %s", (together.ben.user_id,))
    assert browser.get("/messages").json() == []
    assert browser.get("/conversations").json() == []
    words = {"conversation_id": str(together.chat), "role": "user", "content": "Still here?"}
    assert browser.post("/messages", json=words).status_code == 403


def test_the_other__may_not_rename_the_conversation(rest: Rest, together: Together) -> None:
    browser = rest.as_person(together.ben.user_id)
    renamed = browser.patch("/conversations", params={"id": f"eq.{together.chat}"}, json={"title": "Mine"})
    assert renamed.json() == []
    owner = rest.as_person(together.ada.user_id)
    renamed = owner.patch("/conversations", params={"id": f"eq.{together.chat}"}, json={"title": "Supper"})
    assert [row["title"] for row in renamed.json()] == ["Supper"]
