"""What is asked for again counts once, and what is asked for of a large operation is bounded."""

from __future__ import annotations

import json

from tests.fixtures.scene import Scene
from tests.http.conftest import Functions, as_person


async def test_the_history_of_an_import__is_bounded(functions: Functions, scene: Scene) -> None:
    rows = [{"memory_text": f"Likes number {number} of a long list of things"} for number in range(400)]
    await functions.call("import-memories", rows, headers=as_person(scene.ada))
    with scene.db.as_person(scene.ada.user_id) as person:
        (operation,) = person.execute("select * from public.memory_operations(1)").fetchall()
        one = scene.db.value("select id from public.user_memory where memory_text like 'Likes number 399 %%'")
        (of_memory,) = person.execute("select * from public.memory_operations(1, %s)", (one,)).fetchall()
    assert len(operation["memories"]) == 50
    assert of_memory["memories"][0]["memory_id"] == str(one) or str(one) in json.dumps(of_memory["memories"])


async def test_a_context_asked_for_again__counts_one_use(functions: Functions, scene: Scene) -> None:
    await scene.tell("I like ramen.")
    ids = {"conversation_id": str(scene.chat), "message_id": str(scene.says("Is ramen what I like?"))}
    for _ in range(3):
        assert "ramen" in (await functions.call("inject-memory", ids)).json()["context"]
    sql = "select reference_count from public.user_memory where memory_text = 'Likes ramen'"
    assert scene.db.value(sql) == 1
    ids["message_id"] = str(scene.says("And is ramen good?"))
    await functions.call("inject-memory", ids)
    assert scene.db.value(sql) == 2
