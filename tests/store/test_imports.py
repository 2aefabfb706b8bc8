"""An import asks for each row by an index, whatever the planner believes of a table that is just being filled."""

from __future__ import annotations

import json
from typing import Any

import pytest

from keepsake.infra.database import queries
from tests.fixtures.scene import Scene


@pytest.mark.parametrize("signed", [True, False])
def test_looking_rows_up__reads_no_table_whole(scene: Scene, *, signed: bool) -> None:
    for number in range(50):
        scene.people.memory(scene.ada, f"Likes number {number}", memory_key=f"k|{number}")
    asked = [
        {"n": n, "signed": signed, "profile_id": str(scene.ada.profile_id), "status": "active", "memory_key": "k|1",
         "memory_text": f"likes number {n}", "entity_refs": []}
        for n in range(50)
    ]  # fmt: skip
    given = {"user_id": scene.ada.user_id, "operation_id": scene.ada.user_id, "rows": json.dumps(asked)}
    with scene.db.as_service() as connection:
        connection.execute("select set_config('enable_seqscan', 'on', true)")
        plan = connection.execute(
            ("explain (analyze, costs off) " + queries.load("imports")["match_rows"].sql).encode(), given
        ).fetchall()
    lines = "\n".join(row["QUERY PLAN"] for row in plan)
    assert "hashed SubPlan" not in lines
    assert "Index Scan using user_memory_same_words" in lines


@pytest.mark.parametrize("statistics", ["outdated", "small", "good"])
def test_looking_rows_up__does_not_grow_with_the_person_whatever_the_statistics(scene: Scene, statistics: str) -> None:
    """Rows that are read for a batch, as Postgres counts them; many people were there when the table was analyzed."""
    for number in range(40):
        other = scene.people.person(f"Other {number}")
        scene.people.memory(other, "Likes tea")
    with scene.db.as_superuser() as connection:  # statistics as of before this release, which are not made any more
        for column in ("user_id", "profile_id"):
            connection.execute(f"alter table public.user_memory alter column {column} set statistics 100".encode())
    if statistics in {"outdated", "small"}:
        scene.db.run("analyze public.user_memory")
    count = 2000 if statistics == "outdated" else 1200
    scene.db.run(
        "insert into public.user_memory (user_id, profile_id, memory_type, memory_text) "
        "select %s, %s, 'fact', format('Likes walking the dog number %%s by the river', n) "
        "from generate_series(1, %s) as n",
        (scene.ada.user_id, scene.ada.profile_id, count),
    )
    if statistics == "good":
        scene.db.run("analyze public.user_memory")
    found = scene.db.all(
        "select id, memory_no, memory_text from public.user_memory where user_id = %s limit 200", (scene.ada.user_id,)
    )
    asked = [
        {
            "n": n,
            "signed": n % 2 == 0,
            "profile_id": str(scene.ada.profile_id),
            "status": "active",
            "memory_key": f"k|{n}",
            "memory_text": row["memory_text"] if n % 3 else f"Likes number {n}",
            "entity_refs": [],
            "memory_no": row["memory_no"],
            **dict.fromkeys(("id", "supersedes_id", "folded_into"), str(row["id"])),
        }
        for n, row in enumerate(found)
    ]
    given = {"user_id": scene.ada.user_id, "operation_id": scene.ada.user_id, "rows": json.dumps(asked)}
    with scene.db.as_service() as connection:
        (row,) = connection.execute(
            ("explain (analyze, timing off, format json) " + queries.load("imports")["match_rows"].sql).encode(),
            given,
        ).fetchall()
    read = sorted((most_rows(row["QUERY PLAN"][0]["Plan"])), reverse=True)
    assert read[0] <= 2 * len(asked), read[:5]


def most_rows(node: dict[str, Any]) -> list[float]:
    """The rows that each scan of a memory index or table has looked at, over all its loops."""
    own = (node.get("Actual Rows", 0) + node.get("Rows Removed by Filter", 0)) * node.get("Actual Loops", 1)
    below = [rows for child in node.get("Plans", []) for rows in most_rows(child)]
    return [own, *below] if node.get("Relation Name") == "user_memory" else below
