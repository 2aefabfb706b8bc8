-- Gaps in row-level security that Supabase's own lints do not see. No rows: no gaps.
-- Run as any role: psql "$MIGRATION_DATABASE_URL" -f sql/checks/row_security.sql

with tables as (
  select c.oid, format('%I.%I', n.nspname, c.relname) as name, n.nspname, c.relkind, c.relrowsecurity, c.relforcerowsecurity, c.reloptions
  from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
  where n.nspname in ('public', 'keepsake', 'keepsake_chats') and c.relkind in ('r', 'p', 'v', 'm', 'f')
    and not exists (select from pg_depend as d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
), policies as (
  select p.oid, p.polname, p.polrelid, t.name, p.polroles,
    pg_get_expr(p.polqual, p.polrelid) as qual, pg_get_expr(p.polwithcheck, p.polrelid) as with_check
  from pg_policy as p join tables as t on t.oid = p.polrelid
), conditions as (
  select p.*, c.expression,
    regexp_replace(c.expression, '\( ?SELECT (auth\.\w+|keepsake\.\w+_of_caller)\(\)( AS \w+)?\)', '<caller>', 'gi') as shape
  from policies as p cross join lateral (values (p.qual), (p.with_check)) as c (expression)
  where c.expression is not null
), alternatives as (
  select c.polname, c.name, c.expression, a.alternative
  from conditions as c cross join lateral regexp_split_to_table(c.shape, '\yor\y', 'i') as a (alternative)
)

-- Whatever is granted, and however: without row-level security a grant is all that stands between two people.
select 'row_security_off' as check_name, name as object, 'row-level security is off' as detail
from tables where nspname in ('public', 'keepsake_chats') and relkind in ('r', 'p') and not relrowsecurity

-- Without force the owner's own queries pass every policy by.
union all
select 'row_security_not_forced', name, 'row-level security is not forced'
from tables where nspname in ('public', 'keepsake_chats') and relkind in ('r', 'p') and relrowsecurity and not relforcerowsecurity

-- A view answers with its owner's rights unless it is told otherwise; a materialised one always does.
union all
select 'view_with_owners_rights', name, 'shows what its owner may see'
from tables
where nspname in ('public', 'keepsake_chats') and (relkind in ('m', 'f') or (relkind = 'v'
  and not coalesce(reloptions, '{}') && '{security_invoker=true,security_invoker=on,security_invoker=1}'::text[]))

-- A policy without a role is asked for everybody, anon too.
union all
select 'policy_for_everybody', name, polname
from policies where 0 = any (polroles) or 'anon'::regrole = any (polroles)

-- Bare calls are made again for every row.
union all
select 'policy_calls_for_every_row', name, polname
from conditions where shape ~* '(\yauth\.\w+\(|\ycurrent_setting\(|_of_caller\()'

-- true, 1 < 2, user_id is not null, … or true: every alternative must ask who calls.
union all
select 'policy_asks_not_who', name, format('%s: %s', polname, expression)
from alternatives where alternative !~ '<caller>|auth\.\w+\(|_of_caller\('

-- Nobody signed in is not a reason to see anything.
union all
select 'policy_true_for_nobody', name, format('%s: %s', polname, expression)
from alternatives where alternative ~* '(<caller>|auth\.\w+\(\)) is null|not \(?(<caller>|auth\.\w+\(\)) is not null'

-- A column compared without an index that leads on it is read to the end, for everybody.
union all
select 'policy_column_without_index', p.name, format('%s: %s', p.polname, a.attname)
from policies as p
join pg_depend as d on d.classid = 'pg_policy'::regclass and d.objid = p.oid and d.refobjid = p.polrelid and d.refobjsubid > 0
join pg_attribute as a on a.attrelid = p.polrelid and a.attnum = d.refobjsubid
where p.qual ~ ('\y' || a.attname || '\y') and not exists (
  select from pg_index as i where i.indrelid = p.polrelid and i.indkey[0] = a.attnum and i.indpred is null and i.indisvalid
)

-- A reference between two tables of people's rows must carry the person, or one's row can be tied to another's.
union all
select 'reference_without_owner', t.name, c.conname
from pg_constraint as c
join tables as t on t.oid = c.conrelid
join pg_attribute as mine on mine.attrelid = c.conrelid and mine.attname = 'user_id'
join pg_attribute as theirs on theirs.attrelid = c.confrelid and theirs.attname = 'user_id'
where c.contype = 'f' and mine.attnum <> all (c.conkey) and c.conparentid = 0
  and coalesce((select n.name from tables as n where n.oid = c.confrelid), '')
    not in ('public.conversations', 'keepsake_chats.conversations')  -- shared by those who take part
  and (t.name, c.conname) not in (
    ('keepsake.injections', 'injections_answer')  -- the assistant's message has no author
  )

-- Realtime would send what nobody may read.
union all
select 'private_table_published', format('%I.%I', schemaname, tablename), pubname
from pg_publication_tables where schemaname = 'keepsake'

order by 1, 2, 3;
