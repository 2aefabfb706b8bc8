"""From when on words may be read: the moment memory starts in a conversation, and again after every pause."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from tests.fixtures.db import Clone
from tests.fixtures.people import LONG_AGO, Account, People

SINCE = (
    "select case when remember_since is null then 'never' when remember_since > now() - interval '1 minute' then 'now'"
    " else 'before' end from public.conversations_participants where conversation_id = %s and user_id = %s"
)


@pytest.fixture
def ada(people: People) -> Account:
    """A person with a primary profile."""
    return people.person("Ada")


def since(db: Clone, conversation: UUID, person: Account) -> str:
    """From when on the person's words count there."""
    return str(db.value(SINCE, (conversation, person.user_id)))


def choose(db: Clone, conversation: UUID, **columns: Any) -> None:
    """Change the owner's choice, as the service does."""
    for column, value in columns.items():
        with db.as_service() as connection:
            statement = f"update public.conversations set {column} = %s where id = %s returning id"
            connection.execute(statement.encode(), (value, conversation))


def test_owner__always_takes_part(db: Clone, people: People, ada: Account) -> None:
    """The owner's row says what the conversation says, whichever of the two is written."""
    conversation = people.conversation(ada, memory=False, since=None)
    both = (
        "select c.profile_id, p.profile_id as theirs, c.memory_enabled, p.memory_enabled as theirs_too"
        " from public.conversations as c join public.conversations_participants as p"
        " on p.conversation_id = c.id and p.user_id = c.user_id"
    )
    assert set(db.one(both).values()) == {None}
    choose(db, conversation, profile_id=ada.profile_id, memory_enabled=True)
    assert list(db.one(both).values()) == [ada.profile_id, ada.profile_id, True, True]
    with db.as_service() as connection:
        connection.execute("update public.conversations_participants set profile_id = null, memory_enabled = false")
    assert list(db.one(both).values()) == [None, None, False, False]


def test_owner__anothers_profile_is_refused(db: Clone, people: People, ada: Account) -> None:
    """Nobody chooses the profile of somebody else."""
    conversation = people.conversation(ada, memory=False)
    with pytest.raises(Exception, match="conversations_profile"):
        choose(db, conversation, profile_id=people.person("Ben").profile_id)


def test_remember_since__a_profile_is_chosen(db: Clone, people: People, ada: Account) -> None:
    """Memory starts at that moment; without a profile it has not started."""
    conversation = people.conversation(ada, memory=False, since=None)
    assert since(db, conversation, ada) == "never"
    choose(db, conversation, profile_id=ada.profile_id)
    assert since(db, conversation, ada) == "now"


def test_remember_since__written_by_the_service(db: Clone, people: People, ada: Account) -> None:
    """Who says since when is believed, on insert and on update."""
    ben = people.person("Ben")
    conversation = people.conversation(ada, ben, since=LONG_AGO)
    assert since(db, conversation, ada) == since(db, conversation, ben) == "before"
    choose(db, conversation, profile_id=None)
    with db.as_service() as connection:
        connection.execute(
            "update public.conversations_participants set profile_id = %s, remember_since = '2001-01-01'"
            " where user_id = %s",
            (ada.profile_id, ada.user_id),
        )
    assert since(db, conversation, ada) == "before"


@pytest.mark.parametrize(
    "case",
    [
        ("chat", False, True, "now"),
        ("chat", False, None, "now"),
        ("chat", None, True, "before"),
        ("chat", True, None, "before"),
        ("chat", None, False, "before"),
        ("swiss", None, True, "now"),
        ("swiss", False, None, "before"),
        ("swiss", True, None, "before"),
    ],
)
def test_remember_since__the_toggle(
    db: Clone, people: People, ada: Account, case: tuple[str, bool | None, bool | None, str]
) -> None:
    """It moves exactly when memory was off and is on, with what the mode does by itself."""
    mode, before, after, expected = case
    conversation = people.conversation(ada, mode=mode, memory_enabled=before)
    choose(db, conversation, memory_enabled=after)
    assert since(db, conversation, ada) == expected


def test_remember_since__leaving_swiss_mode(db: Clone, people: People, ada: Account) -> None:
    """A mode that remembers begins now, for everybody who left it to the mode."""
    ben = people.person("Ben")
    conversation = people.conversation(ada, ben, mode="swiss")
    choose(db, conversation, mode="together")
    assert since(db, conversation, ada) == since(db, conversation, ben) == "now"


