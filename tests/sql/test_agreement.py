"""A person who agrees to memory has what it needs: a primary profile, chosen in the chats they have begun."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from tests.fixtures.db import Clone
from tests.fixtures.rest import Rest

AGREED = {"onboarding_seen_at": "2026-11-27T10:00:00Z", "building": True}


@pytest.fixture
def newcomer(db: Clone) -> UUID:
    """Somebody who has an account and nothing else."""
    found: UUID = db.value(
        "insert into auth.users (id, email) values (gen_random_uuid(), 'new@example.com') returning id"
    )
    return found


def write(db: Clone, person: UUID, **settings: Any) -> None:
    """Write settings as the panel does, with the person's own token."""
    names = ", ".join(settings)
    values = ", ".join(f"%({name})s" for name in settings)
    changes = ", ".join(f"{name} = excluded.{name}" for name in settings)
    with db.as_person(person) as connection:
        connection.execute(
            f"insert into public.user_memory_settings ({names}) values ({values})"
            f" on conflict (user_id) do update set {changes}",
            settings,
        )


def begin(db: Clone, person: UUID, mode: str = "chat") -> UUID:
    """A chat as an application begins it for somebody without a profile."""
    with db.as_person(person) as connection:
        row = connection.execute("insert into public.conversations (mode) values (%s) returning id", (mode,)).fetchone()
    assert row is not None
    found: UUID = row["id"]
    return found


def primary(db: Clone, person: UUID) -> list[UUID]:
    rows = db.all("select id from public.user_profile_list where user_id = %s and is_primary", (person,))
    return [row["id"] for row in rows]


def test_agreement__makes_the_primary_profile_and_chooses_it_in_the_chats_so_far(db: Clone, newcomer: UUID) -> None:
    chat, private = begin(db, newcomer), begin(db, newcomer, "swiss")
    write(db, newcomer, **AGREED)
    (profile,) = primary(db, newcomer)
    chosen = db.all("select conversation_id, profile_id, remember_since from public.conversations_participants")
    by_chat = {row["conversation_id"]: row for row in chosen}
    assert (by_chat[chat]["profile_id"], by_chat[private]["profile_id"]) == (profile, None)
    assert by_chat[chat]["remember_since"] is not None
    write(db, newcomer, **AGREED)
    assert primary(db, newcomer) == [profile], "once"


@pytest.mark.parametrize(
    "settings",
    [
        {"building": False, "onboarding_seen_at": "2026-11-27T10:00:00Z"},
        {"enabled": False, "onboarding_seen_at": "2026-11-27T10:00:00Z"},
        {"long_term": True},
    ],
)
def test_who_declines_or_was_not_asked__has_no_profile(db: Clone, newcomer: UUID, settings: dict[str, Any]) -> None:
    write(db, newcomer, **settings)
    assert primary(db, newcomer) == []


@pytest.mark.parametrize("switch", ["building", "enabled"])
def test_who_declined__may_turn_memory_on_later(db: Clone, newcomer: UUID, switch: str) -> None:
    chat = begin(db, newcomer)
    write(db, newcomer, onboarding_seen_at="2026-11-27T10:00:00Z", **{switch: False})
    write(db, newcomer, **{switch: True})
    (profile,) = primary(db, newcomer)
    sql = "select profile_id from public.conversations_participants where conversation_id = %s"
    assert db.value(sql, (chat,)) == profile


def test_who_has_a_primary_profile__keeps_it_and_what_they_chose(db: Clone, newcomer: UUID) -> None:
    sql = "insert into public.user_profile_list (user_id, name, is_primary) values (%s, 'Zoe', true) returning id"
    profile = db.value(sql, (newcomer,))
    chat = begin(db, newcomer)
    write(db, newcomer, **AGREED)
    assert primary(db, newcomer) == [profile]
    assert db.value("select profile_id from public.conversations where id = %s", (chat,)) is None


def test_agreement__through_rest_as_the_panel_sends_it(db: Clone, rest: Rest, newcomer: UUID) -> None:
    browser = rest.as_person(newcomer)
    headers = {"prefer": "resolution=merge-duplicates"}
    assert browser.post("/user_memory_settings", json=AGREED, headers=headers).is_success
    assert len(browser.get("/user_profile_list", params={"is_primary": "is.true"}).json()) == 1
