"""Looks through the whole database, table by table in every schema, for words that may stand somewhere or nowhere."""

from __future__ import annotations

from collections.abc import Iterable

from psycopg import sql

from tests.fixtures.db import Clone

_TABLES = """
    select n.nspname::text as schema, c.relname::text as name
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
    order by 1, 2
"""


def rows_that_say(db: Clone, words: Iterable[str]) -> dict[str, list[str]]:
    """Every row in which one of the words stands, in capitals or not, by its table."""
    marks = [f"%{word}%" for word in sorted(words)]
    found: dict[str, list[str]] = {}
    with db.as_superuser() as looking:
        for table in looking.execute(_TABLES).fetchall():
            query = sql.SQL("select t::text as row from {} as t where t::text ilike any (%s) order by 1").format(
                sql.Identifier(table["schema"], table["name"])
            )
            rows = [row["row"] for row in looking.execute(query, (marks,)).fetchall()]
            if rows:
                found[f"{table['schema']}.{table['name']}"] = rows
    return found
