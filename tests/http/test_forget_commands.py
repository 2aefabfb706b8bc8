"""Forgetting by chat, over HTTP: what a subject or a message covers, and what undo brings back."""

from __future__ import annotations

import pytest

from tests.fixtures.scene import Scene
from tests.http.conftest import Functions
from tests.http.test_chat_commands import ask


async def agent_document(functions: Functions, scene: Scene) -> str:
    """What an agent reads of Ada."""
    answer = await functions.call("manage-user-memory", {"operation": "get_memory", "user_id": str(scene.ada.user_id)})
    assert answer.status_code == 200, answer.text
    return answer.text


async def test_forget_everything_about__takes_what_was_replaced_archived_or_has_expired_too(
    functions: Functions, scene: Scene
) -> None:
    """Nothing of it is told to an agent afterwards; another subject keeps its past, and undo restores all."""
    await scene.tell("I'm dating Anna")
    await scene.tell("Anna and I broke up")
    await scene.tell("My favorite food is pizza")
    await scene.tell("My favorite food is ramen")
    scene.people.memory(scene.ada, "Met Anna in Graz", status="archived", archived_at=scene.clock.now())
    scene.people.memory(scene.ada, "Anna visits on Friday", expires_at=scene.clock.now())
    before = scene.db.all("select id, status, memory_text from public.user_memory order by id")
    assert {row["status"] for row in before if "Anna" in row["memory_text"]} == {"active", "superseded", "archived"}
    assert "Anna" in await agent_document(functions, scene)
    answer = await ask(functions, scene, "forget everything about Anna")
    assert answer["command_result"]["status"] == "done"
    document = await agent_document(functions, scene)
    assert "Anna" not in document
    assert "pizza" in document
    left = scene.db.all("select memory_text from public.user_memory where status <> 'deleted'")
    assert not [row for row in left if "Anna" in row["memory_text"]]
    await ask(functions, scene, "undo that")
    assert scene.db.all("select id, status, memory_text from public.user_memory order by id") == before


async def test_forget_everything_about__what_only_the_past_tells(functions: Functions, scene: Scene) -> None:
    await scene.tell("I work at Siemens")
    await scene.tell("I work at Bosch now")
    assert "Siemens" in await agent_document(functions, scene)
    answer = await ask(functions, scene, "forget everything about Siemens")
    assert answer["command_result"]["status"] == "done"
    assert "Siemens" not in await agent_document(functions, scene)
    assert scene.told() == ["Works at Bosch"]


async def test_forget_everything_about__opens_a_fold_whose_member_is_about_it(
    functions: Functions, scene: Scene
) -> None:
    fold = scene.people.memory(scene.ada, "Visited Rome and Turin", source="curated_fold")
    for text in ("Visited Rome with Anna", "Visited Turin"):
        scene.people.memory(scene.ada, text, status="archived", folded_into=fold, archived_at=scene.clock.now())
    await ask(functions, scene, "forget everything about Anna")
    assert scene.told() == ["Visited Turin"]
    await ask(functions, scene, "undo that")
    assert scene.told() == ["Visited Rome and Turin"]


def states(scene: Scene) -> dict[str, str]:
    """Each memory with its state, and whether it is in doubt."""
    rows = scene.db.all("select * from public.user_memory where memory_text !~ '^Name is'")
    return {row["memory_text"]: "doubted" if row["doubted_at"] else row["status"] for row in rows}


@pytest.mark.parametrize("command", ["don't remember this", "forget that"])
@pytest.mark.parametrize(
    "turns, state",
    [(("I live in Leeds", "moved again lol"), "doubted"), (("I have a Fiat", "sold the fiat"), "superseded")],
)
async def test_a_message_that_only_changed_something__is_taken_back(
    functions: Functions, scene: Scene, turns: tuple[str, str], state: str, command: str
) -> None:
    """The memory that it changed is as it was before, and not forgotten; undo changes it again."""
    await scene.tell(turns[0])
    (memory,) = scene.told()
    await scene.tell(turns[1])
    assert states(scene) == {memory: state}
    answer = await ask(functions, scene, command)
    assert answer["command_result"]["status"] == "done"
    assert f'as it was before: "{memory}"' in answer["context"]
    assert states(scene) == {memory: "active"}
    await ask(functions, scene, "undo that")
    assert states(scene) == {memory: state}


async def test_do_not_remember__brings_back_what_the_message_replaced(functions: Functions, scene: Scene) -> None:
    await scene.tell("My favorite food is pizza")
    await scene.tell("My favorite food is ramen")
    answer = await ask(functions, scene, "don't remember this")
    assert 'Not kept, as the person asked: "Favorite food is ramen"' in answer["context"]
    assert scene.told() == ["Favorite food is pizza"]
    await ask(functions, scene, "undo that")
    assert scene.told() == ["Favorite food is ramen"]


async def test_do_not_remember__takes_the_to_do_of_the_message(functions: Functions, scene: Scene) -> None:
    await scene.tell("I have to call the dentist tomorrow")
    count = "select count(*) from public.user_memory_todos"
    assert scene.db.value(count) == 1
    answer = await ask(functions, scene, "don't remember this")
    assert answer["command_result"]["status"] == "done"
    assert (scene.db.value(count), scene.told()) == (0, [])


async def test_do_not_remember__forgets_what_was_made_where_something_changed_since(
    functions: Functions, scene: Scene
) -> None:
    await scene.tell("My favorite food is pizza")
    await scene.tell("My favorite food is ramen")
    scene.db.run("update public.user_memory set pinned = true where memory_text like '%%ramen'")
    answer = await ask(functions, scene, "don't remember this")
    assert answer["command_result"]["status"] == "done"
    assert scene.told() == []


@pytest.mark.parametrize("command", ["don't remember this", "forget that"])
async def test_a_change_that_cannot_be_taken_back__is_said(functions: Functions, scene: Scene, command: str) -> None:
    await scene.tell("I live in Leeds")
    await scene.tell("moved again lol")
    scene.db.run("update public.user_memory set pinned = true where memory_text like '%%Leeds'")
    answer = await ask(functions, scene, command)
    assert answer["command_result"]["status"] == "refused"
    assert "cannot be" in answer["command_result"]["message"]
    assert states(scene) == {"Lives in Leeds": "doubted"}


async def test_do_not_remember__takes_back_what_the_command_before_remembered(
    functions: Functions, scene: Scene
) -> None:
    await scene.tell("My favorite food is pizza")
    await ask(functions, scene, "Remember that my favorite food is ramen")
    assert scene.told() == ["Favorite food is ramen"]
    answer = await ask(functions, scene, "don't remember this")
    assert 'Not kept, as the person asked: "Favorite food is ramen"' in answer["context"]
    assert scene.told() == ["Favorite food is pizza"]


async def test_do_not_remember__after_a_refused_command_takes_nothing_older_back(
    functions: Functions, scene: Scene
) -> None:
    await ask(functions, scene, "Remember that my favorite food is ramen")
    await ask(functions, scene, "Remember that my password is hunter2")
    answer = await ask(functions, scene, "don't remember this")
    assert answer["command_result"]["status"] == "nothing"
    assert scene.told() == ["Favorite food is ramen"]
