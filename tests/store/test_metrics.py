"""Metrics read a bounded number of pages of each table, and estimate what a large one holds."""

from __future__ import annotations

import pytest

from keepsake.store import metrics
from tests.fixtures.scene import Scene

ROWS = 20_000
FILL_MESSAGES = """
insert into public.messages (id, conversation_id, user_id, role, content, created_at)
select md5(n::text)::uuid, %(chat)s, %(user)s, 'user', 'Hello', now() - n * interval '1 second'
from generate_series(1, %(rows)s) as n
"""
FILL_EXTRACTIONS = """
insert into keepsake.extractions (conversation_id, source_message_id, user_id, status, finished_at, next_attempt_at)
select m.conversation_id, m.id, m.user_id,
  case mod(n, 100) when 0 then 'quarantined' when 1 then 'pending' else 'extracted' end,
  case mod(n, 100) when 1 then null else now() end, case mod(n, 100) when 1 then now() end
from generate_series(1, %(rows)s) as n join public.messages as m on m.id = md5(n::text)::uuid
"""


async def read(scene: Scene, max_pages: int) -> dict[tuple[str, str], float]:
    async with scene.resources.database.as_service() as conn:
        samples = await metrics.read(conn, now=scene.clock.now(), max_pages=max_pages)
    return {(sample.name, sample.kind): sample.value for sample in samples}


def rows_read(scene: Scene) -> int:
    scene.db.run("select pg_stat_force_next_flush()")
    count: int = scene.db.value(
        "select seq_tup_read + coalesce(idx_tup_fetch, 0) from pg_stat_user_tables where relname = 'extractions'"
    )
    return count


async def test_large_table__is_estimated_from_a_few_pages(scene: Scene) -> None:
    """What is extracted is estimated, what waits or is quarantined is counted; and few rows are read for it."""
    parameters = {"chat": scene.chat, "user": scene.ada.user_id, "rows": ROWS}
    with scene.db.as_superuser() as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute(FILL_MESSAGES, parameters)
        connection.execute(FILL_EXTRACTIONS, parameters)
    exact = await read(scene, metrics.MAX_PAGES)
    assert exact["keepsake_extraction_rows", "extracted"] == ROWS * 0.98
    before = rows_read(scene)
    found = await read(scene, 40)
    assert rows_read(scene) - before < ROWS / 3
    assert abs(found["keepsake_extraction_rows", "extracted"] - ROWS * 0.98) < ROWS * 0.4
    for state in ("quarantined", "pending"):
        assert found["keepsake_extraction_rows", state] == ROWS * 0.01


async def test_difference__between_the_arms_has_its_confidence_interval(scene: Scene) -> None:
    """None while one of the two has fewer than two scores."""
    insert = """
        insert into keepsake.injections (user_id, conversation_id, variant, helpfulness)
        select %(user)s, %(chat)s, %(variant)s, unnest(%(scores)s::numeric[])
    """
    arm = {"user": scene.ada.user_id, "chat": scene.chat}
    scene.db.run(insert, {**arm, "variant": "treatment", "scores": [0.9, 0.7, 0.8, 0.8]})
    assert not [name for name, _ in await read(scene, metrics.MAX_PAGES) if name.endswith("_difference")]
    scene.db.run(insert, {**arm, "variant": "control", "scores": [0.5, 0.3]})
    found = await read(scene, metrics.MAX_PAGES)
    low, estimate, high = (found["keepsake_helpfulness_difference", kind] for kind in ("low", "estimate", "high"))
    assert estimate == pytest.approx(0.4)
    error = (0.02 / 3 / 4 + 0.02 / 2) ** 0.5  # the variances of the two means
    assert (estimate - low, high - estimate) == pytest.approx((1.96 * error, 1.96 * error))
