-- Publishes no changes of Keepsake's tables any more: Realtime applies no row-level security to deletions, so every subscriber heard of
-- those of everybody, and each context reported the counters of the memories in it.

do $$
declare
  published record;
begin
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime' and not puballtables) then
    return;  -- no Realtime, or it publishes all tables
  end if;
  for published in
    select schemaname, tablename from pg_catalog.pg_publication_tables
    where pubname = 'supabase_realtime' and schemaname = 'public' and tablename in ('user_memory', 'user_memory_todos')
  loop
    if not (select pg_catalog.pg_has_role(pubowner, 'usage') from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
      raise notice 'publication supabase_realtime belongs to another role: remove %.% from it', published.schemaname, published.tablename;
    else
      execute format('alter publication supabase_realtime drop table %I.%I', published.schemaname, published.tablename);
    end if;
  end loop;
end
$$;
