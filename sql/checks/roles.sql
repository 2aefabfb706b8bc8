-- Gaps in the roles: what can become what. No rows: no gaps.
-- Run as any role: psql "$MIGRATION_DATABASE_URL" -f sql/checks/roles.sql

-- The browser's roles must lead nowhere.
select 'role_reachable' as check_name, low.rolname::text as object, format('can become %s', high.rolname) as detail
from pg_roles as low cross join pg_roles as high
where low.rolname in ('anon', 'authenticated') and high.oid <> low.oid and pg_has_role(low.oid, high.oid, 'member')

-- The functions' login can become a person or the service, and is nothing by itself.
union all
select 'functions_role_too_strong', 'keepsake_api', a.attribute
from pg_roles as r cross join lateral (values
  ('is superuser', r.rolsuper), ('bypasses row-level security', r.rolbypassrls), ('inherits', r.rolinherit),
  ('makes roles', r.rolcreaterole), ('makes databases', r.rolcreatedb), ('replicates', r.rolreplication)
) as a (attribute, held)
where r.rolname = 'keepsake_api' and a.held
union all
select 'functions_role_too_strong', 'keepsake_api', format('can become %s', high.rolname)
from pg_roles as high
where high.rolname not in ('keepsake_api', 'authenticated', 'service_role') and exists (
  select from pg_roles as r where r.rolname = 'keepsake_api' and pg_has_role(r.oid, high.oid, 'member')
)
union all
select 'functions_role_owns', c.oid::regclass::text, 'belongs to keepsake_api'
from pg_class as c join pg_roles as r on r.oid = c.relowner where r.rolname = 'keepsake_api'

order by 1, 2, 3;
