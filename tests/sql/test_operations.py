"""A person sees what was done to their memories, and by which id each of it can be undone."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People


@pytest.fixture
def ada(db: Clone, people: People) -> Account:
    """A person of whom nothing is remembered yet."""
    person = people.person("Ada")
    db.run("delete from public.user_memory")
    db.run("delete from keepsake.changes")
    return person


def operations(db: Clone, account: Account, **given: object) -> list[dict[str, Any]]:
    """What the person is told, newest first."""
    named = ", ".join(f"{name} => %({name})s" for name in given)
    with db.as_person(account.user_id) as connection:
        return connection.execute(f"select * from public.memory_operations({named})".encode(), given).fetchall()


def as_person(db: Clone, account: Account, statement: str, *arguments: object) -> None:
    """Do something through the person's own rights."""
    with db.as_person(account.user_id) as connection:
        connection.execute(statement.encode(), arguments)


def test_operations__tell_what_was_done_and_by_whom(db: Clone, people: People, ada: Account) -> None:
    """An edit and a forgetting stand there newest first, each with the words and states before and after."""
    memory = people.memory(ada, "Likes pizza")
    as_person(db, ada, "update public.user_memory set memory_text = 'Likes ramen' where id = %s", memory)
    as_person(db, ada, "select public.forget_memory(%s)", memory)
    forgotten, edited, made = operations(db, ada)
    assert [one["actor"] for one in (forgotten, edited)] == ["user", "user"]
    assert made["memories"][0]["action"] == "insert"
    (change,) = edited["memories"]
    assert (change["text_before"], change["text_after"]) == ("Likes pizza", "Likes ramen")
    assert change["memory_id"] == str(memory)
    assert change["ref"] == "M-2", "M-1 was the seeded name"
    (change,) = forgotten["memories"]
    assert (change["status_before"], change["status_after"]) == ("active", "deleted")


def test_operations__the_id_undoes_it(db: Clone, people: People, ada: Account) -> None:
    """An edit made through REST hands out no id of its own: the list does, and undo takes it back."""
    memory = people.memory(ada, "Likes pizza")
    as_person(db, ada, "update public.user_memory set memory_text = 'Likes ramen' where id = %s", memory)
    as_person(db, ada, "select public.undo_operation(%s)", operations(db, ada)[0]["operation_id"])
    assert db.value("select memory_text from public.user_memory where id = %s", (memory,)) == "Likes pizza"
    undoing, undone, _ = operations(db, ada)
    assert undone["undone_at"] is not None
    assert undoing["undone_at"] is None


def test_operations__of_one_memory_and_so_many(db: Clone, people: People, ada: Account) -> None:
    """The list can be held to one memory and to a number; an operation is told whole either way."""
    pizza, _ = people.memory(ada, "Likes pizza"), people.memory(ada, "Likes tea")
    as_person(db, ada, "update public.user_memory set pinned = true")
    (both, made) = operations(db, ada, memory_id=pizza)
    assert {change["ref"] for change in both["memories"]} == {"M-2", "M-3"}
    assert made["memories"][0]["text_after"] == "Likes pizza"
    assert len(operations(db, ada, max_results=1)) == 1
    assert len(operations(db, ada, max_results=-5)) == 1


def test_operations__only_ones_own_and_of_the_last_30_days(db: Clone, people: People, ada: Account) -> None:
    """Another's operations are not told, nor what can no longer be undone."""
    ben = people.person("Ben")
    memory: UUID = people.memory(ada, "Likes pizza")
    assert operations(db, ben, memory_id=memory) == []
    assert all("pizza" not in str(one) for one in operations(db, ben))
    db.run("update keepsake.changes set created_at = now() - interval '31 days'")
    assert operations(db, ada) == []
