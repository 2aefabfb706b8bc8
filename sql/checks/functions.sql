-- Gaps in functions: who may call them, with whose rights, and where they look for names. No rows: no gaps.
-- Run as any role: psql "$MIGRATION_DATABASE_URL" -f sql/checks/functions.sql

with functions as (
  select p.oid, p.oid::regprocedure::text as name, n.nspname, p.prosecdef as definer, p.proacl,
    p.prorettype = 'trigger'::regtype as is_trigger,
    coalesce(pg_get_functiondef(p.oid), '') as definition,
    (select c from unnest(p.proconfig) as c where c like 'search\_path=%') as search_path
  from pg_proc as p join pg_namespace as n on n.oid = p.pronamespace
  where n.nspname in ('public', 'keepsake', 'keepsake_chats') and p.prokind in ('f', 'p')
    and not exists (select from pg_depend as d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')
), callers as (
  select f.oid, f.name, f.nspname, acl.grantee
  from functions as f cross join lateral aclexplode(coalesce(f.proacl, acldefault('f', (
    select p.proowner from pg_proc as p where p.oid = f.oid)))) as acl
)

-- Postgres lets everybody call a new function; through REST that is everybody on the net.
select 'callable_by_anyone' as check_name, name as object,
  format('%s may call it', case grantee when 0 then 'public' else 'anon' end) as detail
from callers where grantee = 0 or grantee = 'anon'::regrole

-- A definer function in an exposed schema is a hole in every policy.
union all
select 'definer_exposed', name, 'runs with its owner''s rights in an exposed schema'
from functions where definer and nspname = 'public'

-- Otherwise its caller says what its names mean.
union all
select 'definer_search_path', name, coalesce(search_path, 'has no search_path of its own')
from functions where definer and search_path is distinct from 'search_path=""'
union all
select 'search_path_missing', name, 'has no search_path of its own'
from functions where not definer and search_path is null

-- What people may call with its owner's rights must ask who they are, in every statement that touches rows.
union all
select 'definer_asks_not_who', f.name, 'never asks auth.uid()'
from functions as f join callers as c on c.oid = f.oid and c.grantee = 'authenticated'::regrole
where f.definer and not f.is_trigger and f.definition !~ '\yauth\.uid\(\)'
union all
select 'definer_without_where', f.name, btrim(regexp_replace(s.statement, '\s+', ' ', 'g'))
from functions as f cross join lateral regexp_split_to_table(f.definition, ';') as s (statement)
where f.definer and s.statement ~* '\y(update\s+\w+\.\w+|delete\s+from)\y' and s.statement !~* '\ywhere\y'

-- People call private functions only through a public one, a policy, a check, a trigger's condition or an index of what
-- they write.
union all
select 'private_function_granted', f.name, 'people may call it, and nothing of theirs needs it'
from functions as f join callers as c on c.oid = f.oid and c.grantee = 'authenticated'::regrole
where f.nspname = 'keepsake' and not exists (
  select from pg_depend as d
  where d.refclassid = 'pg_proc'::regclass and d.refobjid = f.oid and (
    d.classid in ('pg_policy'::regclass, 'pg_constraint'::regclass)
    or (d.classid = 'pg_trigger'::regclass and not f.is_trigger)
    or (d.classid = 'pg_class'::regclass and exists (
      select from pg_index as i join pg_class as t on t.oid = i.indrelid
      where i.indexrelid = d.objid and t.relnamespace = 'public'::regnamespace))
    or (d.classid = 'pg_proc'::regclass
      and (select p.pronamespace = 'public'::regnamespace from pg_proc as p where p.oid = d.objid))
  )
)

order by 1, 2, 3;
