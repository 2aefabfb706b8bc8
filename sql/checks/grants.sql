-- Gaps in what roles may do to tables, columns, sequences and schemas. No rows: no gaps.
-- Run as any role: psql "$MIGRATION_DATABASE_URL" -f sql/checks/grants.sql

with relations as (
  select c.oid, format('%I.%I', n.nspname, c.relname) as name, n.nspname, c.relkind, c.relacl
  from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
  where n.nspname in ('public', 'keepsake', 'keepsake_chats') and c.relkind in ('r', 'p', 'v', 'm', 'f', 'S')
    and not exists (select from pg_depend as d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
), granted as (
  select r.name, r.nspname, r.relkind, null::name as column_name, acl.grantee, acl.privilege_type
  from relations as r cross join lateral aclexplode(r.relacl) as acl
  union all
  select r.name, r.nspname, r.relkind, a.attname, acl.grantee, acl.privilege_type
  from relations as r
  join pg_attribute as a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
  cross join lateral aclexplode(a.attacl) as acl
), privileges as (
  select g.*, case g.grantee when 0 then 'public' else g.grantee::regrole::text end as holder,
    format('%s may %s%s', case g.grantee when 0 then 'public' else g.grantee::regrole::text end, lower(g.privilege_type),
      coalesce(' column ' || g.column_name, '')) as detail
  from granted as g
)

-- anon has nothing: everything here belongs to a person.
select 'anon_may' as check_name, name as object, detail from privileges where holder in ('public', 'anon')

-- None of these asks a policy.
union all
select 'not_under_policies', name, detail from privileges
where holder in ('public', 'anon', 'authenticated') and relkind <> 'S'
  and privilege_type in ('TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN')

-- A write on the whole table would let a browser set server-owned columns, and columns to come.
union all
select 'write_on_whole_table', name, detail from privileges
where holder = 'authenticated' and nspname in ('public', 'keepsake_chats') and relkind <> 'S' and column_name is null
  and privilege_type in ('INSERT', 'UPDATE')

-- What a browser may write of Keepsake's own tables, and nothing else.
union all
select 'server_owned_column', name, detail from privileges
where holder = 'authenticated' and name in ('public.user_memory', 'public.user_memory_settings')
  and not (privilege_type = 'SELECT' and column_name is null)
  and (replace(name, 'public.', ''), privilege_type, coalesce(column_name, '')) not in (
    values ('user_memory', 'UPDATE', 'memory_text'), ('user_memory', 'UPDATE', 'pinned'),
      ('user_memory', 'UPDATE', 'importance'), ('user_memory', 'UPDATE', 'expires_at'),
      -- an upsert names the person again; the policies pin it to the caller
      ('user_memory_settings', 'INSERT', 'user_id'), ('user_memory_settings', 'UPDATE', 'user_id'),
      ('user_memory_settings', 'INSERT', 'building'), ('user_memory_settings', 'UPDATE', 'building'),
      ('user_memory_settings', 'INSERT', 'enabled'), ('user_memory_settings', 'UPDATE', 'enabled'),
      ('user_memory_settings', 'INSERT', 'allowed_types'), ('user_memory_settings', 'UPDATE', 'allowed_types'),
      ('user_memory_settings', 'INSERT', 'retention_days'), ('user_memory_settings', 'UPDATE', 'retention_days'),
      ('user_memory_settings', 'INSERT', 'long_term'), ('user_memory_settings', 'UPDATE', 'long_term'),
      ('user_memory_settings', 'INSERT', 'every_chat'), ('user_memory_settings', 'UPDATE', 'every_chat'),
      ('user_memory_settings', 'INSERT', 'onboarding_seen_at'), ('user_memory_settings', 'UPDATE', 'onboarding_seen_at')
  )

-- One column without SELECT makes PostgREST refuse select=* and every returned representation.
union all
select 'select_by_column', name, detail from privileges
where holder = 'authenticated' and nspname = 'public' and privilege_type = 'SELECT' and column_name is not null

-- The private schema is private.
union all
select 'private_table_granted', name, detail from privileges where nspname = 'keepsake' and holder = 'authenticated'
union all
select 'private_schema_open', n.nspname, format('%s may %s', coalesce(r.rolname, 'public'), lower(acl.privilege_type))
from pg_namespace as n
cross join lateral aclexplode(n.nspacl) as acl
left join pg_roles as r on r.oid = acl.grantee
where n.nspname = 'keepsake' and (acl.grantee = 0 or r.rolname in ('anon', 'authenticated'))

-- What is made later must not be open from the start.
union all
select 'open_by_default', coalesce(n.nspname, 'every schema'),
  format('%s will get %s on what %s makes', coalesce(r.rolname, 'public'), lower(acl.privilege_type), d.defaclrole::regrole)
from pg_default_acl as d
left join pg_namespace as n on n.oid = d.defaclnamespace
cross join lateral aclexplode(d.defaclacl) as acl
left join pg_roles as r on r.oid = acl.grantee
where (d.defaclnamespace = 0 or n.nspname = 'keepsake')
  and (r.rolname in ('anon', 'authenticated') or (acl.grantee = 0 and d.defaclobjtype <> 'T'))
  and not (acl.grantee = 0 and d.defaclobjtype = 'f' and d.defaclnamespace = 0)  -- Postgres' own default

order by 1, 2, 3;
