"""Undo puts back exactly what an operation changed, all of it or nothing, and can itself be undone."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from tests.fixtures.db import Clone, Connection
from tests.fixtures.people import Account, People


@pytest.fixture
def ada(db: Clone, people: People) -> Account:
    """A person of whom nothing is remembered yet."""
    person = people.person("Ada")
    db.run("delete from public.user_memory")
    db.run("delete from keepsake.changes")
    return person


def state(db: Clone) -> list[dict[str, Any]]:
    """Every memory with every column, and the words in the index."""
    return db.all(
        "select m.*, i.lexemes, i.length from public.user_memory as m"
        " left join keepsake.memory_index as i on i.memory_id = m.id order by m.user_id, m.memory_no"
    )


def name_operation(connection: Connection, actor: str = "rules") -> UUID:
    """Name what this transaction does, as a writer does."""
    operation = uuid4()
    connection.execute(
        "select set_config('keepsake.operation_id', %s, true), set_config('keepsake.actor', %s, true)",
        (str(operation), actor),
    )
    return operation


def supersede(db: Clone, ada: Account, old: UUID) -> UUID:
    """Do what extraction does when a statement replaces another."""
    with db.as_service() as connection:
        operation = name_operation(connection)
        connection.execute(
            "update public.user_memory set status = 'superseded', valid_to = now() where id = %s returning id", (old,)
        )
        connection.execute(
            "insert into public.user_memory (user_id, profile_id, memory_text, memory_type, memory_key, value, source,"
            " supersedes_id) values (%s, %s, 'Favorite food is ramen', 'fact', 'food', 'ramen', 'rule_extraction', %s)",
            (ada.user_id, ada.profile_id, old),
        )
    return operation


def call(db: Clone, ada: Account, statement: str, *arguments: object) -> dict[str, Any]:
    """Call a function as the person through REST would."""
    with db.as_person(ada.user_id) as connection:
        row = connection.execute(statement.encode(), arguments).fetchone()
    assert row is not None
    answer: dict[str, Any] = next(iter(row.values()))
    return answer


def undo(db: Clone, ada: Account, operation: UUID | str) -> dict[str, Any]:
    """Undo as the person."""
    return call(db, ada, "select public.undo_operation(%s)", operation)


def test_undo__supersede(db: Clone, people: People, ada: Account) -> None:
    """The old statement is back and current, the new one is gone, and not a column differs."""
    old = people.memory(ada, "Favorite food is pizza", memory_key="food", value="pizza", confidence_score=0.7)
    people.memory(ada, "Has a dog named Rex")
    before = state(db)
    operation = supersede(db, ada, old)
    after = state(db)
    undone = undo(db, ada, operation)
    assert undone["affected"] == 2
    assert state(db) == before
    redone = undo(db, ada, undone["operation_id"])
    assert redone["affected"] == 2
    assert state(db) == after


def test_undo__clear(db: Clone, people: People, ada: Account) -> None:
    """Everything that was forgotten at once comes back at once, each in the state it had."""
    kept = people.memory(ada, "Likes pizza", pinned=True)
    people.memory(ada, "Was in Rome", status="superseded", supersedes_id=kept)
    people.memory(ada, "Feels tired", status="archived")
    people.memory(ada, "Likes rain", status="deleted")
    before = state(db)
    cleared = call(db, ada, "select public.clear_my_memories()")
    assert cleared["affected"] == 3
    assert {row["status"] for row in state(db)} == {"deleted"}
    assert undo(db, ada, cleared["operation_id"])["affected"] == 3
    assert state(db) == before


def test_undo__a_persons_own_edit(db: Clone, people: People, ada: Account) -> None:
    """An edit through REST is an operation like any other: key, value, source and confidence come back."""
    memory = people.memory(ada, "Favorite food is pizza", memory_key="food", value="pizza", source="rule_extraction")
    people.memory(ada, "Likes rain")
    before = state(db)
    with db.as_person(ada.user_id) as connection:
        connection.execute("update public.user_memory set memory_text = 'Edited', pinned = true")
    operations = db.all("select distinct operation_id, actor from keepsake.changes where action = 'update'")
    assert [row["actor"] for row in operations] == ["user"], "one request is one operation"
    assert undo(db, ada, operations[0]["operation_id"])["affected"] == 2
    assert state(db) == before
    assert db.value("select memory_key from public.user_memory where id = %s", (memory,)) == "food"


def test_undo__keeps_uses_counted_since(db: Clone, people: People, ada: Account) -> None:
    """What was counted after the operation is no part of it; what the operation counted is taken back."""
    memory = people.memory(ada, "Likes pizza", reference_count=2)
    with db.as_service() as connection:
        operation = name_operation(connection)
        connection.execute(
            "update public.user_memory set reference_count = 3, importance = 2, last_referenced_at = now()"
        )
    with db.as_service() as connection:
        connection.execute(
            "update public.user_memory set reference_count = reference_count + 1, last_referenced_at = 'infinity'"
        )
    assert undo(db, ada, operation)["affected"] == 1
    row = db.one(
        "select reference_count, importance, last_referenced_at = 'infinity' as used from public.user_memory"
        " where id = %s",
        (memory,),
    )
    assert row == {"reference_count": 3, "importance": 1, "used": True}


def test_undo__refused_when_the_row_was_changed_again(db: Clone, people: People, ada: Account) -> None:
    """A later operation on the same row stands in the way: nothing is undone, and it is named."""
    old = people.memory(ada, "Favorite food is pizza", memory_key="food", value="pizza")
    operation = supersede(db, ada, old)
    new = db.value("select id from public.user_memory where status = 'active'")
    forgotten = call(db, ada, "select public.forget_memory(%s)", new)
    before = state(db)
    with pytest.raises(psycopg.Error) as refused:
        undo(db, ada, operation)
    assert refused.value.sqlstate == "PT409"
    assert str(forgotten["operation_id"]) in str(refused.value.diag.message_detail)
    assert state(db) == before
    undo(db, ada, forgotten["operation_id"])
    assert undo(db, ada, operation)["affected"] == 2, "the later one undone, the way is free"


def test_undo__all_or_nothing(db: Clone, people: People, ada: Account) -> None:
    """One row of many in the way, and none is touched."""
    for number in range(5):
        people.memory(ada, f"Likes colour {number}")
    cleared = call(db, ada, "select public.clear_my_memories()")
    call(db, ada, "select public.restore_memory((select id from public.user_memory order by memory_no limit 1))")
    before = state(db)
    with pytest.raises(psycopg.Error, match="stands in the way"):
        undo(db, ada, cleared["operation_id"])
    assert state(db) == before


def test_undo__refused_when_the_place_is_taken(db: Clone, people: People, ada: Account) -> None:
    """What would come back next to its successor is refused, not doubled."""
    memory = people.memory(ada, "Favorite food is pizza", memory_key="food", value="pizza")
    forgotten = call(db, ada, "select public.forget_memory(%s)", memory)
    people.memory(ada, "Favorite food is ramen", memory_key="food", value="ramen")
    with pytest.raises(psycopg.Error) as refused:
        undo(db, ada, forgotten["operation_id"])
    assert refused.value.sqlstate == "PT409"
    with pytest.raises(psycopg.Error) as unrestored:
        call(db, ada, "select public.restore_memory(%s)", memory)
    assert unrestored.value.sqlstate == "PT409"


def test_undo__twice_late_and_strangers(db: Clone, people: People, ada: Account) -> None:
    """Once, within thirty days, and one's own: everything else is refused with a reason."""
    ben = people.person("Ben")
    memory = people.memory(ada, "Likes pizza")
    forgotten = call(db, ada, "select public.forget_memory(%s)", memory)["operation_id"]
    for person, operation, code in [(ben, forgotten, "PT404"), (ada, uuid4(), "PT404")]:
        with pytest.raises(psycopg.Error) as refused:
            undo(db, person, operation)
        assert refused.value.sqlstate == code
    db.run("update keepsake.changes set created_at = now() - interval '31 days' where operation_id = %s", (forgotten,))
    with pytest.raises(psycopg.Error) as late:
        undo(db, ada, forgotten)
    assert late.value.sqlstate == "PT410"
    db.run("update keepsake.changes set created_at = now() where operation_id = %s", (forgotten,))
    undo(db, ada, forgotten)
    with pytest.raises(psycopg.Error, match="undone already") as twice:
        undo(db, ada, forgotten)
    assert twice.value.sqlstate == "PT409"


