"""The words of an edit that held a secret are nowhere left: not in the history of the person, nor in the audit log."""

from __future__ import annotations

import json

import pytest

from tests.fixtures.scene import Scene
from tests.http.conftest import Functions

SECRET = "My password is hunter2 and card 4111 1111 1111 1111"


async def history(scene: Scene) -> str:
    """What the person reads of their operations, and what the log has of them."""
    with scene.db.as_person(scene.ada.user_id) as person:
        rows = person.execute("select * from public.memory_operations()").fetchall()
    sql = "select before, after, undone_at from keepsake.changes where user_id = %s"
    logged = scene.db.all(sql, (scene.ada.user_id,))
    return json.dumps([rows, logged], default=str)


async def ask(functions: Functions, scene: Scene) -> str:
    ids = {"conversation_id": str(scene.chat), "message_id": str(scene.says("What do I like?"))}
    context: str = (await functions.call("inject-memory", ids)).json()["context"]
    return context


async def test_a_rejected_secret__is_in_no_history(functions: Functions, scene: Scene) -> None:
    await scene.tell("I like ramen.")
    with scene.db.as_person(scene.ada.user_id) as person:
        person.execute("update public.user_memory set memory_text = %s where memory_text = 'Likes ramen'", (SECRET,))
    assert "hunter2" in await history(scene)
    assert "was undone" in await ask(functions, scene)
    found = await history(scene)
    assert "hunter2" not in found
    assert "4111" not in found
    assert "[removed, as it held a secret]" in found
    assert "Likes ramen" in scene.people.memories(scene.ada)
    assert not scene.db.all("select from public.user_memory where memory_text like '%%hunter2%%'")


async def test_two_rejected_secrets__are_both_gone(functions: Functions, scene: Scene) -> None:
    await scene.tell("I like ramen.")
    (memory,) = scene.db.all("select id from public.user_memory where memory_text = 'Likes ramen'")
    for text in ("The wifi password is Tr0ub4dor&3x", SECRET):
        with scene.db.as_person(scene.ada.user_id) as person:
            person.execute("update public.user_memory set memory_text = %s where id = %s", (text, memory["id"]))
    await ask(functions, scene)
    found = await history(scene)
    assert "hunter2" not in found
    assert "Tr0ub4dor" not in found
    assert "Likes ramen" in scene.people.memories(scene.ada)


async def test_the_rejection__cannot_be_undone(functions: Functions, scene: Scene) -> None:
    await scene.tell("I like ramen.")
    with scene.db.as_person(scene.ada.user_id) as person:
        person.execute("update public.user_memory set memory_text = %s where memory_text = 'Likes ramen'", (SECRET,))
    await ask(functions, scene)
    sql = "select operation_id from keepsake.changes where reason like 'the edit was rejected%%' limit 1"
    rejection = scene.db.value(sql)
    with pytest.raises(Exception, match="undone already"), scene.db.as_person(scene.ada.user_id) as person:
        person.execute("select public.undo_operation(%s)", (rejection,))
    assert "Likes ramen" in scene.people.memories(scene.ada)
