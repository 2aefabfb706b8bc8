"""Memories come back from a file: once, as one operation, into one's own profiles, believed as far as we vouch."""

from __future__ import annotations

import asyncio
import io
import json
import threading
from uuid import uuid4

import pytest

from keepsake.errors import Conflict, InvalidInput, NotFound, TooLarge
from keepsake.identity import Person
from keepsake.operations.explain import Question, explain_question
from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from keepsake.usecases.import_memories import ImportLimits, import_memories
from tests.fixtures.scene import Scene
from tests.support.transfer import bring, counts, stored, undo


async def test_a_plain_list__is_imported_once_and_undone_as_one(scene: Scene) -> None:
    rows = [
        {"memory_text": "Likes ramen"},
        {"memory_text": "likes  ramen."},
        {"memory_text": "Takes insulin for diabetes"},
        {"memory_text": "The wifi password is Tr0ub4dor&3x"},
        {"memory_text": "Knows Ann", "entity_refs": ["person:ann"], "pinned": True},
    ]
    report = await bring(scene, rows)
    assert (report.status, counts(report)) == ("imported", (5, 3, 1, 1))
    assert [(one.row, one.field, one.reason) for one in report.problems] == [(4, "memory_text", "secret")]
    _, ramen, insulin, ann = stored(scene)
    assert (ramen["source"], float(ramen["confidence_score"]), ramen["memory_no"]) == ("import", 0.8, 2)
    assert float(insulin["confidence_score"]) == 0.4
    assert (ann["importance"], ann["entity_refs"]) == (3, ["person:ann"])
    assert scene.db.value("select count(*) from keepsake.memory_index where memory_id = %s", (ramen["id"],)) == 1

    again = await bring(scene, rows)
    assert (again.status, counts(again), again.operation_id) == ("unchanged", (5, 0, 4, 1), None)
    undo(scene, report.operation_id)
    assert scene.people.memories(scene.ada) == ["Name is Ada"]
    assert scene.db.value("select count(*) from public.user_memory_entities") == 0
    assert (await bring(scene, rows)).imported == 3
    assert [row["memory_no"] for row in stored(scene)] == [1, 5, 6, 7], "no number is given out twice"


async def test_atomic__writes_nothing_where_one_row_is_bad(scene: Scene) -> None:
    rows = [{"memory_text": "Likes ramen"}, {"memory_text": "x" * 501}]
    report = await bring(scene, rows, atomic=True)
    assert (report.status, counts(report), report.operation_id) == ("refused", (2, 0, 0, 1), None)
    assert len(stored(scene)) == 1
    assert (await bring(scene, rows[:1], atomic=True)).status == "imported"


async def test_what_was_forgotten_since__stays_forgotten(scene: Scene) -> None:
    report = await bring(scene, [{"memory_text": "Likes ramen"}])
    with scene.db.as_person(scene.ada.user_id) as connection:
        connection.execute("select public.forget_memory(%s)", (stored(scene)[1]["id"],))
    again = await bring(scene, [{"memory_text": "Likes ramen"}])
    assert (again.status, [(note.field, note.reason) for note in again.notes]) == (
        "unchanged",
        [("status", "forgotten_since")],
    )
    assert report.operation_id
    assert scene.people.memories(scene.ada) == ["Name is Ada"]


async def test_beyond_the_cap__rows_are_imported_as_archived(scene: Scene) -> None:
    limits = ImportLimits(active_memories=3, batch=2)
    rows = [{"memory_text": f"Likes number {number}"} for number in range(6)]
    report = await bring(scene, rows, limits=limits)
    assert (report.imported, report.archived) == (6, 4)
    assert scene.people.memories(scene.ada) == ["Name is Ada", "Likes number 0", "Likes number 1"]
    assert all(row["archived_at"] for row in stored(scene)[3:])
    assert (await bring(scene, rows, limits=limits)).status == "unchanged"


async def test_rows__go_to_a_profile_of_ones_own_and_no_other(scene: Scene) -> None:
    bob = scene.people.person("Bob")
    second = scene.people.profile(scene.ada.user_id, "Pen name")
    rows = [{"memory_text": "a b"}, {"memory_text": "c d", "profile_id": str(scene.ada.profile_id)}]
    assert (await bring(scene, rows, profile_id=second)).profile_id == second
    assert [row["profile_id"] for row in stored(scene)] == [scene.ada.profile_id, second, scene.ada.profile_id]
    for foreign in (bob.profile_id, uuid4()):
        with pytest.raises(NotFound):
            await bring(scene, rows, profile_id=foreign)
    stranger = Person(uuid4())
    with pytest.raises(Conflict):
        await import_memories(scene.resources, stranger, b"[]")


