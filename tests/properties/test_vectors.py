"""However edits, deletions, workers and a change of model fall together: in the end each memory has its vector."""

from __future__ import annotations

import asyncio
import random
import threading
from uuid import uuid4

import psycopg
import pytest

from keepsake.infra.resources import Resources
from keepsake.infra.settings import Settings
from keepsake.usecases.embed_memories import embed_memories
from tests.fixtures.db import Clone
from tests.fixtures.model import with_vectors
from tests.fixtures.people import Account
from tests.fixtures.scene import Scene
from tests.model_server.embedding import embed
from tests.model_server.running import ModelServer

SIZE = 64
# Letters: digits by chance are now and then a card's number, which no endpoint is sent.
NAME = "translate(random()::text, '0123456789.-', 'abcdefghijkl')"
EDIT = f"update public.user_memory set memory_text = 'Likes dish ' || {NAME} where id = %(id)s"
CHANGES = (
    EDIT,
    EDIT,
    "update public.user_memory set status = 'archived' where id = %(id)s and status = 'active'",
    "update public.user_memory set status = 'active' where id = %(id)s",
    "delete from public.user_memory where id = %(id)s and random() < 0.3",
    f"""
    insert into public.user_memory (user_id, profile_id, memory_text, memory_type)
    values (%(user)s, %(profile)s, 'Likes ' || {NAME}, 'fact')
    """,
)
STANDING = """
select m.memory_text as text, m.status, v.model, v.vector::text as vector, e.memory_id is not null as listed
from public.user_memory as m
left join keepsake.memory_vectors as v on v.memory_id = m.id
left join keepsake.memories_to_embed as e on e.memory_id = m.id
"""


@pytest.fixture
def settings(settings: Settings, model: ModelServer) -> Settings:
    return with_vectors(settings, model, embedding_batch_size=4, openai_embedding_dimensions=SIZE)


class Churn:
    """Somebody who edits, archives and deletes all the time, several memories at once in the order of their ids."""

    def __init__(self, db: Clone, person: Account, seed: int) -> None:
        self._db, self._person, self._dice = db, person, random.Random(seed)  # noqa: S311  # repeatable
        self._stop, self.errors = threading.Event(), list[str]()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def stop(self) -> None:
        """End with the change that is under way."""
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        with psycopg.connect(self._db.superuser_url, autocommit=True) as conn:
            while not self._stop.is_set():
                try:
                    self._change(conn)
                except psycopg.Error as error:
                    self.errors.append(repr(error))

    def _change(self, conn: psycopg.Connection) -> None:
        rows = conn.execute("select id from public.user_memory where user_id = %s", (self._person.user_id,)).fetchall()
        ids = sorted(self._dice.sample(rows, min(len(rows), self._dice.choice([1, 1, 5]))))
        what = self._dice.choice(CHANGES).encode()
        with conn.transaction():
            for memory_id in [row[0] for row in ids] or [uuid4()]:
                given = {"id": memory_id, "user": self._person.user_id, "profile": self._person.profile_id}
                conn.execute(what, given)


async def test_vectors__hold_in_the_end(scene: Scene, settings: Settings, model: ModelServer) -> None:
    """No deadlock on the way; then every active memory has the vector of its words, and nothing else has one."""
    for number in range(40):
        scene.people.memory(scene.ada, f"Likes dish {number}")
    other = Resources.build(with_vectors(settings, model, openai_embedding_dimensions=2 * SIZE), clock=scene.clock)
    churning = [Churn(scene.db, scene.ada, seed) for seed in range(3)]
    for _ in range(8):
        await asyncio.gather(
            *(embed_memories(resources, batches=3) for resources in (scene.resources, scene.resources, other))
        )
        scene.clock.advance(seconds=3)
    for one in churning:
        one.stop()
    assert [one.errors for one in churning] == [[], [], []]
    await other.close()

    run = None
    while run is None or run.embedded or run.more:
        scene.clock.advance(hours=1)
        run = await embed_memories(scene.resources, batches=100)
    for row in scene.db.all(STANDING):
        is_active = row["status"] == "active"
        assert (row["model"], row["listed"]) == (f"scripted:{SIZE}" if is_active else None, False), row["text"]
        if is_active:
            kept = [float(part) for part in row["vector"].strip("[]").split(",")]
            assert kept == pytest.approx(embed(row["text"], SIZE), abs=1e-6)
