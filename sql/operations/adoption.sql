-- What `keepsake adopt` asks the database about the application's tables, with the login of its owner.

-- name: host_columns
-- The columns of the tables in the schema public, in their order, with what each alone refers to and the labels of an enum.
select c.relname as table_name, a.attname as column_name, format_type(a.atttypid, null) as type,
  coalesce((select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum as e where e.enumtypid = a.atttypid), '{}')
    as labels,
  exists (select from pg_constraint as k where k.conrelid = c.oid and k.contype = 'p' and k.conkey = array[a.attnum]) as is_key,
  (select n.nspname || '.' || t.relname || '.' || r.attname
    from pg_constraint as f
    join pg_class as t on t.oid = f.confrelid
    join pg_namespace as n on n.oid = t.relnamespace
    join pg_attribute as r on r.attrelid = f.confrelid and r.attnum = f.confkey[1]
    where f.conrelid = c.oid and f.contype = 'f' and f.conkey = array[a.attnum]
    order by f.oid limit 1) as refers_to
from pg_class as c
join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not starts_with(c.relname, 'user_memory')
  and not exists (  -- a table of a chat that Keepsake made, or uses as it is
    select from pg_rewrite as w
    join pg_class as v on v.oid = w.ev_class and v.relnamespace = to_regnamespace('keepsake_chats')
    join pg_depend as d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid and d.refobjid = c.oid
  )
order by c.relname, a.attnum

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
-- The tables in the schema public that the caller may read.
select c.relname::text from pg_class as c
where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and has_table_privilege(c.oid, 'select')
