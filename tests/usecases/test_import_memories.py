"""Memories come back from a file: once, as one operation, into one's own profiles, believed as far as we vouch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

import pytest

from keepsake.errors import Conflict, InvalidInput, NotFound, TooLarge
from keepsake.identity import Person
from keepsake.usecases import import_memories as importing
from keepsake.usecases import import_report
from keepsake.usecases.erase_memories import Wish, erase_memories
from keepsake.usecases.export_memories import export_memories
from keepsake.usecases.import_document import Form
from keepsake.usecases.import_memories import import_memories
from keepsake.usecases.import_report import ImportReport
from tests.fixtures.people import Account
from tests.fixtures.scene import Scene

SLOT = "fact|person|self|favorite_food"


async def bring(scene: Scene, rows: object, person: Account | None = None, **more: Any) -> ImportReport:
    """Import rows, as JSON unless they are bytes already."""
    content = rows if isinstance(rows, bytes) else json.dumps(rows).encode()
    return await import_memories(scene.resources, (person or scene.ada).identity, content, **more)


async def export(scene: Scene, person: Account | None = None, form: Form = Form.JSON) -> bytes:
    """Everything stored of somebody."""
    made = await export_memories(scene.resources, (person or scene.ada).identity, form=form)
    return b"".join([chunk async for chunk in made.chunks])


async def erase(scene: Scene, person: Account | None = None) -> None:
    await erase_memories(scene.resources, (person or scene.ada).identity, Wish(everything=True))


def undo(scene: Scene, operation_id: UUID | None, person: Account | None = None) -> None:
    with scene.db.as_person((person or scene.ada).user_id) as connection:
        connection.execute("select public.undo_operation(%s)", (operation_id,))


def stored(scene: Scene, person: Account | None = None) -> Sequence[dict[str, Any]]:
    """Every memory somebody has, in any state."""
    user_id = (person or scene.ada).user_id
    return scene.db.all("select * from public.user_memory where user_id = %s order by memory_no", (user_id,))


def counts(report: ImportReport) -> tuple[int, int, int, int]:
    return report.rows, report.imported, report.unchanged, report.refused


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


async def test_an_export__comes_back_in_any_order_with_its_ids_numbers_and_chains(scene: Scene) -> None:
    people, ada = scene.people, scene.ada
    first = people.memory(ada, "Favorite food is ramen", memory_key=SLOT, value="ramen", status="superseded")
    second = people.memory(
        ada, "Favorite food is sushi", memory_key=SLOT, value="sushi", status="superseded", supersedes_id=first
    )
    people.memory(ada, "favorite food is ramen", memory_key=SLOT, value="ramen", supersedes_id=second)
    people.memory(ada, "Lives in Graz", status="deleted", conversation_id=scene.chat, source_message_id=scene.says("x"))
    people.memory(ada, "Is lively", status="archived", confidence_score=1, source="user", persona_id="coach")
    before = stored(scene)
    for form in Form:
        content = await export(scene, form=form)
        assert (await bring(scene, content)).status == "unchanged"
        await erase(scene)
        assert not stored(scene)
        if form is Form.JSON:
            document = json.loads(content)
            document["memories"].reverse()
            content = json.dumps(document).encode()
        report = await bring(scene, content)
        assert (report.restored, report.notes) == (6, ())
        assert stored(scene) == before
    assert (await bring(scene, [{"memory_text": "New"}])).imported == 1
    assert stored(scene)[-1]["memory_no"] == 7


async def test_entities_and_places__come_back_as_the_person_made_them_and_go_with_undo(scene: Scene) -> None:
    people, ada = scene.people, scene.ada
    people.memory(ada, "Knows Mukesh", entity_refs=["person:mukesh"])
    people.memory(ada, "Works with Makesh", entity_refs=["person:makesh"])
    people.memory(ada, "Has a sister", entity_refs=["person:lea"])
    place = uuid4()
    with scene.db.as_service() as service:
        mark = {"user_id": ada.user_id, "profile_id": ada.profile_id, "place": place, "chat": scene.chat}
        service.execute(
            "insert into public.user_memory_places (id, user_id, profile_id, place_id, name)"
            " values (%(place)s, %(user_id)s, %(profile_id)s, 'cafe', 'Café Luft')",
            mark,
        )
        service.execute(
            "insert into public.user_memory_place_mentions (user_id, profile_id, place, conversation_id)"
            " values (%(user_id)s, %(profile_id)s, %(place)s, %(chat)s)",
            mark,
        )
    mukesh = scene.db.value("select id from public.user_memory_entities where key = 'person:mukesh'")
    with scene.db.as_person(ada.user_id) as connection:
        connection.execute("select public.add_entity_alias(%s, 'Makesh')", (mukesh,))
        connection.execute("select public.rename_entity(%s, 'Mukesh K.')", (mukesh,))
    content = await export(scene)
    kept = remembered(content)
    assert [len(kept[name]) for name in ("entities", "places", "place_mentions")] == [2, 1, 1]

    await erase(scene)
    assert not any(remembered(await export(scene)).values())
    report = await bring(scene, content)
    assert (report.restored, report.also_restored) == (4, {"entities": 2, "places": 1, "place_mentions": 1})
    assert remembered(await export(scene)) == kept
    assert (await bring(scene, content)).status == "unchanged"

    undo(scene, report.operation_id)
    assert not any(remembered(await export(scene)).values())
    assert (await bring(scene, content)).restored == 4
    assert remembered(await export(scene)) == kept
    named_otherwise = await bring(scene, [{"memory_text": "Met Makesh", "entity_refs": ["person:makesh"]}])
    assert named_otherwise.imported == 1
    assert stored(scene)[-1]["entity_refs"] == ["person:mukesh"]


def remembered(content: bytes) -> dict[str, Any]:
    """The sections of an export that hold what is remembered."""
    document = json.loads(content)
    return {name: document[name] for name in ("memories", "entities", "alias_proposals", "places", "place_mentions")}


async def test_a_changed_row__is_taken_as_anybodys_word(scene: Scene) -> None:
    scene.people.memory(scene.ada, "Likes ramen", confidence_score=1, source="user", memory_key="k")
    document = json.loads(await export(scene))
    await erase(scene)
    document["memories"][1]["memory_text"] = "Likes sushi"
    document["places"] = [{"id": str(uuid4()), "name": "forged"}]
    document["holograms"] = [{"any": "thing"}]
    document["schema_version"] = 99
    report = await bring(scene, document)
    assert (report.imported, report.restored) == (2, 1)
    told = {(note.field, note.reason) for note in report.notes}
    assert {
        ("signature", "not_signed_by_us"),
        ("places", "not_signed_by_us"),
        ("holograms", "unknown_section"),
        ("schema_version", "newer_than_ours"),
        ("memory_key", "belongs_to_the_server"),
    } <= told
    sushi = stored(scene)[1]
    assert (sushi["memory_text"], sushi["source"], float(sushi["confidence_score"]), sushi["memory_key"]) == (
        "Likes sushi", "import", 0.8, None,
    )  # fmt: skip
    assert sushi["memory_no"] == 3


async def test_somebody_elses_export__is_anybodys_word_and_reaches_nothing_of_theirs(scene: Scene) -> None:
    bob = scene.people.person("Bob")
    scene.people.memory(bob, "Likes chess", confidence_score=1, source="user", conversation_id=None)
    theirs, content = stored(scene, bob), await export(scene, bob)
    refused = await bring(scene, content)
    assert (refused.imported, {(one.field, one.reason) for one in refused.problems}) == (
        0,
        {("profile_id", "not_found")},
    )
    rows = [{**row, "profile_id": None} for row in json.loads(content)["memories"]]
    report = await bring(scene, rows)
    assert (report.imported, report.restored) == (2, 0)
    assert {row["source"] for row in stored(scene)[1:]} == {"import"}
    assert not {row["id"] for row in stored(scene)} & {row["id"] for row in theirs}
    assert stored(scene, bob) == theirs


async def test_an_id_or_number_that_is_taken__is_replaced(scene: Scene) -> None:
    """Where somebody else's row has the id, nothing of it shows: the memory gets another."""
    mine = scene.people.memory(scene.ada, "Likes ramen", memory_key="k")
    content = await export(scene)
    await erase(scene)
    scene.people.memory(scene.people.person("Bob"), "Likes chess", id=mine)
    scene.people.memory(scene.ada, "Likes soup", memory_no=None)
    scene.db.run("update public.user_memory set memory_no = 2 where memory_text = 'Likes soup'")
    report = await bring(scene, content)
    assert (report.restored, report.notes) == (2, ())
    ramen = next(row for row in stored(scene) if row["memory_text"] == "Likes ramen")
    assert ramen["id"] != mine
    assert ramen["memory_no"] > 3
    assert ramen["memory_key"] == "k"
    assert (await bring(scene, content)).status == "unchanged"


