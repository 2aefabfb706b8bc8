-- The private schema, and what the migrations themselves ask of the catalogue.

create schema keepsake;
comment on schema keepsake is 'Keepsake''s private side: operations, jobs, caches and indexes. Exposed to nobody.';
revoke all on schema keepsake from public, anon, authenticated;
grant usage on schema keepsake to service_role;

create function keepsake.has_unique_key(relation regclass, columns text[]) returns boolean
language sql stable set search_path = '' as $$
  select exists (
    select from pg_catalog.pg_index as i
    where i.indrelid = relation and i.indisunique and i.indisvalid and i.indpred is null
      and (
        select array_agg(a.attname::text order by a.attname)
        from unnest(i.indkey[0:i.indnkeyatts - 1]) as k (attnum)
        join pg_catalog.pg_attribute as a on a.attrelid = i.indrelid and a.attnum = k.attnum
      ) = (select array_agg(c order by c) from unnest(columns) as c)
  )
$$;
comment on function keepsake.has_unique_key(regclass, text[]) is 'Whether exactly these columns, in any order, are unique in the table.';
revoke all on function keepsake.has_unique_key(regclass, text[]) from public, anon, authenticated;
