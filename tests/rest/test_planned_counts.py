"""An estimated count tells nothing of others: it is the same whoever's rows are counted."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import httpx
import pytest

from tests.fixtures.clock import FixedClock
from tests.fixtures.db import Clone
from tests.fixtures.people import People
from tests.fixtures.rest import Rest
from tests.rest.access import TABLES
from tests.rest.victim import Victim, make_victim

ROWS = 600


@pytest.fixture(scope="module")
def victim(db: Clone) -> Victim:
    """Somebody with far more rows than anybody else, as ANALYZE finds them."""
    people = People(db, FixedClock(db.value("select now()")))
    victim = make_victim(db, people)
    for number in range(30):
        other = people.person(f"Other {number}")
        people.memory(other, "Plays the cello", conversation_id=people.conversation(other))
    for table in ("user_memory", "messages"):
        names = columns(db, table)
        copied = ", ".join(f"r.{name}" for name in names)
        with db.as_superuser() as connection:
            connection.execute("set local session_replication_role = replica")
            statement = f"""
                insert into public.{table} ({", ".join(names)}) select {copied}
                from (select t from public.{table} as t where user_id is not null limit 1) as v,
                  generate_series(1, {ROWS}) as n, jsonb_populate_record(v.t, jsonb_build_object(
                    'id', gen_random_uuid(), 'memory_no', 1000 + n, 'memory_key', null)) as r"""
            connection.execute(statement.encode())
    db.run("analyze")
    return victim


def columns(db: Clone, table: str) -> list[str]:
    """The columns of a table that can be written."""
    rows = db.all(
        "select attname from pg_attribute where attrelid = %s::regclass and attnum > 0 and attgenerated = ''"
        " and not attisdropped order by attnum",
        (f"public.{table}",),
    )
    return [row["attname"] for row in rows]


def estimate(browser: httpx.Client, table: str, column: str, value: Any, preference: str) -> str:
    """What comes back as the range of a request, the estimated number of rows included."""
    answer = browser.get(
        f"/{table}", params={column: f"eq.{value}", "limit": "1"}, headers={"prefer": f"count={preference}"}
    )
    assert answer.status_code in {200, 206}, answer.text
    return answer.headers["content-range"]


@pytest.mark.parametrize("preference", ["planned", "estimated"])
@pytest.mark.parametrize("table", TABLES)
def test_an_estimate__is_the_same_for_everybodys_ids(
    db: Clone, rest: Rest, victim: Victim, table: str, preference: str
) -> None:
    ben = People(db, FixedClock(db.value("select now()"))).person("Ben")
    browser = rest.as_person(ben.user_id)
    found = db.all(
        "select attname from pg_attribute where attrelid = %s::regclass and attnum > 0 and atttypid = 'uuid'::regtype",
        (f"public.{table}",),
    )
    for column in (row["attname"] for row in found):
        values = db.all(
            f"select {column} as id from public.{table} where {column} is not null"
            f" group by {column} order by count(*) desc limit 3"
        )
        nobody = estimate(browser, table, column, uuid4(), preference)
        for value in values:
            if browser.get(f"/{table}", params={column: f"eq.{value['id']}", "limit": "1"}).json():
                continue  # a row of their own, which is theirs to count
            assert estimate(browser, table, column, value["id"], preference) == nobody, (table, column)


def test_statistics__are_kept_of_no_column_that_tells_whose_a_row_is(db: Clone) -> None:
    """A new column with ids needs: alter table … alter column … set statistics 0."""
    sampled = db.all(
        """
        select c.relname || '.' || a.attname as name from pg_attribute as a join pg_class as c on c.oid = a.attrelid
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
          and a.atttypid in ('uuid'::regtype, 'uuid[]'::regtype) and coalesce(nullif(a.attstattarget, -1), 100) <> 0
          and not exists (  -- a row's own id, which occurs once: its statistics tell nothing of it
            select from pg_index as i where i.indrelid = c.oid and i.indisunique
              and (i.indkey::text = a.attnum::text or (i.indisprimary and a.attname = 'id'))
          )
        """
    )
    assert sampled == []
