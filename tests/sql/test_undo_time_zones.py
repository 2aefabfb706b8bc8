"""Undo and the audit log do not depend on the time zone of a session."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import psycopg
import pytest

from tests.fixtures.db import Clone, Connection
from tests.fixtures.people import Account, People
from tests.fixtures.rest import Rest
from tests.sql.gap_checks import INVARIANTS

ZONES = ["UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati", "Africa/Monrovia"]


@pytest.fixture
def ada(people: People) -> Account:
    """A person."""
    return people.person("Ada")


def call(db: Clone, ada: Account, zone: str, statement: str, *arguments: object) -> dict[str, Any]:
    """Call a function as the person, in a session of that time zone."""
    with db.as_person(ada.user_id) as connection:
        set_zone(connection, zone)
        row = connection.execute(statement.encode(), arguments).fetchone()
    assert row is not None
    answer: dict[str, Any] = next(iter(row.values()))
    return answer


def set_zone(connection: Connection, zone: str) -> None:
    """Do what PostgREST does for `Prefer: timezone=…`."""
    connection.execute("select set_config('timezone', %s, true)", (zone,))


def broken(db: Clone, zone: str) -> set[str]:
    """The invariants that do not hold, as `doctor` sees them in a session of that time zone."""
    with db.as_superuser() as connection:
        set_zone(connection, zone)
        return {row["check_name"] for row in connection.execute(INVARIANTS.read_bytes())}


@pytest.mark.parametrize("undone_in", ZONES[1:3])
@pytest.mark.parametrize("done_in", ZONES)
def test_undo__in_another_time_zone(db: Clone, people: People, ada: Account, done_in: str, undone_in: str) -> None:
    """What was forgotten in one time zone comes back in another, exactly."""
    memory = people.memory(ada, "Likes pizza", expires_at=datetime(2030, 7, 1, 12, 0, 0, 123456, tzinfo=UTC))
    before = db.one("select m.* from public.user_memory as m where m.id = %s", (memory,))
    forgotten = call(db, ada, done_in, "select public.forget_memory(%s)", memory)
    undone = call(db, ada, undone_in, "select public.undo_operation(%s)", forgotten["operation_id"])
    assert undone["affected"] == 1
    after = db.one("select m.* from public.user_memory as m where m.id = %s", (memory,))
    assert after == {**before, "updated_at": after["updated_at"]}
    again = call(db, ada, done_in, "select public.undo_operation(%s)", undone["operation_id"])
    assert again["affected"] == 1


@pytest.mark.parametrize("zone", ZONES)
def test_undo__of_rows_that_were_logged_in_another_zone(db: Clone, people: People, ada: Account, zone: str) -> None:
    """Operations from before the log was kept in UTC can be undone, and are no breach to `doctor`."""
    memory = people.memory(ada, "Likes pizza")
    forgotten = call(db, ada, "UTC", "select public.forget_memory(%s)", memory)
    with db.as_superuser() as connection:  # as the log wrote them: with the offset of the session
        set_zone(connection, zone)
        connection.execute(
            "update keepsake.changes as c set"
            " before = to_jsonb(jsonb_populate_record(null::public.user_memory, c.before)),"
            " after = to_jsonb(jsonb_populate_record(null::public.user_memory, c.after))"
        )
    assert broken(db, "Asia/Tokyo") == set()
    assert call(db, ada, "UTC", "select public.undo_operation(%s)", forgotten["operation_id"])["affected"] == 1


def test_log__is_kept_in_utc(db: Clone, people: People, ada: Account) -> None:
    """The audit log reads alike whoever made the change, and in no other zone does an invariant break."""
    memory = people.memory(ada, "Likes pizza")
    call(db, ada, "Asia/Tokyo", "select public.forget_memory(%s)", memory)
    row = db.one("select c.after ->> 'deleted_at' as at from keepsake.changes as c order by c.seq desc limit 1")
    assert str(row["at"]).endswith("+00:00")
    for zone in ZONES:
        assert broken(db, zone) == set()


def test_conflict__names_the_operation_and_its_time(db: Clone, people: People, ada: Account) -> None:
    """Who may not undo is told which operation to undo first, and when that was."""
    memory = people.memory(ada, "Likes pizza", memory_key="food")
    first = call(db, ada, "UTC", "select public.forget_memory(%s)", memory)["operation_id"]
    later = call(db, ada, "Asia/Tokyo", "select public.restore_memory(%s)", memory)["operation_id"]
    assert later in (details := conflict(db, ada, first))
    at = db.value("select max(created_at) from keepsake.changes where operation_id = %s", (later,))
    assert f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC" in details


def test_conflict__with_a_newer_memory_names_what_made_it(db: Clone, people: People, ada: Account) -> None:
    """The same where a newer memory has the key."""
    memory = people.memory(ada, "Favorite food is pizza", memory_key="food")
    first = call(db, ada, "UTC", "select public.forget_memory(%s)", memory)["operation_id"]
    people.memory(ada, "Favorite food is ramen", memory_key="food")
    newest: UUID = db.value("select operation_id from keepsake.changes order by seq desc limit 1")
    assert str(newest) in conflict(db, ada, first)


def conflict(db: Clone, ada: Account, operation: str) -> str:
    """The details of the refusal to undo an operation."""
    with pytest.raises(psycopg.Error) as refused:
        call(db, ada, "America/New_York", "select public.undo_operation(%s)", operation)
    assert refused.value.sqlstate == "PT409"
    return refused.value.diag.message_detail or ""


def test_rest__a_person_chooses_the_zone(db: Clone, people: People, ada: Account, rest: Rest) -> None:
    """`Prefer: timezone=…`, which any client may send, keeps nobody from undoing."""
    memory = people.memory(ada, "Likes pizza")
    browser = rest.as_person(ada.user_id)
    prefer = {"prefer": "timezone=Asia/Tokyo"}
    forgotten = browser.post("/rpc/forget_memory", json={"memory_id": str(memory)}, headers=prefer)
    assert forgotten.headers["preference-applied"] == prefer["prefer"]
    undone = browser.post("/rpc/undo_operation", json={"operation_id": forgotten.json()["operation_id"]})
    assert (undone.status_code, undone.json()["affected"]) == (200, 1)
    pinned = browser.patch(f"/user_memory?id=eq.{memory}", json={"pinned": True}, headers=prefer)
    assert pinned.is_success
    assert broken(db, "UTC") == set()
