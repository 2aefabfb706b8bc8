"""The loader of named SQL refuses a file that breaks the format, instead of losing a query without a word."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from psycopg.rows import args_row, class_row

from keepsake.errors import MisconfiguredError
from keepsake.infra.database import Database, Profile, queries
from keepsake.infra.database.queries import Query

GOOD = "-- A file.\n\n-- name: one\n-- Says one.\nselect %(a)s + %(b)s\n\n-- name: two\n-- Says\n-- two.\nselect 2;\n"
ERASING = (
    "-- name: rows\n-- Rows.\n-- table: t.a\nwhere a.x = %(x)s\n\n"
    "-- name: values\n-- Values.\n-- table: t.b\n-- blanks: y\nset y = %(y)s\nwhere b.x = %(x)s\n"
)


def load(folder: Path, text: str) -> object:
    """Load a file with this text."""
    (folder / "asked.sql").write_text(text, encoding="utf-8")
    return queries.load("asked", folder)


def test_a_file__is_cut_at_its_headers(tmp_path: Path) -> None:
    load(tmp_path, GOOD)
    found = queries.load("asked", tmp_path)
    assert set(found) == {"one", "two"}
    assert (found["one"].sql, found["one"].purpose) == ("select %(a)s + %(b)s", "Says one.")
    assert found["one"].parameters == {"a", "b"}
    assert (found["two"].sql, found["two"].purpose) == ("select 2", "Says two.")


@pytest.mark.parametrize(
    "text, said",
    [
        (GOOD.replace("two\n-- Says\n", "one\n-- Says\n"), "two queries are named one"),
        (GOOD.replace("-- name: two", "-- name two"), "not a header"),
        (GOOD.replace("-- name: two", "-- name: Two"), "not a header"),
        (GOOD.replace("-- name: two", "--Name: two"), "not a header"),
        (GOOD.replace("-- Says one.\n", ""), "what it is for"),
        (GOOD.replace("select 2;", "select 2; select 3"), "exactly one statement"),
        (GOOD.replace("select 2;", ""), "exactly one statement"),
        (GOOD.replace("%(b)s", "%s"), "not %(name)s"),
        (GOOD.replace("%(b)s", "%(B)s"), "not %(name)s"),
        ("select 1\n" + GOOD, "before the first name"),
        (ERASING.replace("-- table: t.b\n", ""), "must be a condition"),
        (ERASING.replace("where a.x", "-- blanks: x\nwhere a.x"), "must be a condition"),
        (ERASING.replace("-- blanks: y\n", ""), "must be a condition"),
        (ERASING.replace("\nwhere b.x", " where b.x"), "must be a condition"),
    ],
)
def test_a_broken_file__is_refused_whole(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(MisconfiguredError) as refusal:
        load(tmp_path, text)
    assert said in refusal.value.message


def test_rows_of_a_view__are_deleted_by_their_key(tmp_path: Path) -> None:
    load(tmp_path, ERASING.replace("-- table: t.a\n", "-- table: t.a\n-- key: id\n"))
    rows, _ = queries.load("asked", tmp_path).values()
    batch = "select t.id from t.a as t\nwhere a.x = %(x)s\nlimit %(max_rows)s"
    assert rows.sql.startswith(f"with batch as materialized ({batch})\n")
    assert rows.sql.endswith("delete from t.a as t where t.id = any(array(select b.id from batch as b))")


def test_a_condition_on_a_table__becomes_two_statements(tmp_path: Path) -> None:
    """One that deletes or blanks the rows, and one that counts the same rows."""
    load(tmp_path, ERASING)
    rows, values = queries.load("asked", tmp_path).values()
    batch = "select t.tableoid, t.ctid from t.a as t\nwhere a.x = %(x)s\nlimit %(max_rows)s"
    assert rows.sql.startswith(f"with batch as materialized ({batch})\ndelete from t.a as t where t.ctid = any(array(")
    assert (values.sql, values.blanks) == ("update t.b as t\nset y = %(y)s\nwhere b.x = %(x)s", ("y",))
    assert rows.count is not None
    assert values.count is not None
    assert rows.count.sql == "select count(*) from t.a as t\nwhere a.x = %(x)s"
    assert values.count.sql == "select count(*) from t.b as t\nwhere b.x = %(x)s"
    assert (values.purpose, values.parameters, values.count.parameters) == (
        "Values.",
        frozenset({"x", "y"}),
        frozenset({"x"}),
    )


def test_a_percent_sign__is_doubled(tmp_path: Path) -> None:
    load(tmp_path, GOOD.replace("select 2", "select 'a' like 'a%%'"))
    assert queries.load("asked", tmp_path)["two"].sql == "select 'a' like 'a%%'"


def test_a_fragment__is_written_out_with_its_table_and_other_braces_stay(tmp_path: Path) -> None:
    (tmp_path / "fragments").mkdir()
    (tmp_path / "fragments" / "row.sql").write_text("-- Two columns.\nid,\n  name\n", encoding="utf-8")
    load(tmp_path, GOOD.replace("select 2", "select {row}, {row:m}, '{}', '{person:self}'"))
    assert queries.load("asked", tmp_path)["two"].sql == "select id, name, m.id, m.name, '{}', '{person:self}'"


def test_a_fragment_on_a_line_of_its_own__is_its_text_with_the_fragments_in_it(tmp_path: Path) -> None:
    (tmp_path / "fragments").mkdir()
    (tmp_path / "fragments" / "row.sql").write_text("id, name\n", encoding="utf-8")
    (tmp_path / "fragments" / "found.sql").write_text("found as (\n  select {row:m}\n)\n", encoding="utf-8")
    load(tmp_path, GOOD.replace("select 2", "with\n{found},\nmore as (select)\nselect 2"))
    expected = "with\nfound as (\n  select m.id, m.name\n),\nmore as (select)\nselect 2"
    assert queries.load("asked", tmp_path)["two"].sql == expected


@dataclass(frozen=True)
class Pair:
    """A row of two columns."""

    low: int
    high: int


PAIRS = """-- Pairs.

