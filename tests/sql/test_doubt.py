"""Doubt in the database: what sets it aside, what ends the memory, and what undo restores."""

from __future__ import annotations

from typing import Any

import pytest

from tests.fixtures.db import Clone
from tests.fixtures.people import Account, People

_STATE = "select status, doubted_at is not null as doubted, confidence_score, valid_to is not null as ended"


@pytest.fixture
def ada(people: People) -> Account:
    return people.person("Ada")


def _doubted(db: Clone, people: People, ada: Account) -> Any:
    memory = people.memory(ada, "Lives in Leeds", memory_key="fact|person|self|home", value="leeds")
    db.run("update public.user_memory set doubted_at = now() + interval '1 second' where id = %s", (memory,))
    return memory


def _state(db: Clone, memory: Any) -> dict[str, Any]:
    return db.one(f"{_STATE} from public.user_memory where id = %s", (memory,))


def _call(db: Clone, ada: Account, statement: Any, *params: Any) -> Any:
    with db.as_person(ada.user_id) as connection:
        row = connection.execute(statement, params).fetchone()
    return row["done"] if row else None


def test_confirm_memory__clears_the_doubt_and_undo_brings_it_back(db: Clone, people: People, ada: Account) -> None:
    memory = _doubted(db, people, ada)
    done = _call(db, ada, "select public.confirm_memory(%s) as done", memory)
    assert (done["affected"], _state(db, memory)["doubted"]) == (1, False)
    assert _state(db, memory)["confidence_score"] == 1
    _call(db, ada, "select public.undo_operation(%s) as done", done["operation_id"])
    assert _state(db, memory)["doubted"]


def test_end_memory__ends_it_without_a_successor_and_undo_restores_it(db: Clone, people: People, ada: Account) -> None:
    memory = _doubted(db, people, ada)
    before = _state(db, memory)
    done = _call(db, ada, "select public.end_memory(%s) as done", memory)
    ended = _state(db, memory)
    assert (done["affected"], ended["status"], ended["ended"]) == (1, "superseded", True)
    assert _call(db, ada, "select public.end_memory(%s) as done", memory)["affected"] == 0
    _call(db, ada, "select public.undo_operation(%s) as done", done["operation_id"])
    assert _state(db, memory) == before


def test_edit__by_the_person_clears_the_doubt(db: Clone, people: People, ada: Account) -> None:
    memory = _doubted(db, people, ada)
    statement = "update public.user_memory set memory_text = 'Lives in York' where id = %s returning id as done"
    _call(db, ada, statement, memory)
    assert not _state(db, memory)["doubted"]


def test_doubt__cannot_be_set_through_rest(db: Clone, people: People, ada: Account) -> None:
    memory = _doubted(db, people, ada)
    with pytest.raises(Exception, match="permission denied"):
        _call(db, ada, "update public.user_memory set doubted_at = null where id = %s returning id as done", memory)


def test_operation__from_before_there_was_doubt_can_still_be_undone(db: Clone, people: People, ada: Account) -> None:
    memory = people.memory(ada, "Likes ramen")
    done = _call(db, ada, "select public.forget_memory(%s) as done", memory)
    db.run("update keepsake.changes set before = before - 'doubted_at', after = after - 'doubted_at'")
    _call(db, ada, "select public.undo_operation(%s) as done", done["operation_id"])
    assert _state(db, memory)["status"] == "active"
