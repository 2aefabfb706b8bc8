"""An import asks for each row by an index, whatever the planner believes of a table that is just being filled."""

from __future__ import annotations

import json

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
