"""Every table that holds a person's data is part of an export, or is left out for a reason that stands there."""

from __future__ import annotations

from keepsake.domain.transfer.row_schema import COLUMNS
from keepsake.infra.database import queries
from keepsake.store.exports import LEFT_OUT, SECTIONS
from keepsake.store.imports import RESTORED_SECTIONS
from tests.fixtures.db import Clone


def accounted_for() -> set[str]:
    """The tables of ``public`` that the list names."""
    exported = {table for section in SECTIONS for table in section.tables if "." not in table}
    assert not exported & LEFT_OUT.keys()
    assert all(LEFT_OUT.values())
    return exported | LEFT_OUT.keys()


def tables(db: Clone) -> set[str]:
    """Every table of ``public``."""
    rows = db.all(
        "select c.relname from pg_class as c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')"
    )
    return {row["relname"] for row in rows}


def test_every_public_table__is_exported_or_left_out_for_a_reason(db: Clone) -> None:
    assert tables(db) == accounted_for()
    db.run("create table public.user_memory_dreams (user_id uuid)")
    assert tables(db) - accounted_for() == {"user_memory_dreams"}, "the check above can fail"


def test_every_column_of_a_memory__is_known_to_the_transfer(db: Clone) -> None:
    """A column that is added is exported by itself; that it comes back has to be written down in three places."""
    rows = db.all(
        "select a.attname, a.attgenerated <> '' as made from pg_attribute as a"
        " where a.attrelid = 'public.user_memory'::regclass and a.attnum > 0 and not a.attisdropped"
    )
    assert {row["attname"] for row in rows} == set(COLUMNS)
    insert = queries.load("imports")["insert_rows"].sql
    written = insert.partition("(")[2].partition(")")[0].replace("\n", " ").split(",")
    assert {name.strip() for name in written} == {row["attname"] for row in rows if not row["made"]}


def test_every_section__has_its_query_and_what_returns_has_its_way_back() -> None:
    assert {section.name for section in SECTIONS} == queries.load("exports").keys() - {"set_utc"}
    assert {section.name for section in SECTIONS if section.is_restored} == {"memories", *RESTORED_SECTIONS}
