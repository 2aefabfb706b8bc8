"""The export of another account is anybody's word, and what is over in it does not come back as current."""

from __future__ import annotations

import pytest

from keepsake.usecases.transfer.formats import FileFormat
from tests.fixtures.scene import Scene
from tests.support.transfer import bring, export, stored, undo


@pytest.mark.parametrize("file_format", list(FileFormat))
async def test_somebody_elses_export__brings_nothing_back_that_is_over(scene: Scene, file_format: FileFormat) -> None:
    """Neither what was forgotten, nor what was replaced, has expired or was archived; the doubt stays a doubt."""
    people, bob, now = scene.people, scene.people.person("Bob"), scene.clock.now()
    graz = people.memory(bob, "Lives in Graz", memory_key="home", status="superseded", valid_to=now)
    people.memory(bob, "Lives in Lisbon", memory_key="home", supersedes_id=graz)
    people.memory(bob, "Loves opera", status="deleted")
    people.memory(bob, "Feels tired", status="expired", expires_at=now)
    people.memory(bob, "Collects stamps", status="archived", archived_at=now)
    people.memory(bob, "Works at Tesco", doubted_at=now)
    people.memory(bob, "Loves tea", status="superseded", valid_to=now)
    people.memory(bob, "Loves tea")
    content = await export(scene, bob, file_format)
    report = await bring(scene, content)
    got = {(row["memory_text"], row["status"], row["doubted_at"] is not None): row for row in stored(scene)[1:]}
    assert set(got) == {
        ("Lives in Graz", "superseded", False), ("Lives in Lisbon", "active", False), ("Feels tired", "expired", False),
        ("Collects stamps", "archived", False), ("Works at Tesco", "active", True), ("Loves tea", "active", False),
        ("Loves tea", "superseded", False),
    }  # fmt: skip
    assert got["Lives in Lisbon", "active", False]["supersedes_id"] == got["Lives in Graz", "superseded", False]["id"]
    assert (report.forgotten, report.history) == (1, {"superseded": 2, "expired": 1, "archived": 1})
    assert (report.rows, report.imported, report.unchanged, report.refused) == (9, 7, 1, 0)
    assert (await bring(scene, content)).imported == 0
    undo(scene, report.operation_id)
    assert len(stored(scene)) == 1
    assert (await bring(scene, content)).imported == 7


async def test_somebody_elses_export__is_anybodys_word_and_reaches_nothing_of_theirs(scene: Scene) -> None:
    bob = scene.people.person("Bob")
    scene.people.memory(bob, "Likes chess", confidence_score=1, source="user", conversation_id=None)
    theirs, content = stored(scene, bob), await export(scene, bob)
    report = await bring(scene, content)
    assert (report.imported, report.unchanged, report.restored) == (1, 1, 0), "Bob's name is not Ada's"
    assert {("profile_id", "profile_gone"), ("signature", "not_signed_by_us")} <= {
        (note.field, note.reason) for note in report.notes
    }
    assert {row["profile_id"] for row in stored(scene)} == {scene.ada.profile_id}
    assert {row["source"] for row in stored(scene)[1:]} == {"import"}
    assert not {row["id"] for row in stored(scene)} & {row["id"] for row in theirs}
    assert stored(scene, bob) == theirs
