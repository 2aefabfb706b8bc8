"""Twenty clients merge into one person at once: nothing is stored twice, nothing is lost, nobody waits in a circle."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from keepsake.infra.resources import Resources
from keepsake.usecases.extract_user_memory import extract_user_memory
from keepsake.usecases.extraction.result import Extraction
from tests.fixtures.scene import Scene
from tests.sql.gap_checks import INVARIANTS, gaps

CLIENTS = 20
_SAME = "I love ramen."
_SLOT = ("I live in Austin.", "I live in Graz.", "I live in Oslo.", "I live in Lima.")


async def _all_at_once(resources: Resources, turns: Sequence[tuple[UUID, UUID]]) -> list[Extraction]:
    """Each turn as a client of its own, held back until all of them stand ready."""
    start = asyncio.Barrier(len(turns))

    async def one(chat: UUID, message: UUID) -> Extraction:
        await start.wait()
        return await extract_user_memory(resources, conversation_id=chat, message_id=message)

    return await asyncio.gather(*(one(*turn) for turn in turns))


async def test_twenty_clients__merge_into_one_person_without_loss(scene: Scene) -> None:
    settings = scene.resources.settings.model_copy(
        update={"database_pool_size": CLIENTS, "extractions_per_minute": 10_000}
    )
    resources = Resources.build(settings, clock=scene.clock)
    chats = [scene.people.conversation(scene.ada) for _ in range(CLIENTS)]
    first = scene.clock.now()
    scene.clock.advance(minutes=10)  # a date after now would count as now
    try:
        for said in range(3):
            turns = []
            for client, chat in enumerate(chats):
                at = first + timedelta(seconds=100 * said + client)
                text = f"{_SAME} {_SLOT[client % 4]} I like hobby{client} songs."
                turns.append((chat, scene.says(text, chat=chat, created_at=at)))
            found = await _all_at_once(resources, turns)
            assert Counter(one.status for one in found) == {"extracted": CLIENTS}
    finally:
        await resources.close()
    _nothing_twice_and_nothing_lost(scene)


def _nothing_twice_and_nothing_lost(scene: Scene) -> None:
    rows = scene.db.all(
        "select memory_text, value, reference_count, status from public.user_memory where memory_key <> %s",
        ("fact|person|self|name",),
    )
    active = {row["memory_text"]: row["reference_count"] for row in rows if row["status"] == "active"}
    assert active.pop("Loves ramen") == 3 * CLIENTS - 1, "each time but the first is counted"
    assert active.pop("Lives in Lima") >= 0, "the last that was said, whoever came last"
    assert len(active) == CLIENTS
    assert set(active.values()) == {2}
    homes = [row for row in rows if row["memory_text"].startswith("Lives in")]
    assert [row["status"] for row in homes].count("active") == 1
    with scene.db.as_owner() as owner:
        assert gaps(owner, INVARIANTS) == []
