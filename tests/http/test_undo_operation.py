"""``undo-operation`` over HTTP: an operation of any size, as a whole, by statements of bounded size."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest

from tests.fixtures.scene import Scene
from tests.http.conftest import Functions, as_person

_MANY = 3_100


def _state(scene: Scene) -> list[dict[str, Any]]:
    return scene.db.all(
        "select m.*, i.lexemes from public.user_memory as m left join keepsake.memory_index as i on i.memory_id = m.id"
        " where m.user_id = %s order by m.memory_no",
        (scene.ada.user_id,),
    )


def _write_many(scene: Scene) -> UUID:
    """Write many memories of which each replaces the one before, as one operation, and change one of them again."""
    operation = uuid4()
    with scene.db.as_service() as connection:
        connection.execute("select set_config('keepsake.operation_id', %s, true)", (str(operation),))
        connection.execute(
            "insert into public.user_memory (id, user_id, profile_id, memory_text, memory_type, status, valid_to,"
            " supersedes_id)"
            " select md5(n::text)::uuid, %s, %s, 'Likes tea number ' || n, 'fact', 'superseded', now(),"
            " case when n > 1 then md5((n - 1)::text)::uuid end from generate_series(1, %s) as n order by n",
            (scene.ada.user_id, scene.ada.profile_id, _MANY),
        )
        connection.execute("update public.user_memory set importance = 2 where id = md5('7')::uuid")
    return operation


async def test_a_large_operation__is_undone_and_redone_exactly(functions: Functions, scene: Scene) -> None:
    """The RPC names this function instead of running into the client's statement timeout."""
    before = _state(scene)
    operation = _write_many(scene)
    after = _state(scene)
    with pytest.raises(psycopg.DatabaseError) as refused, scene.db.as_person(scene.ada.user_id) as connection:
        connection.execute("select public.undo_operation(%s)", (operation,))
    assert (refused.value.sqlstate, refused.value.diag.message_hint) == ("PT413", "Call the function undo-operation.")

    headers = as_person(scene.ada)
    undone = await functions.call("undo-operation", {"operation_id": str(operation)}, headers=headers)
    assert undone.status_code == 200, undone.text
    assert undone.json() == {
        "operation_id": undone.json()["operation_id"],
        "undone": str(operation),
        "affected": _MANY + 1,
    }
    assert _state(scene) == before
    redone = await functions.call("undo-operation", {"operation_id": undone.json()["operation_id"]}, headers=headers)
    assert redone.status_code == 200, redone.text
    assert _state(scene) == after


async def test_a_later_change_to_one_of_many__leaves_all_as_they_are(functions: Functions, scene: Scene) -> None:
    operation = _write_many(scene)
    scene.db.run("update public.user_memory set memory_text = 'Likes coffee' where id = md5('2000')::uuid")
    after = _state(scene)
    refused = await functions.call("undo-operation", {"operation_id": str(operation)}, headers=as_person(scene.ada))
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert _state(scene) == after


async def test_the_operation_of_another__is_404(functions: Functions, scene: Scene) -> None:
    operation = _write_many(scene)
    ben = scene.people.person("Ben")
    refused = await functions.call("undo-operation", {"operation_id": str(operation)}, headers=as_person(ben))
    assert (refused.status_code, refused.json()["code"]) == (404, "not_found")
    assert sum(row["memory_text"].startswith("Likes tea") for row in _state(scene)) == _MANY
