-- Publishes changes of to-dos to Supabase Realtime too: a channel that asks for a table that is not published hears of none.

do $$
begin
  if not exists (select from pg_catalog.pg_publication where pubname = 'supabase_realtime' and not puballtables) then
    return;  -- no Realtime, or it publishes all tables
  elsif exists (
    select from pg_catalog.pg_publication_tables
    where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = 'user_memory_todos'
  ) then
    return;
  elsif not (select pg_catalog.pg_has_role(pubowner, 'usage') from pg_catalog.pg_publication where pubname = 'supabase_realtime') then
    raise notice 'publication supabase_realtime belongs to another role: add public.user_memory_todos to it for live updates';
  else
    alter publication supabase_realtime add table public.user_memory_todos;
  end if;
end
$$;
