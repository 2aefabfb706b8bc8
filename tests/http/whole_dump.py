"""A dump of the whole database as `pg_dump` writes it, and what it leaves out: the tables of the catalog itself."""

from __future__ import annotations

import subprocess
from collections import defaultdict

from psycopg import sql

from tests.fixtures.db import Clone
from tests.fixtures.servers import embedded_binaries

_TABLES = """
    select n.nspname::text as schema, c.relname::text as name
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'm') and c.relname <> 'pg_largeobject'
"""


def dumped(db: Clone, word: str) -> dict[str, list[str]]:
    """The lines of a dump in which a word stands, by the table they belong to."""
    found: dict[str, list[str]] = defaultdict(list)
    # pg_dump begins with a random word, which could hold the one that is looked for, unless it is given one.
    program = [str(embedded_binaries(16) / "pg_dump"), "--restrict-key", "0", "--dbname", db.superuser_url]
    text = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    assert "COPY keepsake.procrastinate_jobs" in text
    table = ""
    for line in text.splitlines():
        if line.startswith("COPY "):
            table = line.split()[1]
        if word in line.lower():
            found[table].append(line)
    return dict(found)


def kept(db: Clone, word: str) -> set[str]:
    """Every table of every schema, the catalog's with the planner's statistics included, in which a word stands."""
    found = set()
    with db.as_superuser() as looking:
        for table in looking.execute(_TABLES).fetchall():
            query = sql.SQL("select exists (select from {} as t where t::text ilike %s) as says").format(
                sql.Identifier(table["schema"], table["name"])
            )
            row = looking.execute(query, (f"%{word}%",)).fetchone()
            if row and row["says"]:
                found.add(f"{table['schema']}.{table['name']}")
    return found
