"""No browser sets or forges what only the server may write, not even in rows that are the person's own."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from tests.fixtures.clock import FixedClock
from tests.fixtures.db import Clone
from tests.fixtures.people import People
from tests.fixtures.rest import Rest
from tests.rest.access import TABLES, columns, forged, writable_columns
from tests.rest.victim import Victim, everything_of, make_victim


@pytest.fixture
def owner(db: Clone, people: People, clock: FixedClock) -> Victim:
    """Somebody with a row in every table."""
    return make_victim(db, people)


@pytest.fixture
def browser(rest: Rest, owner: Victim) -> httpx.Client:
    """Where they are signed in themselves."""
    return rest.as_person(owner.account.user_id)


@pytest.mark.parametrize("privilege", ["INSERT", "UPDATE"])
@pytest.mark.parametrize("table", TABLES)
def test_grants__are_what_the_access_list_says(db: Clone, table: str, privilege: str) -> None:
    """Column by column, from the catalog: a new column is nobody's until it is listed."""
    expected = TABLES[table].insert if privilege == "INSERT" else TABLES[table].update
    assert writable_columns(db, table, privilege) == expected
    assert writable_columns(db, table, privilege, "anon") == set()


GENERATED = {"user_memory.is_active", "user_memory_entities.kind", "user_memory_entities.names"}


@pytest.mark.parametrize("table", TABLES)
def test_patch__of_a_server_owned_column_is_refused(
    db: Clone, browser: httpx.Client, owner: Victim, table: str
) -> None:
    """Every column that is not the person's own to write, one by one and hidden beside one that is."""
    row, before = row_of(browser, owner, table), everything_of(db, owner)
    theirs = {name: f"eq.{value}" for name, value in owner.row(table).items()}
    server_owned = set(columns(db, table)) - TABLES[table].update
    assert server_owned
    for name in sorted(server_owned):
        change = {name: forged(columns(db, table)[name], row[name])}
        permitted = {allowed: row[allowed] for allowed in sorted(TABLES[table].update)[:1]}
        for body in (change, {**permitted, **change}):
            answer = browser.patch(f"/{table}", params=theirs, json=body)
            assert_refused(answer, f"{table}.{name}")
    assert everything_of(db, owner) == before


@pytest.mark.parametrize("table", TABLES)
def test_post__of_a_server_owned_column_is_refused(db: Clone, browser: httpx.Client, owner: Victim, table: str) -> None:
    """A new row that would be theirs, with one column more than they may set."""
    before, types = everything_of(db, owner), columns(db, table)
    row = row_of(browser, owner, table)
    acceptable = {name: row[name] for name in TABLES[table].insert if name != "id"}
    for name in sorted(set(types) - TABLES[table].insert):
        answer = browser.post(f"/{table}", json={**acceptable, name: forged(types[name], row[name])})
        assert_refused(answer, f"{table}.{name}")
    assert everything_of(db, owner) == before


@pytest.mark.parametrize("table", [name for name, table in TABLES.items() if table.update])
def test_patch__of_what_is_theirs_is_accepted(browser: httpx.Client, owner: Victim, table: str) -> None:
    """The same requests with the columns that are theirs pass, so the refusals are no accident."""
    theirs = {name: f"eq.{value}" for name, value in owner.row(table).items()}
    row = row_of(browser, owner, table)
    own = {name: row[name] for name in TABLES[table].update}
    answer = browser.patch(f"/{table}", params=theirs, json=own)
    assert answer.status_code == 200, answer.text
    assert len(answer.json()) == 1


@pytest.mark.parametrize("table", [name for name, table in TABLES.items() if not table.delete])
def test_delete__is_not_how_one_forgets(db: Clone, browser: httpx.Client, owner: Victim, table: str) -> None:
    before = everything_of(db, owner)
    theirs = {name: f"eq.{value}" for name, value in owner.row(table).items()}
    answer = browser.delete(f"/{table}", params=theirs)
    assert_refused(answer)
    assert everything_of(db, owner) == before


@pytest.mark.parametrize(
    "forgery",
    [
        {"role": "assistant"},
        {"role": "system"},
        {"user_id": None},
        {"user_id": "another"},
        {"conversation_id": "another"},
    ],
    ids=["as the assistant", "as the system", "as nobody", "as another", "elsewhere"],
)
def test_message__is_written_as_oneself_in_ones_own_conversation_only(
    browser: httpx.Client, owner: Victim, people: People, db: Clone, forgery: dict[str, Any]
) -> None:
    """The words memories are made from cannot be put in another's mouth."""
    ben = people.person("Ben")
    another = {"user_id": str(ben.user_id), "conversation_id": str(people.conversation(ben))}
    forgery = {name: another[name] if value == "another" else value for name, value in forgery.items()}
    honest = {"conversation_id": str(owner.ids["conversation"]), "role": "user", "content": "I am here."}
    assert browser.post("/messages", json=honest).status_code == 201
    count = "select count(*) from messages"
    before = db.value(count)
    answer = browser.post("/messages", json={**honest, **forgery})
    assert_refused(answer)
    assert db.value(count) == before


@pytest.mark.parametrize("verb", ["PATCH", "upsert"])
def test_settings__cannot_be_handed_to_another(
    browser: httpx.Client, owner: Victim, people: People, db: Clone, verb: str
) -> None:
    """user_id may be written, because an upsert writes it; but only as one's own."""
    ben, before = people.person("Ben"), everything_of(db, owner)
    body = {"user_id": str(ben.user_id), "enabled": False}
    if verb == "PATCH":
        answer = browser.patch("/user_memory_settings", params={"user_id": f"eq.{owner.account.user_id}"}, json=body)
    else:
        merge = {"prefer": "resolution=merge-duplicates,return=representation"}
        answer = browser.post("/user_memory_settings", json=body, headers=merge)
    assert_refused(answer)
    assert everything_of(db, owner) == before
    assert db.value("select count(*) from user_memory_settings where user_id = %s", (ben.user_id,)) == 0


def test_conversation__cannot_be_started_in_anothers_name_or_with_memory_on(
    browser: httpx.Client, owner: Victim, people: People
) -> None:
    """A profile, and with it memory, is chosen through the function that checks whose profile it is."""
    ben = people.person("Ben")
    assert browser.post("/conversations", json={"title": "Mine"}).status_code == 201
    for forgery in (
        {"user_id": str(ben.user_id)},
        {"profile_id": str(owner.account.profile_id)},
        {"memory_enabled": True},
    ):
        answer = browser.post("/conversations", json={"title": "Forged", **forgery})
        assert_refused(answer)


def assert_refused(answer: httpx.Response, column: str = "") -> None:
    """Refused for want of the right to it; a generated column is refused before anybody's rights are looked at."""
    expected = (400, "428C9") if column in GENERATED else (403, "42501")
    assert (answer.status_code, answer.json()["code"]) == expected, (answer.request.content, answer.text)


def row_of(browser: httpx.Client, owner: Victim, table: str) -> dict[str, Any]:
    """The person's row as they read it."""
    theirs = {name: f"eq.{value}" for name, value in owner.row(table).items()}
    (row,) = browser.get(f"/{table}", params=theirs).json()
    found: dict[str, Any] = row
    return found
