"""What a browser may do through REST, by role, from the database's own catalog."""

from __future__ import annotations

from typing import Any, LiteralString

import psycopg
from psycopg.rows import dict_row

ROLES = ("anon", "authenticated")

_TABLES: LiteralString = """
select c.relname::text as name,
  has_table_privilege(%(role)s, c.oid, 'DELETE') as may_delete,
  array(select a.attname::text from pg_attribute as a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    and has_column_privilege(%(role)s, c.oid, a.attnum, 'SELECT') order by a.attname) as "select",
  array(select a.attname::text from pg_attribute as a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    and has_column_privilege(%(role)s, c.oid, a.attnum, 'INSERT') order by a.attname) as "insert",
  array(select a.attname::text from pg_attribute as a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    and has_column_privilege(%(role)s, c.oid, a.attnum, 'UPDATE') order by a.attname) as "update",
  array(select p.proname::text from pg_proc as p where p.pronamespace = c.relnamespace and p.pronargs = 1
    and p.proargtypes[0] = c.reltype and has_function_privilege(%(role)s, p.oid, 'EXECUTE') order by 1) as embeds
from pg_class as c
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v', 'm', 'p', 'f')
order by c.relname
"""

_FUNCTIONS: LiteralString = """
select p.proname::text as name, pg_get_function_result(p.oid) as returns,
  coalesce((select jsonb_object_agg(p.proargnames[n], jsonb_build_object(
      'type', format_type(p.proargtypes[n - 1], null), 'required', n <= p.pronargs - p.pronargdefaults))
    from generate_series(1, p.pronargs) as n), '{}') as arguments
from pg_proc as p
where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
  and has_function_privilege(%(role)s, p.oid, 'EXECUTE')
  and not exists (select from pg_type as t where t.oid = any (p.proargtypes) and t.typrelid <> 0)
order by p.proname
"""


def browser_access(database_url: str) -> dict[str, Any]:
    """For each role its RPCs, and its tables: columns it may read and write, and what they embed."""
    with psycopg.connect(database_url, row_factory=dict_row) as conn:
        return {role: _access_of(conn, role) for role in ROLES}


def _access_of(conn: psycopg.Connection[dict[str, Any]], role: str) -> dict[str, Any]:
    tables = {
        row["name"]: {
            "select": row["select"],
            "insert": row["insert"],
            "update": row["update"],
            "delete": row["may_delete"],
            "embeds": row["embeds"],
        }
        for row in conn.execute(_TABLES, {"role": role})
        if row["may_delete"] or row["select"] or row["insert"] or row["update"]
    }
    functions = {
        row["name"]: {"arguments": row["arguments"], "returns": row["returns"]}
        for row in conn.execute(_FUNCTIONS, {"role": role})
    }
    return {"tables": tables, "functions": functions}
