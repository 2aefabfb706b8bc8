"""What a database is, line by line: two databases of the same schema have the same lines."""

from __future__ import annotations

from typing import LiteralString

from tests.fixtures.db import Clone

_OURS: LiteralString = "in ('public'::regnamespace, 'keepsake'::regnamespace, 'keepsake_chats'::regnamespace)"
_NOT_OF_AN_EXTENSION: LiteralString = (
    "not exists (select from pg_depend as d where d.objid = {}.oid and d.deptype = 'e')"
)


def _rights(column: LiteralString) -> LiteralString:
    return f"array(select unnest({column})::text order by 1)"


_QUERIES: dict[str, LiteralString] = {
    "schema": f"select nspname, nspowner::regrole, {_rights('nspacl')}, obj_description(oid, 'pg_namespace')"
    " from pg_namespace where nspname in ('public', 'keepsake', 'keepsake_chats')",
    "relation": f"select oid::regclass, relkind, relowner::regrole, {_rights('relacl')}, relrowsecurity,"
    " relforcerowsecurity, reloptions, relreplident, obj_description(oid, 'pg_class'),"
    " case relkind when 'v' then pg_get_viewdef(oid) end"
    f" from pg_class where relnamespace {_OURS} and relkind <> 't'",
    "column": "select a.attrelid::regclass || '.' || a.attname,"
    " row_number() over (partition by a.attrelid order by a.attnum), format_type(a.atttypid, a.atttypmod),"
    f" a.attnotnull, {_rights('a.attacl')}, pg_get_expr(d.adbin, d.adrelid), a.attgenerated, a.attidentity,"
    " nullif(a.attstattarget, -1), a.attstorage, col_description(a.attrelid, a.attnum)"
    " from pg_attribute as a join pg_class as c on c.oid = a.attrelid"
    " left join pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum"
    f" where c.relnamespace {_OURS} and c.relkind <> 't' and a.attnum > 0 and not a.attisdropped",
    "index": "select i.indexrelid::regclass, pg_get_indexdef(i.indexrelid), i.indisvalid"
    f" from pg_index as i join pg_class as c on c.oid = i.indexrelid where c.relnamespace {_OURS}",
    "constraint": "select conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated, condeferrable"
    f" from pg_constraint where connamespace {_OURS}",
    "policy": "select polrelid::regclass, polname, polcmd, polpermissive, polroles::regrole[],"
    " pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid) from pg_policy",
    "function": f"select p.oid::regprocedure, pg_get_functiondef(p.oid), p.proowner::regrole, {_rights('p.proacl')},"
    " obj_description(p.oid, 'pg_proc') from pg_proc as p"
    f" where p.pronamespace {_OURS} and p.prokind <> 'a' and {_NOT_OF_AN_EXTENSION.format('p')}",
    "trigger": "select tgrelid::regclass, tgname, pg_get_triggerdef(oid), tgenabled from pg_trigger"
    " where not tgisinternal",
    "type": f"select t.oid::regtype, t.typtype, {_rights('t.typacl')}, obj_description(t.oid, 'pg_type'),"
    " array(select enumlabel from pg_enum where enumtypid = t.oid order by enumsortorder) from pg_type as t"
    f" where t.typnamespace {_OURS} and t.typelem = 0 and {_NOT_OF_AN_EXTENSION.format('t')}",
    "sequence": "select schemaname, sequencename, data_type, start_value, increment_by, cycle from pg_sequences"
    " where schemaname in ('public', 'keepsake', 'keepsake_chats')",
    "publication": "select pubname, schemaname, tablename, attnames, rowfilter from pg_publication_tables",
    "role": "select r.rolname, r.rolinherit, r.rolbypassrls, r.rolconfig,"
    " array(select m.roleid::regrole::text from pg_auth_members as m where m.member = r.oid order by 1)"
    " from pg_roles as r where r.rolname = 'keepsake_api'",
}


def catalog(db: Clone) -> list[str]:
    """Every object of ours with its definition, owner, rights and comment, sorted."""
    return sorted(
        " | ".join([kind, *map(str, row.values())]) for kind, query in _QUERIES.items() for row in db.all(query)
    )