UNREADABLE = (
    b"",
    b"  ",
    b"\xef\xbb\xbf",
    b'[{"memory_text": "Likes ramen"}, {"memory',
    b'[{"memory_text": "caf\xe9"}]',
    "[]".encode("utf-16"),
    b"\x1f\x8b\x08\x00\x00\x00",
    b"[" * 100_000,
    b'memory_text\n"Likes ramen',
    b"memory_text\n" + b"x," * 200_000,
    b"memory_text," + b",".join(b"%d" % number for number in range(300)),
)


async def test_a_file_that_cannot_be_read__writes_nothing(scene: Scene) -> None:
    """Neither does one with more rows than are taken; nothing that is no JSON, CSV or UTF-8 is more than a refusal."""
    for content in UNREADABLE:
        with pytest.raises(InvalidInput):
            await bring(scene, content)
    with pytest.raises(TooLarge):
        await bring(scene, b"\n".join([b'{"memory_text": "a b"}'] * 12), limits=ImportLimits(rows=10))
    assert len(stored(scene)) == 1


async def test_a_byte_order_mark__is_no_part_of_the_file(scene: Scene) -> None:
    assert (await bring(scene, b'\xef\xbb\xbf[{"memory_text": "Likes ramen"}]')).imported == 1
    assert (await bring(scene, b"\xef\xbb\xbfmemory_text\r\nLikes chess\r\n")).imported == 1


async def test_rows_about_the_same_thing__do_not_both_hold(scene: Scene) -> None:
    """Unsigned rows get the keys of extraction, and are compared by them with the file and with what is known."""
    await scene.tell("I live in Graz.")
    rows = ["Nickname is K1", "Nickname is K2", "Lives in Rome", "Favorite food is ramen", "Favourite food is sushi."]
    report = await bring(scene, [{"memory_text": text} for text in rows], limits=ImportLimits(batch=2))
    assert scene.people.memories(scene.ada) == [
        "Name is Ada",
        "Lives in Graz",
        "Nickname is K1",
        "Favorite food is ramen",
    ]
    assert (report.imported, report.unchanged) == (2, 3)
    assert {(one.field, one.reason, one.rows) for one in report.notes} == {("memory_key", "something_newer_stands", 3)}
    keys = {row["memory_text"]: (row["memory_key"], row["value"]) for row in stored(scene)}
    assert keys["Favorite food is ramen"] == ("fact|person|self|favorite_food", "ramen")
    await scene.tell("Actually, my favourite food is pizza now.")
    assert "Favorite food is ramen" not in scene.people.memories(scene.ada)


class _HeldFile(io.BytesIO):
    """A file that is still being read until it is let go."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.begun, self.go_on = threading.Event(), threading.Event()

    def read(self, size: int | None = -1, /) -> bytes:
        self.begun.set()
        assert self.go_on.wait(20)
        return super().read(size)


@pytest.mark.parametrize("erased", [EraseRequest(everything=True), EraseRequest(subject="Graz")])
async def test_an_erasure__while_the_file_is_read__stays_the_last_word(scene: Scene, erased: EraseRequest) -> None:
    file = _HeldFile(b'[{"memory_text": "Lives in Graz"}]')
    running = asyncio.create_task(import_memories(scene.resources, scene.ada.identity, file))
    assert await asyncio.to_thread(file.begun.wait, 20)
    await erase_memories(scene.resources, scene.ada.identity, erased)
    file.go_on.set()
    with pytest.raises(Conflict):
        await running
    assert "Lives in Graz" not in scene.told()
    file.seek(0)
    again = await import_memories(scene.resources, scene.ada.identity, file)
    assert again.imported == 1
    assert "Lives in Graz" in scene.told()


@pytest.mark.parametrize("name", [f"message {'-' * 36}", "M-2 may no longer hold, message {message}"])
async def test_a_file_with_a_name_like_a_reason_of_ours__is_told_as_a_file(scene: Scene, name: str) -> None:
    message = scene.says("Good morning")
    file_name = name.format(message=message)
    rows = io.BytesIO(json.dumps([{"memory_text": "Likes ramen"}]).encode())
    await import_memories(scene.resources, scene.ada.identity, rows, file_name=file_name)
    (memory,) = [row["id"] for row in stored(scene) if row["memory_text"] == "Likes ramen"]
    with scene.db.as_person(scene.ada.user_id) as person:
        found = person.execute("select reasons, memories from public.memory_operations(9, %s)", (memory,)).fetchall()
    ((reasons, memories),) = (one.values() for one in found)
    assert reasons == [f"import of {file_name}"]
    assert memories[0]["message_id"] is None
    told = " ".join(await explain_question(scene.resources, Question(memory=str(memory)), None))
    assert "Good morning" not in told