-- name: pairs
-- Two pairs, and a percent sign.
select n as low, n + %(more)s::int as high from generate_series(%(low)s::int, 2) as n where '1%%' like '1_'
"""


@pytest.fixture
def pairs(tmp_path: Path) -> Query:
    """A query that gives two pairs."""
    load(tmp_path, PAIRS)
    return queries.load("asked", tmp_path)["pairs"]


@pytest.mark.parametrize("profile", list(Profile))
async def test_a_query__gives_typed_rows_however_the_transaction_runs(
    database: Database, pairs: Query, profile: Profile
) -> None:
    async with database.as_service(profile) as conn:
        await pairs.execute(conn, low=1, more=10)
        assert await pairs.all(conn, class_row(Pair), low=1, more=10) == [Pair(1, 11), Pair(2, 12)]
        assert await pairs.one(conn, class_row(Pair), low=2, more=10) == Pair(2, 12)
        assert await pairs.one(conn, class_row(Pair), low=3, more=10) is None
        assert await pairs.value(conn, low=2, more=10) == 2
        assert await pairs.values(conn, low=1, more=10) == [1, 2]
        assert await pairs.single(conn, args_row(Pair), low=2, more=0) == Pair(2, 2)
        with pytest.raises(LookupError, match="pairs returned no row"):
            await pairs.single(conn, class_row(Pair), low=3, more=10)


@pytest.mark.parametrize("given", [{"low": 1}, {"low": 1, "more": 1, "most": 1}, {}])
async def test_a_query__takes_exactly_its_parameters(database: Database, pairs: Query, given: dict[str, int]) -> None:
    async with database.as_service() as conn:
        with pytest.raises(TypeError, match="pairs: a parameter is missing or not declared"):
            await pairs.execute(conn, **given)


def test_a_missing_file__is_named(tmp_path: Path) -> None:
    with pytest.raises(MisconfiguredError, match=r"absent\.sql"):
        queries.load("absent", tmp_path)
