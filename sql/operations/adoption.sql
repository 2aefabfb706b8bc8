-- What `keepsake adopt` asks the database about the application's tables, with the login of its owner.

-- name: host_columns
-- The columns of the application's tables, in their order, with what each alone refers to and the labels of an enum; those of
-- another schema than public have its name too.
select case when s.nspname = 'public' then c.relname::text else s.nspname || '.' || c.relname end as table_name, a.attname as column_name, format_type(a.atttypid, null) as type,
  coalesce((select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum as e where e.enumtypid = a.atttypid), '{}')
    as labels,
  exists (select from pg_constraint as k where k.conrelid = c.oid and k.contype = 'p' and k.conkey = array[a.attnum]) as is_key,
  exists (select from pg_index as i where i.indrelid = c.oid and i.indisunique and i.indpred is null and i.indnkeyatts = 1 and i.indkey[0] = a.attnum)
    as is_unique,
  (select n.nspname || '.' || t.relname || '.' || r.attname
    from pg_constraint as f
    join pg_class as t on t.oid = f.confrelid
    join pg_namespace as n on n.oid = t.relnamespace
    join pg_attribute as r on r.attrelid = f.confrelid and r.attnum = f.confkey[1]
    where f.conrelid = c.oid and f.contype = 'f' and f.conkey = array[a.attnum]
    order by f.oid limit 1) as refers_to,
  exists (select from pg_constraint as f where f.conrelid = c.oid and f.contype = 'f' and cardinality(f.conkey) > 1 and a.attnum = any (f.conkey))
    as is_in_split_key
from pg_class as c
join pg_namespace as s on s.oid = c.relnamespace and s.nspname !~ '^(pg_|supabase_|graphql|information_schema$)' and s.nspname not in (
  'auth', 'storage', 'realtime', 'extensions', 'vault', 'cron', 'net', 'pgsodium', 'keepsake', 'keepsake_chats', 'chat_copies'
)
join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relkind in ('r', 'p') and not starts_with(c.relname, 'user_memory')
  and not exists (  -- a table of a chat that Keepsake made, or uses as it is
    select from pg_rewrite as w
    join pg_class as v on v.oid = w.ev_class and v.relnamespace = to_regnamespace('keepsake_chats')
    join pg_depend as d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid and d.refobjid = c.oid
  )
order by s.nspname <> 'public', s.nspname, c.relname, a.attnum

-- name: auth_schema
-- The names of the tables and of the enums of Supabase Auth.
select
  array(select 'auth.' || c.relname from pg_class as c
    where c.relnamespace = 'auth'::regnamespace and c.relkind in ('r', 'p') order by c.relname) as tables,
  array(select 'auth.' || t.typname from pg_type as t
    where t.typnamespace = 'auth'::regnamespace and t.typtype = 'e' order by t.typname) as enums

-- name: installed
-- Whether Keepsake is in this database, and whether an application's chats are copied.
select exists (select from pg_class as c join pg_namespace as n on n.oid = c.relnamespace where (n.nspname, c.relname) = ('keepsake', 'changes')),
  to_regnamespace('chat_copies') is not null

-- name: lacks_right
-- Whether the caller lacks a right on a table, as one who owns it has.
select not has_table_privilege(%(table)s, %(right)s)

-- name: readable_tables
-- The tables that the caller may read.
select case when s.nspname = 'public' then c.relname::text else s.nspname || '.' || c.relname end from pg_class as c
join pg_namespace as s on s.oid = c.relnamespace
where c.relkind in ('r', 'p') and has_schema_privilege(s.oid, 'usage') and has_table_privilege(c.oid, 'select')

-- name: policy_columns
-- The columns of a table by which its policies decide which rows a person sees.
select distinct a.attname::text from pg_policy as p
join pg_depend as d on d.classid = 'pg_policy'::regclass and d.objid = p.oid and d.refobjid = p.polrelid and d.refobjsubid > 0
join pg_attribute as a on a.attrelid = p.polrelid and a.attnum = d.refobjsubid
where p.polrelid = %(table)s::regclass and p.polcmd in ('r', '*')
order by 1
