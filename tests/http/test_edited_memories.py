"""Edits of a person through REST, and what the functions make of them over HTTP."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from tests.fixtures.rest import Rest
from tests.fixtures.scene import Scene
from tests.http.conftest import Functions, as_person


async def context_of(functions: Functions, scene: Scene, text: str = "What shall we do?") -> str:
    """The context of a saved message, a minute later."""
    scene.clock.advance(minutes=1)
    body = {"conversation_id": str(scene.chat), "message_id": str(scene.says(text))}
    answer = await functions.call("inject-memory", body)
    assert answer.status_code == 200, answer.text
    return str(answer.json()["context"])


def memory_of(scene: Scene, text: str) -> dict[str, Any]:
    """The memory with a text."""
    return scene.db.one(
        "select * from public.user_memory where user_id = %s and memory_text = %s", (scene.ada.user_id, text)
    )


def edit(rest: Rest, scene: Scene, memory_id: UUID, **columns: Any) -> None:
    """Change a memory as the panel does."""
    answer = rest.as_person(scene.ada.user_id).patch(f"/user_memory?id=eq.{memory_id}", json=columns)
    assert answer.status_code == 200, answer.text


def operations(scene: Scene) -> list[UUID]:
    """The operations on what is remembered of Ada, the newest first."""
    rows = scene.db.all(
        "select operation_id from keepsake.changes where user_id = %s group by 1 order by max(seq) desc",
        (scene.ada.user_id,),
    )
    return [row["operation_id"] for row in rows]


def undo(rest: Rest, scene: Scene, operation: UUID) -> None:
    """Undo an operation as the panel does."""
    answer = rest.as_person(scene.ada.user_id).post("/rpc/undo_operation", json={"operation_id": str(operation)})
    assert answer.status_code == 200, answer.text


@pytest.fixture
def ada_with_profile(scene: Scene) -> Scene:
    """Ada, whose profile names her pronouns."""
    scene.db.run("update public.user_profile_list set pronouns = 'she/her' where id = %s", (scene.ada.profile_id,))
    return scene


async def test_edited_name_and_pronouns__are_those_of_the_identity_line(
    functions: Functions, rest: Rest, ada_with_profile: Scene
) -> None:
    scene = ada_with_profile
    assert 'Talking with: "Ada" (pronouns "she/her")' in await context_of(functions, scene)
    edit(rest, scene, memory_of(scene, "Name is Ada")["id"], memory_text="Name is Adele")
    edit(rest, scene, memory_of(scene, "Pronouns are she/her")["id"], memory_text="Pronouns are they/them")
    assert 'Talking with: "Adele" (pronouns "they/them")' in await context_of(functions, scene)
    edited = memory_of(scene, "Name is Adele")
    assert (edited["memory_key"], edited["value"], edited["source"]) == ("fact|person|self|name", "adele", "user")


async def test_edited_answer_preference__is_how_the_person_is_answered(
    functions: Functions, rest: Rest, scene: Scene
) -> None:
    await scene.tell("Please give me short answers from now on.")
    edit(rest, scene, memory_of(scene, "Prefers short answers")["id"], memory_text="Prefers long answers")
    context = await context_of(functions, scene)
    assert 'wants to be answered: "Prefers long answers"' in context


async def test_change_of_the_profile__replaces_no_edited_name(functions: Functions, rest: Rest, scene: Scene) -> None:
    edit(rest, scene, memory_of(scene, "Name is Ada")["id"], memory_text="Name is Adele")
    await context_of(functions, scene)
    scene.db.run("update public.user_profile_list set name = 'Bea' where id = %s", (scene.ada.profile_id,))
    assert scene.people.memories(scene.ada) == ["Name is Adele"]


async def test_edit_of_another_memory_to_a_key_that_is_taken__replaces_what_has_it(
    functions: Functions, rest: Rest, scene: Scene
) -> None:
    """The undo of the edit brings both back."""
    await scene.tell("I live in Graz.")
    await scene.tell("I love chess.")
    home, edited = memory_of(scene, "Lives in Graz"), memory_of(scene, "Loves chess")
    edit(rest, scene, home["id"], pinned=True)
    edit(rest, scene, edited["id"], memory_text="Lives in Linz")
    operation = operations(scene)[0]
    context = await context_of(functions, scene, "Where do I live?")
    assert "Linz" in context
    assert "Graz" not in context
    linz = memory_of(scene, "Lives in Linz")
    assert (linz["memory_key"], linz["value"], linz["supersedes_id"]) == ("fact|person|self|home", "linz", home["id"])
    assert linz["pinned"], "a pin belongs to the key"
    assert memory_of(scene, "Lives in Graz")["status"] == "superseded"
    undo(rest, scene, operation)
    assert scene.told() == ["Lives in Graz", "Loves chess"]
    assert memory_of(scene, "Loves chess")["memory_key"] == edited["memory_key"]


async def test_edits_to_one_key__leave_the_last(functions: Functions, rest: Rest, scene: Scene) -> None:
    for said in ("I live in Graz.", "I love chess.", "I love rowing."):
        await scene.tell(said)
    edit(rest, scene, memory_of(scene, "Loves rowing")["id"], memory_text="Lives in Linz")
    edit(rest, scene, memory_of(scene, "Loves chess")["id"], memory_text="Lives in Wels")
    await context_of(functions, scene)
    assert scene.told() == ["Lives in Wels"]
    assert memory_of(scene, "Lives in Wels")["memory_key"] == "fact|person|self|home"


async def test_edit_that_was_used__can_be_undone_and_so_can_a_later_pin(
    functions: Functions, rest: Rest, scene: Scene
) -> None:
    """That the key was derived in between stands in the way of neither, and stays with the text."""
    memory = memory_of(scene, "Name is Ada")
    edit(rest, scene, memory["id"], memory_text="Name is Adele")
    edit(rest, scene, memory["id"], pinned=True)
    await context_of(functions, scene)
    pin, change = operations(scene)[:2]
    undo(rest, scene, pin)
    assert 'Talking with: "Adele"' in await context_of(functions, scene)
    assert not memory_of(scene, "Name is Adele")["pinned"]
    undo(rest, scene, change)
    restored = memory_of(scene, "Name is Ada")
    assert (restored["memory_key"], restored["value"], restored["source"]) == (
        "fact|person|self|name",
        "ada",
        "seeded_profile",
    )


async def test_derived_key__is_no_change_of_its_own(functions: Functions, rest: Rest, scene: Scene) -> None:
    edit(rest, scene, memory_of(scene, "Name is Ada")["id"], memory_text="Name is Adele")
    before, updated_at = operations(scene), memory_of(scene, "Name is Adele")["updated_at"]
    await context_of(functions, scene)
    edited = memory_of(scene, "Name is Adele")
    assert edited["memory_key"] == "fact|person|self|name"
    assert (operations(scene), edited["updated_at"]) == (before, updated_at)


async def test_rejected_edit_before_another_change__costs_the_text_alone(
    functions: Functions, rest: Rest, scene: Scene
) -> None:
    await scene.tell("I live in Graz.")
    memory = memory_of(scene, "Lives in Graz")
    edit(rest, scene, memory["id"], memory_text="Earns 85,000 dollars a year")
    edit(rest, scene, memory["id"], pinned=True)
    context = await context_of(functions, scene)
    assert '"Lives in Graz"' in context
    assert "85,000" not in context
    kept = memory_of(scene, "Lives in Graz")
    assert (kept["status"], kept["pinned"]) == ("active", True)
    same = ("memory_key", "value", "source", "source_quote", "confidence_score")
    assert {name: kept[name] for name in same} == {name: memory[name] for name in same}


async def test_rejected_edit_of_a_forgotten_memory__does_not_come_back_with_it(
    functions: Functions, rest: Rest, scene: Scene
) -> None:
    await scene.tell("I live in Graz.")
    memory_id = memory_of(scene, "Lives in Graz")["id"]
    edit(rest, scene, memory_id, memory_text="Earns 85,000 dollars a year")
    ada = rest.as_person(scene.ada.user_id)
    assert ada.post("/rpc/forget_memory", json={"memory_id": str(memory_id)}).status_code == 200
    await context_of(functions, scene)
    assert ada.post("/rpc/restore_memory", json={"memory_id": str(memory_id)}).status_code == 200
    assert "85,000" not in await context_of(functions, scene, "What do you know about me?")
    assert scene.told() == ["Lives in Graz"]


async def test_rejected_edit_whose_key_another_memory_has_taken__is_forgotten(
    functions: Functions, rest: Rest, scene: Scene
) -> None:
    await scene.tell("I live in Graz.")
    memory_id = memory_of(scene, "Lives in Graz")["id"]
    edit(rest, scene, memory_id, memory_text="Earns 85,000 dollars a year")
    await scene.tell("I live in Linz.")
    await context_of(functions, scene)
    assert scene.told() == ["Lives in Linz"]
    assert memory_of(scene, "Lives in Graz")["status"] == "deleted"


@pytest.mark.parametrize("way", ["function", "rpc"])
async def test_rejected_edit_that_an_undo_brings_back__is_screened_again(
    functions: Functions, rest: Rest, scene: Scene, way: str
) -> None:
    await scene.tell("I live in Graz.")
    edit(rest, scene, memory_of(scene, "Lives in Graz")["id"], memory_text="Earns 85,000 dollars a year")
    await context_of(functions, scene)
    rejection = operations(scene)[0]
    if way == "rpc":
        undo(rest, scene, rejection)
    else:
        body = {"operation_id": str(rejection)}
        answer = await functions.call("undo-operation", body, headers=as_person(scene.ada))
        assert answer.status_code == 200, answer.text
    assert scene.told() == ["Earns 85,000 dollars a year"]
    assert "85,000" not in await context_of(functions, scene, "What do you know about me?")
    assert scene.told() == ["Lives in Graz"]
