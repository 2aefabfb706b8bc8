"""The curator folds what is settled, and every fold opens again as soon as it should."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from keepsake.usecases.archive_old_memories import BatchSizes, archive_old_memories
from keepsake.usecases.erase_memories import EraseRequest, erase_memories
from tests.fixtures.scene import Scene

FOODS = ("pizza", "ramen", "sushi", "tacos", "curry", "pasta", "falafel")
FOLDED = "Likes pizza, ramen, sushi, tacos, curry, pasta and falafel"


SIZES = BatchSizes(min_memories=5, min_growth=5)


@pytest.fixture
def folded(scene: Scene) -> Scene:
    """Ada likes seven dishes, said long ago, and holds enough to be looked through."""
    for minutes, food in enumerate(FOODS):
        liked(scene, food, scene.clock.now() - timedelta(days=90, minutes=-minutes))
    return scene


def liked(scene: Scene, food: str, at: Any) -> UUID:
    """Store a liking as extraction would have."""
    return scene.people.memory(
        scene.ada,
        f"Likes {food}",
        memory_key=f"fact|person|self|likes|{food}",
        value="like",
        subtype="preference",
        source="rule_extraction",
        confidence_score=0.7,
        created_at=at,
        valid_from=at,
    )


async def night(scene: Scene) -> int:
    """One run of cron; how many memories went into folds."""
    return (await archive_old_memories(scene.resources, max_seconds=300, sizes=SIZES)).folded


def states(scene: Scene) -> list[tuple[Any, ...]]:
    """Every memory as it stands, but for when it was touched."""
    rows = scene.db.all(
        "select to_jsonb(m) - '{updated_at,archived_at}'::text[] as row from public.user_memory as m order by memory_no"
    )
    return [tuple(sorted(row["row"].items(), key=lambda item: item[0])) for row in rows]


def undo(scene: Scene, reason: str) -> None:
    """Undo the newest operation of that reason, as the person does."""
    operation = scene.db.value(
        "select operation_id from keepsake.changes where reason = %s order by seq desc limit 1", (reason,)
    )
    with scene.db.as_person(scene.ada.user_id) as connection:
        connection.execute("select public.undo_operation(%s)", (operation,))


async def test_a_night__folds_once_and_can_be_undone(folded: Scene) -> None:
    before = states(folded)
    assert await night(folded) == 7
    assert folded.told() == [FOLDED]
    row = folded.db.one("select * from public.user_memory where memory_text = %s", (FOLDED,))
    assert (row["source"], row["status"], float(row["confidence_score"])) == ("curated_fold", "active", 0.7)
    behind = folded.db.all("select status from public.user_memory where folded_into = %s", (row["id"],))
    assert [one["status"] for one in behind] == ["archived"] * 7
    assert await night(folded) == 0
    undo(folded, "folded with others like it")
    assert states(folded) == before


async def test_something_said_about_one__opens_the_fold(folded: Scene) -> None:
    await night(folded)
    await folded.tell("I don't like ramen any more.")
    assert sorted(folded.told()) == sorted(
        ["Does not like ramen anymore", *(f"Likes {food}" for food in FOODS if food != "ramen")]
    )
    assert folded.db.value("select count(*) from public.user_memory where source = 'curated_fold'") == 0


async def test_one_said_again__is_no_second_memory(folded: Scene) -> None:
    await night(folded)
    said = await folded.tell("I like ramen.")
    assert [made.action for made in said.memories] == ["reinforced"]
    assert sorted(folded.told()) == sorted(f"Likes {food}" for food in FOODS)


async def test_something_else_said__leaves_the_fold_closed(folded: Scene) -> None:
    await night(folded)
    await folded.tell("I like chess.")
    assert sorted(folded.told()) == ["Likes chess", FOLDED]


async def test_forgetting_one_by_chat__keeps_the_others(folded: Scene) -> None:
    await night(folded)
    before = states(folded)
    await folded.tell("Forget what I said about ramen.")
    assert sorted(folded.told()) == sorted(f"Likes {food}" for food in FOODS if food != "ramen")
    with folded.db.as_person(folded.ada.user_id) as connection:
        operation_id = folded.db.value("select operation_id from keepsake.commands")
        connection.execute("select public.undo_operation(%s)", (operation_id,))
    assert states(folded) == before


async def test_forgetting_the_fold__forgets_what_it_was_made_of(folded: Scene) -> None:
    await night(folded)
    fold = folded.db.value("select id from public.user_memory where source = 'curated_fold'")
    for call, status in (("forget_memory", "deleted"), ("restore_memory", "archived")):
        with folded.db.as_person(folded.ada.user_id) as connection:
            connection.execute(f"select public.{call}(%s)".encode(), (fold,))
        rows = folded.db.all("select status from public.user_memory where folded_into = %s", (fold,))
        assert [row["status"] for row in rows] == [status] * 7
    assert folded.told() == [FOLDED]


async def test_bringing_one_back__takes_it_out_of_the_fold(folded: Scene) -> None:
    await night(folded)
    one = folded.db.value("select id from public.user_memory where memory_text = 'Likes ramen'")
    with folded.db.as_person(folded.ada.user_id) as connection:
        connection.execute("select public.restore_memory(%s)", (one,))
    assert folded.db.value("select folded_into from public.user_memory where id = %s", (one,)) is None
    assert sorted(folded.told()) == [FOLDED, "Likes ramen"]


async def test_the_persons_own_wording_of_a_fold__is_theirs_and_stays(folded: Scene) -> None:
    await night(folded)
    with folded.db.as_person(folded.ada.user_id) as connection:
        connection.execute("update public.user_memory set memory_text = 'Likes food' where source = 'curated_fold'")
    await folded.tell("I like ramen.")
    assert "Likes food" in folded.told()


@pytest.mark.parametrize("by", ["subject", "memory", "fold"])
async def test_erasing_one__leaves_the_others_and_no_word_of_it(folded: Scene, by: str) -> None:
    await night(folded)
    one = folded.db.value("select id from public.user_memory where memory_text = 'Likes ramen'")
    fold = folded.db.value("select id from public.user_memory where source = 'curated_fold'")
    wish = {
        "subject": EraseRequest(subject="ramen"),
        "memory": EraseRequest(memory_ids=[str(one)]),
        "fold": EraseRequest(memory_ids=[str(fold)]),
    }
    preview = await erase_memories(folded.resources, folded.ada.identity, replace(wish[by], dry_run=True))
    assert folded.told() == [FOLDED]
    erased = await erase_memories(folded.resources, folded.ada.identity, wish[by])
    assert [gone.id for gone in erased.memories] == [gone.id for gone in preview.memories]
    assert sorted(folded.told()) == (
        [] if by == "fold" else sorted(f"Likes {food}" for food in FOODS if food != "ramen")
    )
    for table in ("public.user_memory", "keepsake.changes", "keepsake.memory_index"):
        words = folded.db.all(f"select from {table} as t where to_jsonb(t)::text like '%%ramen%%'")
        assert not words, table