def test_undo__twice_at_once(db: Clone, people: People, ada: Account) -> None:
    """Of many who press undo together one undoes, and the others are told that it was done."""
    for number in range(20):
        people.memory(ada, f"Likes colour {number}")
    cleared = call(db, ada, "select public.clear_my_memories()")["operation_id"]

    def press(_: int) -> str | None:
        try:
            undo(db, ada, cleared)
        except psycopg.Error as error:
            return error.sqlstate
        return None

    with ThreadPoolExecutor(4) as pool:
        assert sorted(str(code) for code in pool.map(press, range(4))) == ["None", "PT409", "PT409", "PT409"]
    assert db.value("select count(*) from public.user_memory where is_active") == 20


def test_undo__what_it_pointed_at_is_gone(db: Clone, people: People, ada: Account) -> None:
    """A conversation deleted since does not keep its memories from coming back."""
    conversation = people.conversation(ada)
    message = people.says(ada, conversation, "I like pizza")
    memory = people.memory(ada, "Likes pizza", conversation_id=conversation, source_message_id=message)
    forgotten = call(db, ada, "select public.forget_memory(%s)", memory)
    db.run("delete from public.conversations where id = %s", (conversation,))
    assert undo(db, ada, forgotten["operation_id"])["affected"] == 1
    row = db.one("select status, conversation_id, source_message_id from public.user_memory where id = %s", (memory,))
    assert row == {"status": "active", "conversation_id": None, "source_message_id": None}