def test_remember_since__another_profile(db: Clone, people: People, ada: Account) -> None:
    """What was said under one profile is not read for another."""
    conversation = people.conversation(ada)
    choose(db, conversation, profile_id=people.profile(ada.user_id, "Work"))
    assert since(db, conversation, ada) == "now"


def test_remember_since__a_profile_becomes_primary(db: Clone, people: People, ada: Account) -> None:
    """Chosen before it was primary, a profile remembers from the moment it is."""
    work = people.profile(ada.user_id, "Work")
    conversation = people.conversation(ada)
    choose(db, conversation, profile_id=work)
    people.remember_since(conversation, ada, LONG_AGO)
    db.run("update public.user_profile_list set is_primary = false where id = %s", (ada.profile_id,))
    db.run("update public.user_profile_list set is_primary = true where id = %s", (work,))
    assert since(db, conversation, ada) == "now"


@pytest.mark.parametrize("switch", ["building", "enabled"])
def test_remember_since__after_a_pause(db: Clone, people: People, ada: Account, switch: str) -> None:
    """Going on moves it in all of the person's conversations and in nobody else's."""
    ben = people.person("Ben")
    first, second = people.conversation(ada, ben), people.conversation(ada)
    unchosen = people.conversation(ada, memory=False, since=None)
    for value, expected in [("false", "before"), ("true", "now")]:
        with db.as_person(ada.user_id) as connection:
            connection.execute(
                f"insert into public.user_memory_settings ({switch}) values ({value})"
                f" on conflict (user_id) do update set {switch} = excluded.{switch}".encode()
            )
        assert since(db, first, ada) == since(db, second, ada) == expected
    assert since(db, first, ben) == "before"
    assert since(db, unchosen, ada) == "never"


def test_seeds__a_new_primary_profile(db: Clone, people: People, ada: Account) -> None:
    """Name, nickname and pronouns are remembered from the profile, under its own source, and follow it."""
    memories = (
        "select memory_text, memory_key, value, source, memory_no from public.user_memory"
        " where is_active order by memory_no"
    )
    assert [row["memory_text"] for row in db.all(memories)] == ["Name is Ada"]
    row = db.one(memories)
    assert (row["memory_key"], row["value"], row["source"]) == ("fact|person|self|name", "ada", "seeded_profile")
    with db.as_person(ada.user_id) as connection:
        connection.execute(
            "update public.user_profile_list set name = 'Ada Lovelace', nickname = 'Addy', pronouns = 'she/her'"
        )
    assert [row["memory_text"] for row in db.all(memories)] == [
        "Name is Ada Lovelace", "Goes by Addy", "Pronouns are she/her",
    ]  # fmt: skip
    assert db.value("select count(*) from public.user_memory where supersedes_id is not null") == 1
    with db.as_person(ada.user_id) as connection:
        connection.execute("update public.user_profile_list set nickname = null, timezone = 'Europe/Berlin'")
    assert [row["memory_text"] for row in db.all(memories)] == ["Name is Ada Lovelace", "Pronouns are she/her"]


def test_seeds__never_over_what_the_person_said(db: Clone, people: People, ada: Account) -> None:
    """What was said in a chat stands; a profile that is not primary, or a person who pauses, is not seeded."""
    db.run("delete from public.user_memory")
    people.memory(ada, "Name is Countess", memory_key="fact|person|self|name", value="countess")
    with db.as_person(ada.user_id) as connection:
        connection.execute("update public.user_profile_list set name = 'Other'")
        connection.execute("insert into public.user_profile_list (name) values ('Work')")
    assert people.memories(ada) == ["Name is Countess"]
    with db.as_person(ada.user_id) as connection:
        connection.execute("insert into public.user_memory_settings (building) values (false)")
        connection.execute("update public.user_profile_list set nickname = 'Addy'")
    assert people.memories(ada) == ["Name is Countess"]


@pytest.mark.parametrize("name", ["", "   ", "a\x01b", "x" * 300, "line\nbreak", "\u202eevil", "!!!"])
def test_seeds__an_odd_name_stops_nobody(db: Clone, people: People, name: str) -> None:
    """A host's profile is saved whatever its name; only a name fit to be a memory becomes one."""
    # A table that the host made has no limit of ours.
    db.run("alter table public.user_profile_list drop constraint user_profile_list_nickname_length")
    person = people.person("Ben", nickname=name)
    assert people.memories(person) == ["Name is Ben"]


def test_realtime__publishes_no_table(db: Clone) -> None:
    """Row-level security does not hold for deletions there: everybody would hear of everybody's."""
    assert db.all("select tablename from pg_publication_tables where pubname = 'supabase_realtime'") == []
