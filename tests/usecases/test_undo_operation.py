"""An operation is undone as a unit by the person whose it is, and by nobody else."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest

from keepsake.errors import NotFound
from keepsake.usecases.undo_operation import undo_operation
from tests.fixtures.scene import Scene


async def forget(scene: Scene, text: str) -> UUID:
    """Have Ada forget one of her memories; the operation."""
    with scene.db.as_person(scene.ada.user_id) as connection:
        memory = connection.execute("select id from public.user_memory where memory_text = %s", (text,)).fetchone()
        assert memory is not None
        row = connection.execute("select public.forget_memory(%s) as done", (memory["id"],)).fetchone()
        assert row is not None
        return UUID(row["done"]["operation_id"])


async def test_what_was_forgotten__is_there_again_and_undoing_the_undo_forgets_it(scene: Scene) -> None:
    await scene.tell("I live in Graz.")
    operation = await forget(scene, "Lives in Graz")
    assert scene.told() == []
    undone = await undo_operation(scene.resources, scene.ada.identity, operation)
    assert (undone.undone, undone.affected) == (operation, 1)
    assert scene.told() == ["Lives in Graz"]
    await undo_operation(scene.resources, scene.ada.identity, undone.operation_id)
    assert scene.told() == []


async def test_anothers_operation__is_not_found(scene: Scene) -> None:
    await scene.tell("I live in Graz.")
    operation = await forget(scene, "Lives in Graz")
    bob = scene.people.person("Bob")
    for nobodys in (operation, uuid4()):
        with pytest.raises(NotFound):
            await undo_operation(scene.resources, bob.identity, nobodys)
    assert scene.told() == []