def test_undo__by_the_service_for_a_person(db: Clone, people: People, ada: Account) -> None:
    """The functions undo for the person whose token they checked, and for nobody else."""
    memory = people.memory(ada, "Likes pizza")
    forgotten = call(db, ada, "select public.forget_memory(%s)", memory)["operation_id"]
    with db.as_service() as connection:
        row = connection.execute("select keepsake.undo(%s, %s, 'agent') as answer", (ada.user_id, forgotten)).fetchone()
    assert row is not None
    assert row["answer"]["affected"] == 1
    assert db.value("select actor from keepsake.changes order by seq desc limit 1") == "agent"


def test_changes__are_the_audit(db: Clone, people: People, ada: Account) -> None:
    """Each change is written once with its actor and reason; counting a use is none, nor is writing the same."""
    memory = people.memory(ada, "Likes pizza")
    db.run("delete from keepsake.changes")
    with db.as_service() as connection:
        connection.execute(
            "update public.user_memory set reference_count = reference_count + 1, last_referenced_at = now()"
        )
        connection.execute("update public.user_memory set memory_text = memory_text")
    assert db.value("select count(*) from keepsake.changes") == 0
    with db.as_service() as connection:
        operation = name_operation(connection, "cron")
        connection.execute("select set_config('keepsake.reason', 'expired', true)")
        connection.execute("update public.user_memory set status = 'expired'")
    row = db.one("select operation_id, row_id, action, actor, reason, before ->> 'status' as was from keepsake.changes")
    assert row == {
        "operation_id": operation, "row_id": memory, "action": "update", "actor": "cron", "reason": "expired",
        "was": "active",
    }  # fmt: skip


def test_changes__go_with_the_person_and_the_profile(db: Clone, people: People, ada: Account) -> None:
    """Deleting a profile, an account, or a memory for good leaves no copy of the words behind."""
    first, second = people.memory(ada, "Likes pizza"), people.memory(ada, "Likes ramen")
    with db.as_service() as connection:
        connection.execute("select set_config('keepsake.hard_delete', 'on', true)")
        connection.execute("delete from public.user_memory where id = %s", (first,))
    assert db.all("select distinct row_id from keepsake.changes") == [{"row_id": second}]
    db.run("delete from public.user_profile_list where id = %s", (ada.profile_id,))
    assert db.value("select count(*) from keepsake.changes") == 0
    ben = people.person("Ben")
    people.memory(ben, "Likes tea")
    db.run("delete from auth.users where id = %s", (ben.user_id,))
    assert db.value("select count(*) from keepsake.changes") == 0
    assert db.value("select count(*) from keepsake.counters where user_id = %s", (ben.user_id,)) == 0
