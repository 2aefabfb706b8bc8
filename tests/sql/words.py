"""Which columns can hold a person's words, by the catalog, and which of them an erasure deletes or blanks."""

from __future__ import annotations

from keepsake.store import erasure
from tests.fixtures.db import Clone

_COLUMNS = """
    select n.nspname || '.' || c.relname as table, a.attname::text as column, coalesce(a.attstattarget, -1) as target
    from pg_attribute as a join pg_class as c on c.oid = a.attrelid join pg_namespace as n on n.oid = c.relnamespace
    join pg_type as t on t.oid = a.atttypid left join pg_type as e on e.oid = t.typelem and t.typcategory = 'A'
    where n.nspname in ('public', 'keepsake') and c.relkind in ('r', 'p', 'm') and a.attnum > 0 and not a.attisdropped
      and coalesce(e.typname, t.typname) in
        ('text', 'varchar', 'bpchar', 'name', 'json', 'jsonb', 'bytea', 'tsvector', 'vector', 'halfvec', 'float4')
    order by 1, 2
"""
_EXPRESSIONS = """
    select c.relname::text as index, a.attname::text as column, n.nspname || '.' || t.relname as table
    from pg_index as i join pg_class as c on c.oid = i.indexrelid join pg_class as t on t.oid = i.indrelid
    join pg_namespace as n on n.oid = t.relnamespace join pg_attribute as a on a.attrelid = c.oid
    where n.nspname in ('public', 'keepsake') and i.indkey[a.attnum - 1] = 0 and coalesce(a.attstattarget, -1) <> 0
"""


def columns(db: Clone) -> dict[str, int]:
    """Every column whose type can hold words, with how much of it ANALYZE samples (0: nothing)."""
    return {f"{row['table']}.{row['column']}": row["target"] for row in db.all(_COLUMNS)}


def erased(db: Clone) -> set[str]:
    """Those of the columns that an erasure deletes or blanks."""
    erasing = erasure.erasing_queries()
    rows = {_table(query.table) for query in erasing if not query.blanks}
    values = {f"{_table(query.table)}.{column}" for query in erasing for column in query.blanks}
    return {name for name in columns(db) if name.rpartition(".")[0] in rows or name in values}


def elsewhere(db: Clone) -> dict[str, str]:
    """The columns that the list leaves alone, each with the reason."""
    with db.as_superuser() as looking:
        rows = looking.execute(erasure.exempt_columns().encode()).fetchall()
    return {row["column_name"]: row["reason"] for row in rows}


def sampled_expressions(db: Clone) -> set[str]:
    """Indexes over an expression whose values ANALYZE samples, on tables that hold words."""
    tables = {name.rpartition(".")[0] for name in erased(db)}
    return {row["index"] for row in db.all(_EXPRESSIONS) if row["table"] in tables}


def _table(name: str) -> str:
    """The table of a name: the names of chats are views over tables in public."""
    return name.replace("keepsake_chats.", "public.")
