"""Vectors lie beside active memories, are all compared, within one person, and come when pgvector comes."""

from __future__ import annotations

import math
import random
from datetime import UTC, datetime
from uuid import UUID

import psycopg
import pytest

from keepsake.local.servers.create_supabase_roles import OWNER
from keepsake.operations.migrate import migrate
from tests.fixtures.clock import FixedClock
from tests.fixtures.db import Clone, bootstrapped, clone
from tests.fixtures.people import Account, People
from tests.fixtures.servers import Cluster

IS_KEPT = "select to_regclass('keepsake.memory_vectors') is not null"


def keep(db: Clone, person: Account, vectors: dict[UUID, list[float]], *, model: str = "m", length: int = 8) -> int:
    """Write vectors as the service does; how many were kept."""
    db.run("insert into keepsake.embedding_models values (%s, %s) on conflict do nothing", (model, length))
    with db.as_service() as conn:
        texts = [
            conn.execute("select memory_text as t from public.user_memory where id = %s", (one,)).fetchall()[0]["t"]
            for one in vectors
        ]
        given = ([person.user_id] * len(vectors), list(vectors), texts, [str(vector) for vector in vectors.values()])
        kept = conn.execute("select * from keepsake.store_vectors(%s, %s, %s, %s, %s)", (model, *given))
        return len(kept.fetchall())


def similar(db: Clone, person: Account, question: list[float], model: str = "m") -> dict[UUID, float]:
    """What the service gets for a question."""
    query = "select * from keepsake.similar_memories(%s, %s, %s, %s::real[])"
    with db.as_service() as conn:
        rows = conn.execute(query, (person.user_id, person.profile_id, model, question)).fetchall()
    return {row["memory_id"]: row["similarity"] for row in rows}


def cosine(a: list[float], b: list[float]) -> float:
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    return dot / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))


def test_similar__all_of_one_person_profile_and_model(db: Clone, people: People) -> None:
    dice = random.Random(7)  # noqa: S311  # the same vectors in every run
    ada, bob = people.person("Ada"), people.person("Bob")
    vectors = {people.memory(ada, f"Likes {n}"): [dice.gauss(0, 1) for _ in range(8)] for n in range(30)}
    elsewhere = people.memory(ada, "Likes tea", profile_id=people.profile(ada.user_id, "Work"))
    old, long = people.memory(ada, "Likes rice"), people.memory(ada, "Likes figs")
    of_bob = people.memory(bob, "Likes ramen")
    assert keep(db, ada, {**vectors, elsewhere: [1.0] * 8}) == 31
    assert keep(db, bob, {of_bob: [1.0] * 8}) == 1
    assert keep(db, ada, {old: [1.0] * 8}, model="older") == 1
    assert keep(db, ada, {long: [1.0] * 9}) == 0, "of another length than the model's"
    question = [dice.gauss(0, 1) for _ in range(8)]
    expected = {memory: pytest.approx(cosine(vector, question), abs=1e-3) for memory, vector in vectors.items()}
    assert similar(db, ada, question) == expected
    assert similar(db, ada, question[:7]) == {}
    assert db.value("select attstorage::text from pg_attribute where attrelid = 'keepsake.memory_vectors'::regclass"
                    " and attname = 'vector'") == "p"  # fmt: skip


def test_similar__is_read_from_an_index_alone(db: Clone, people: People) -> None:
    """The index that leads with the person holds all that is compared, whatever the planner knows of the table."""
    ada = people.person("Ada")
    with db.as_superuser() as conn:
        conn.execute("set local plan_cache_mode = force_generic_plan")
        conn.execute(
            "select set_config(split_part(s, '=', 1), split_part(s, '=', 2), true) from pg_proc, unnest(proconfig) as s"
            " where proname = 'similar_memories' and s like 'enable%'"
        )
        plan = conn.execute(
            "explain select h.memory_id, h.half from keepsake.memory_vector_halves as h"
            " where h.user_id = %s and h.profile_id = %s and h.model = 'm'",
            (ada.user_id, ada.profile_id),
        ).fetchall()
    assert "Index Only Scan using memory_vector_halves_pkey" in str(plan)


@pytest.mark.parametrize("length", [1_200, 1_201, 2_000])
def test_similar__a_vector_too_long_for_an_index_is_compared_too(db: Clone, people: People, length: int) -> None:
    dice = random.Random(length)  # noqa: S311  # the same vectors in every run
    ada = people.person("Ada")
    tea, rice = people.memory(ada, "Likes tea"), people.memory(ada, "Likes rice")
    vectors = {memory: [dice.gauss(0, 1) for _ in range(length)] for memory in (tea, rice)}
    assert keep(db, ada, vectors, length=length) == 2
    assert db.value("select count(*) from keepsake.memory_vector_halves") == (2 if length <= 1_200 else 0)
    question = [dice.gauss(0, 1) for _ in range(length)]
    assert similar(db, ada, question) == {
        memory: pytest.approx(cosine(vector, question), abs=1e-3) for memory, vector in vectors.items()
    }