async def test_a_slot_that_is_taken__keeps_what_is_newer(scene: Scene) -> None:
    scene.people.memory(scene.ada, "Favorite food is ramen", memory_key=SLOT, value="ramen")
    content = await export(scene)
    await erase(scene)
    scene.people.memory(scene.ada, "Favorite food is sushi", memory_key=SLOT, value="sushi")
    report = await bring(scene, content)
    assert (report.imported, report.unchanged) == (1, 1)
    assert [(note.field, note.reason) for note in report.notes] == [("memory_key", "something_newer_stands")]
    assert "Favorite food is sushi" in scene.people.memories(scene.ada)


async def test_beyond_the_cap__rows_are_imported_as_archived(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "MAX_ACTIVE_MEMORIES", 3)
    monkeypatch.setattr(importing, "BATCH", 2)
    rows = [{"memory_text": f"Likes number {number}"} for number in range(6)]
    report = await bring(scene, rows)
    assert (report.imported, report.archived) == (6, 4)
    assert scene.people.memories(scene.ada) == ["Name is Ada", "Likes number 0", "Likes number 1"]
    assert all(row["archived_at"] for row in stored(scene)[3:])
    assert (await bring(scene, rows)).status == "unchanged"


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


async def test_rows_of_a_profile_that_is_gone__go_to_the_primary_one(scene: Scene) -> None:
    second = scene.people.profile(scene.ada.user_id, "Pen name")
    scene.people.memory(scene.ada, "Likes ramen", profile_id=second)
    content = await export(scene)
    scene.db.run("delete from public.user_profile_list where id = %s", (second,))
    report = await bring(scene, content)
    assert (report.restored, [(note.field, note.reason) for note in report.notes]) == (
        1,
        [("profile_id", "profile_gone")],
    )
    assert stored(scene)[1]["profile_id"] == scene.ada.profile_id


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


async def test_a_file_that_cannot_be_read__writes_nothing(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither does one with more rows than are taken; nothing that is no JSON, CSV or UTF-8 is more than a refusal."""
    monkeypatch.setattr(import_report, "MOST_ROWS", 10)
    for content in UNREADABLE:
        with pytest.raises(InvalidInput):
            await bring(scene, content)
    with pytest.raises(TooLarge):
        await bring(scene, b"\n".join([b'{"memory_text": "a b"}'] * 12))
    assert len(stored(scene)) == 1


async def test_a_byte_order_mark__is_no_part_of_the_file(scene: Scene) -> None:
    assert (await bring(scene, b'\xef\xbb\xbf[{"memory_text": "Likes ramen"}]')).imported == 1
    assert (await bring(scene, b"\xef\xbb\xbfmemory_text\r\nLikes chess\r\n")).imported == 1
