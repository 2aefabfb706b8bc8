"""Whom a statement names: one key for each, whichever name was said, and a question where two names may be one."""

from __future__ import annotations

from typing import Any

from keepsake.infra.database import Database
from keepsake.store import entities
from tests.fixtures.scene import Scene


def refs(scene: Scene) -> dict[str, Any]:
    """What each current memory of Ada refers to."""
    rows = scene.db.all(
        "select memory_text, entity_refs from public.user_memory where status = 'active' and entity_refs <> '{}'"
        " and entity_refs <> '{person:self}' order by memory_no"
    )
    return {row["memory_text"]: row["entity_refs"] for row in rows}


def asked(scene: Scene) -> list[tuple[str, str]]:
    """The pairs of names that were proposed."""
    rows = scene.db.all("select key, variant from public.user_memory_alias_proposals order by created_at, key")
    return [(row["key"], row["variant"]) for row in rows]


async def test_relative__whose_name_is_learnt_later(scene: Scene) -> None:
    """What was said of "my sister" becomes Anna's with all of it, as part of what was said, and is undone with it."""
    await scene.tell("My sister lives in Graz.")
    await scene.tell("My sister works at Siemens.")
    before = refs(scene)
    assert before == {
        "Sister lives in Graz": ["person:sister", "place:graz"],
        "Sister works at Siemens": ["person:sister", "org:siemens"],
    }
    told = await scene.tell("My sister Anna is 30.")
    await scene.tell("My sister loves jazz.")
    assert {tuple(found) for found in refs(scene).values()} == {
        ("person:anna", "place:graz"), ("person:anna", "org:siemens"), ("person:anna",)
    }  # fmt: skip
    keys = scene.db.all("select key from public.user_memory_entities order by key")
    assert [row["key"] for row in keys] == ["org:siemens", "person:anna", "place:graz"]
    await scene.tell("My sister Anna lives in Linz.")
    assert "Sister lives in Graz" not in refs(scene)
    operation = scene.db.value(
        "select operation_id from keepsake.changes where row_id = %s and action = 'insert'", (told.memories[0].id,)
    )
    rows = scene.db.all("select distinct reason from keepsake.changes where operation_id = %s", (operation,))
    assert {"person:anna is the only sister known"} < {row["reason"] for row in rows}


async def test_relative__one_of_two_stays_unnamed(scene: Scene) -> None:
    await scene.tell("My sister Anna is 30.")
    await scene.tell("My sister Berta is 20.")
    await scene.tell("My sister lives in Graz.")
    assert refs(scene)["Sister lives in Graz"] == ["person:sister", "place:graz"]


async def test_variants__are_proposed_once(scene: Scene) -> None:
    """Like names of one kind, unless one memory names both, ages or family tell them apart, or it was refused."""
    await scene.tell("My best friend Makesh is a doctor.")
    await scene.tell("My friend Mukesh lives in Rome.")
    await scene.tell("My cousin Makash is a pilot.")
    await scene.tell("I work at Siemens.")
    await scene.tell("My sister works at Simens.")
    assert asked(scene) == [("person:makesh", "person:mukesh"), ("org:siemens", "org:simens")]
    scene.db.run("update public.user_memory_alias_proposals set status = 'refused'")
    await scene.tell("My friend Mukesh is a baker.")
    assert len(asked(scene)) == 2


async def test_alias__confirmed_merges_what_is_said_later(scene: Scene) -> None:
    """The other name fills the same slots from then on: one home, whoever's name it is said under."""
    await scene.tell("My friend Makesh lives in Rome.")
    await scene.tell("My friend Mukesh is 40 years old.")
    pair = scene.db.value("select id from public.user_memory_alias_proposals")
    with scene.db.as_person(scene.ada.user_id) as ada:
        ada.execute("select public.confirm_alias(%s)", (pair,))
    last = await scene.tell("My friend Mukesh lives in Oslo.")
    assert [made.action for made in last.memories] == ["superseded"]
    assert refs(scene) == {
        "Friend Mukesh is 40 years old": ["person:makesh"],
        "Friend Mukesh lives in Oslo": ["person:makesh", "place:oslo"],
    }
    database: Database = scene.resources.database
    async with database.as_service() as conn:
        known = await entities.find_entities(conn, user_id=scene.ada.user_id, profile_id=scene.ada.profile_id)
    assert [(one.key, one.aliases) for one in known if one.aliases] == [("person:makesh", ("Mukesh",))]