def test_halves__follow_their_vectors(db: Clone, people: People) -> None:
    """They are rewritten with the vector and deleted with it; numbers too large for half precision are no obstacle."""
    ada = people.person("Ada")
    tea = people.memory(ada, "Likes tea")
    assert keep(db, ada, {tea: [1.0] * 8}) == 1
    db.run("update keepsake.memory_vectors set vector = '[1e30,0,0,0,0,0,0,0]'")
    assert similar(db, ada, [1.0] + [0.0] * 7) == {tea: pytest.approx(1)}
    db.run("update public.user_memory set memory_text = 'Likes rice' where id = %s", (tea,))
    assert db.value("select count(*) from keepsake.memory_vector_halves") == 0


def test_halves__are_made_of_the_vectors_that_are_there(db: Clone, people: People) -> None:
    """The upgrade compares what was embedded before it."""
    ada = people.person("Ada")
    tea, rice = people.memory(ada, "Likes tea"), people.memory(ada, "Likes rice")
    db.run("drop table keepsake.memory_vector_halves; drop function keepsake.keep_half cascade")
    assert keep(db, ada, {tea: [1.0] * 8}) == 1
    assert keep(db, ada, {rice: [1.0] * 1_201}, model="long", length=1_201) == 1
    with db.as_owner() as conn:
        conn.execute("select keepsake.enable_vectors()")
    assert similar(db, ada, [1.0] * 8) == {tea: pytest.approx(1, abs=1e-3)}
    assert similar(db, ada, [1.0] * 1_201, model="long") == {rice: pytest.approx(1)}


@pytest.mark.parametrize("role", ["authenticated", "anon"])
def test_vectors__are_nobodys_to_see(db: Clone, people: People, role: str) -> None:
    ada = people.person("Ada")
    for statement in (
        "select * from keepsake.memory_vectors",
        "select * from keepsake.memory_vector_halves",
        "select * from keepsake.memories_to_embed",
        "select * from keepsake.similar_memories(null, null, 'm', null)",
        "select * from keepsake.store_vectors('m', null, null, null, null)",
        "select keepsake.enable_vectors()",
        "select keepsake.create_memory_vectors()",
    ):
        with pytest.raises(psycopg.errors.InsufficientPrivilege):  # noqa: SIM117
            with db.as_person(ada.user_id) if role == "authenticated" else db.as_anon() as conn:
                conn.execute(statement.encode())


def test_pgvector__in_whatever_schema_and_whenever_it_comes(cluster: Cluster) -> None:
    """Without it everything but vectors works; installed later, it is taken up by the next `keepsake migrate`."""
    with clone(cluster, bootstrapped(cluster, legacy_grants=False)) as db:
        db.run("drop extension vector")
        migrate(db.owner_url)
        assert db.value(IS_KEPT) is False
        with db.as_owner() as conn:
            said = str((conn.execute("select keepsake.enable_vectors() as said").fetchone() or {})["said"])
        assert "create extension vector" in said
        ada = _remembered(db)
        assert similar(db, ada, [1.0] * 8) == {}
        db.run("create schema somewhere")
        cluster.run(f"grant usage on schema somewhere to {OWNER}", database=db.name)
        db.run("create extension vector schema somewhere")
        assert migrate(db.owner_url) == []
        assert db.value(IS_KEPT) is True
        memory = db.value("select memory_id from keepsake.memories_to_embed limit 1")
        assert keep(db, ada, {memory: [1.0] * 8}) == 1
        assert similar(db, ada, [1.0] * 8) == {memory: pytest.approx(1)}
        assert db.value("select count(*) from keepsake.memories_to_embed where memory_id = %s", (memory,)) == 0


def test_pgvector__where_the_server_has_none(any_cluster: Cluster) -> None:
    """The migrations apply all the same, on every version; vectors are there exactly where pgvector is."""
    with clone(any_cluster, bootstrapped(any_cluster, legacy_grants=False)) as db:
        migrate(db.owner_url)
        has = db.value("select exists (select from pg_available_extensions where name = 'vector')")
        assert db.value(IS_KEPT) is has
        ada = _remembered(db)
        db.run("update public.user_memory set memory_text = 'Likes soup' where user_id = %s", (ada.user_id,))
        assert similar(db, ada, [1.0] * 8) == {}
        assert db.value("select count(*) from keepsake.memories_to_embed") == 1


def _remembered(db: Clone) -> Account:
    """A person with one memory, their name."""
    return People(db, FixedClock(datetime.now(UTC))).person("Ada")
