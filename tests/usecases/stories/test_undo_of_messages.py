"""What a turn did can be undone, redone, and undone again, as often as the person changes their mind."""

from __future__ import annotations

import pytest

from tests.fixtures.scene import Scene


@pytest.mark.parametrize(
    "text", ["My girlfriend is Anna.", "I have a dog named Rex.", "I used to live in Rome, now Oslo."]
)
async def test_a_turn__is_undone_and_redone_again_and_again(scene: Scene, text: str) -> None:
    await scene.tell(text)
    told = scene.told()
    for times in range(4):
        newest = scene.db.value(
            "select operation_id from keepsake.changes where user_id = %s order by seq desc limit 1",
            (scene.ada.user_id,),
        )
        with scene.db.as_person(scene.ada.user_id) as connection:
            connection.execute("select public.undo_operation(%s)", (newest,))
        assert sorted(scene.told()) == (sorted(told) if times % 2 else [])
