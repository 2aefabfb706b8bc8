"""The data is checked in bounded time: of much data that of some people, the last active ones among them."""

from __future__ import annotations

from uuid import UUID

from keepsake.operations.check_data import DataCheck, check_invariants
from tests.fixtures.db import Clone
from tests.fixtures.people import People

BREAK = "update public.user_memory set status = 'superseded', valid_to = null where id = %s"


FILL = (
    """
    insert into public.messages (id, conversation_id, user_id, role, content)
    select md5('m' || n)::uuid, %(chat)s, %(user)s, 'user', 'Hello' from generate_series(%(first)s::int, %(last)s) as n
    """,
    """
    insert into public.user_memory (id, user_id, profile_id, memory_no, memory_type, memory_text, source_message_id)
    select md5('r' || n)::uuid, %(user)s, %(profile)s, n, 'fact', 'Likes ramen', md5('m' || n)::uuid
    from generate_series(%(first)s::int, %(last)s) as n
    """,
    """
    insert into keepsake.extractions (conversation_id, source_message_id, user_id, status, operation_id, results)
    select %(chat)s, m.source_message_id, m.user_id, 'extracted', m.id,
      jsonb_build_array(jsonb_build_object('action', 'created', 'memory_id', m.id))
    from public.user_memory as m where m.memory_no between %(first)s and %(last)s
    """,
    """
    insert into keepsake.changes (operation_id, user_id, table_name, row_id, action, after, actor)
    select m.id, m.user_id, 'user_memory', m.id, 'insert', to_jsonb(m), 'rules'
    from public.user_memory as m where m.memory_no between %(first)s and %(last)s
    """,
)
ROWS_READ = "select sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) from pg_stat_user_tables"


def test_sample__finds_what_is_wrong_with_the_last_active(people: People, db: Clone) -> None:
    """A violation of who changed something last is found among a few; one of somebody else by looking at all."""
    crowd = [people.person(f"Ada{number}") for number in range(40)]
    memories = [people.memory(person, "Likes ramen") for person in crowd]
    clean = check(db)
    assert not clean.broken
    assert clean.people is not None
    assert 0 < clean.people < len(crowd)
    spoil(db, memories[-1])
    assert check(db).broken["state_without_its_date"] == 1
    spoil(db, memories[0])
    everybody = check(db, everybody=True)
    assert (everybody.broken["state_without_its_date"], everybody.people) == (2, None)


def check(db: Clone, *, everybody: bool = False) -> DataCheck:
    """Check the data as the superuser, at most of a few people."""
    with db.as_superuser() as connection:
        return check_invariants(connection, everybody=everybody, max_memories=10)


def spoil(db: Clone, memory: UUID) -> None:
    """Break an invariant past the triggers that keep it."""
    with db.as_superuser() as connection:
        connection.execute("set local session_replication_role = replica")
        connection.execute(BREAK, (memory,))


def test_little_data__is_checked_completely(people: People, db: Clone) -> None:
    people.memory(people.person("Ada"), "Likes ramen")
    with db.as_superuser() as connection:
        assert check_invariants(connection, everybody=False).people is None


def test_everybody__reads_no_more_rows_than_grow_with_the_data(people: People, db: Clone) -> None:
    """Four times the memories, extractions and changes are at most about four times the rows that are read."""
    ada = people.person("Ada")
    who = {"chat": people.conversation(ada), "user": ada.user_id, "profile": ada.profile_id}
    fill(db, who, 2, 300)
    before = rows_read(db)
    assert before > 1_000
    fill(db, who, 301, 1_200)
    assert rows_read(db) < 6 * before


def fill(db: Clone, who: dict[str, UUID], first: int, last: int) -> None:
    """Write memories with their messages, extractions and changes, past the triggers."""
    with db.as_superuser() as connection:
        connection.execute("set local session_replication_role = replica")
        for statement in FILL:
            connection.execute(statement.encode(), {**who, "first": first, "last": last})
        connection.execute("analyze")


def rows_read(db: Clone) -> int:
    """How many rows one check of everybody reads, by index or not."""
    counts = []
    for _ in range(2):
        db.run("select pg_stat_force_next_flush()")
        counts.append(int(db.value(ROWS_READ)))
        check(db, everybody=True)
    return counts[1] - counts[0]
