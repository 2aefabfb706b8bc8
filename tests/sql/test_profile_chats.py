"""A chat in the mode ``profile`` belongs to its owner's primary profile as soon as there is one, and from then on."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest

from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People

CHOICE = (
    "select c.profile_id, p.profile_id as theirs, p.remember_since is not null as remembered"
    " from public.conversations as c join public.conversations_participants as p"
    " on p.conversation_id = c.id and p.user_id = c.user_id where c.id = %s"
)


@pytest.fixture
def newcomer(db: Clone, people: People) -> Account:
    """Somebody who has signed up and has no profile yet; the one named here is still to be made."""
    user_id = uuid4()
    with db.as_superuser() as connection:
        connection.execute("insert into auth.users (id, email) values (%s, 'new@example.com')", (user_id,))
    return Account(user_id, uuid4(), "New", "new@example.com")


def start(db: Clone, person: Account, mode: str = "profile") -> UUID:
    """Start a chat as a browser does, which cannot name a profile."""
    with db.as_person(person.user_id) as connection:
        row = connection.execute(
            "insert into public.conversations (user_id, mode) values (%s, %s) returning id", (person.user_id, mode)
        ).fetchone()
    assert row is not None
    chat: UUID = row["id"]
    return chat


def make_profile(db: Clone, person: Account, *, is_primary: bool = True) -> None:
    """Make the person's profile, as they would through REST."""
    with db.as_person(person.user_id) as connection:
        connection.execute(
            "insert into public.user_profile_list (id, user_id, name, is_primary) values (%s, %s, 'New', %s)",
            (person.profile_id, person.user_id, is_primary),
        )


def choice(db: Clone, chat: UUID) -> list[Any]:
    """The profile of the chat, that of its owner's part in it, and whether memory has started there."""
    return list(db.one(CHOICE, (chat,)).values())


def test_chat_first__is_linked_when_the_profile_comes(db: Clone, newcomer: Account) -> None:
    chat = start(db, newcomer)
    assert choice(db, chat) == [None, None, False]
    make_profile(db, newcomer)
    assert choice(db, chat) == [newcomer.profile_id, newcomer.profile_id, True]


def test_chat_first__waits_until_the_profile_is_primary(db: Clone, newcomer: Account) -> None:
    chat = start(db, newcomer)
    make_profile(db, newcomer, is_primary=False)
    assert choice(db, chat) == [None, None, False]
    with db.as_person(newcomer.user_id) as connection:
        connection.execute(
            "update public.user_profile_list set is_primary = true where id = %s", (newcomer.profile_id,)
        )
    assert choice(db, chat) == [newcomer.profile_id, newcomer.profile_id, True]


def test_profile_first__is_linked_from_the_start(db: Clone, newcomer: Account) -> None:
    make_profile(db, newcomer)
    assert choice(db, start(db, newcomer)) == [newcomer.profile_id, newcomer.profile_id, True]


def test_a_chat_that_becomes_one__is_linked(db: Clone, newcomer: Account) -> None:
    make_profile(db, newcomer)
    chat = start(db, newcomer, mode="chat")
    with db.as_service() as connection:
        connection.execute("update public.conversations set mode = 'profile' where id = %s returning id", (chat,))
    assert choice(db, chat) == [newcomer.profile_id, newcomer.profile_id, True]


@pytest.mark.parametrize("mode", ["chat", "astro", "together", "swiss"])
def test_other_modes__wait_for_a_choice(db: Clone, newcomer: Account, mode: str) -> None:
    before = start(db, newcomer, mode)
    make_profile(db, newcomer)
    for chat in (before, start(db, newcomer, mode)):
        assert choice(db, chat) == [None, None, False]


def test_a_choice_that_was_cleared__stays_cleared(db: Clone, people: People, newcomer: Account) -> None:
    """Who took the profile away is not given the next one behind their back."""
    make_profile(db, newcomer)
    chat = start(db, newcomer)
    with db.as_service() as connection:
        connection.execute("update public.conversations set profile_id = null where id = %s returning id", (chat,))
    with db.as_person(newcomer.user_id) as connection:
        connection.execute(
            "update public.user_profile_list set is_primary = false where id = %s", (newcomer.profile_id,)
        )
    people.profile(newcomer.user_id, "Next", is_primary=True)
    assert choice(db, chat)[:2] == [None, None]


def test_anothers_chats__are_left_alone(db: Clone, people: People, newcomer: Account) -> None:
    chat = start(db, newcomer)
    people.join(chat, people.person("Ben"), memory=False)
    people.person("Cyd")
    assert choice(db, chat) == [None, None, False]
    make_profile(db, newcomer)
    assert db.value("select count(*) from public.conversations_participants where profile_id is not null") == 1
