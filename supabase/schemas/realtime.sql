-- Publishes changes of memories and to-dos to Supabase Realtime, which applies the same row-level security policies.

do $$
declare
  published text;
begin
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime' and not puballtables) then
    return;  -- no Realtime, or it publishes all tables
  end if;
  foreach published in array array['user_memory', 'user_memory_todos'] loop
    if exists (
      select from pg_catalog.pg_publication_tables
      where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = published
    ) then
      continue;
    elsif not (select pg_catalog.pg_has_role(pubowner, 'usage') from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
      raise notice 'publication supabase_realtime belongs to another role: add public.% to it for live updates', published;
    else
      execute format('alter publication supabase_realtime add table public.%I', published);
    end if;
  end loop;
end
$$;
