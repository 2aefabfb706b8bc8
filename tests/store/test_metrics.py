"""Metrics read a bounded number of pages of each table, and estimate what a large one holds."""

from __future__ import annotations

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
