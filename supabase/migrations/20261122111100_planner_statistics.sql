-- PostgREST answers `Prefer: count=planned` with the planner's estimate, and the planner knows how often each value of a
-- column occurs, in rows of others too. So ANALYZE samples no column that tells whose a row is or what it belongs to, in
-- any table that people read. The planner then expects the same number of rows for everybody. It also means that a person
-- who was not there yet at the last ANALYZE is not expected to have no rows at all.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create function keepsake.disable_owner_statistics(of_table regclass) returns void
language plpgsql set search_path = '' as $$
declare
  found record;
begin
  for found in
    select a.attname as name, c.relname as table_name, n.nspname as schema_name
    from pg_catalog.pg_attribute as a
    join pg_catalog.pg_class as c on c.oid = a.attrelid
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where a.attrelid = of_table and a.attnum > 0 and not a.attisdropped
      and a.atttypid in ('uuid'::pg_catalog.regtype, 'uuid[]'::pg_catalog.regtype)
      and not exists (  -- values that occur once tell nothing
        select from pg_catalog.pg_index as i where i.indrelid = of_table and i.indisunique and i.indkey::text = a.attnum::text
      )
  loop
    execute format('alter table %s alter column %I set statistics 0', of_table, found.name);
    -- Before 18 the last samples stay until the table is made anew: policies use these columns, so that their type
    -- cannot be set again. They are not renewed.
    if current_setting('server_version_num')::int >= 180000 then
      execute format('select pg_catalog.pg_clear_attribute_stats(%L, %L, %L, false)',
        found.schema_name, found.table_name, found.name);
    end if;
  end loop;
end
$$;
comment on function keepsake.disable_owner_statistics(regclass) is 'Disables ANALYZE for the columns that tell whose a row is and what it belongs to.';
revoke all on function keepsake.disable_owner_statistics(regclass) from public, anon, authenticated;

select keepsake.disable_owner_statistics(to_regclass(t.name))
from unnest(array['public.user_memory', 'public.user_memory_settings', 'public.user_memory_entities',
  'public.user_memory_alias_proposals', 'public.user_memory_places', 'public.user_memory_place_mentions']) as t (name);

-- The host's tables only where Keepsake created them.
select keepsake.disable_owner_statistics(to_regclass(c.of_table))
from (values
  ('public.messages', 'What was said in a chat.'),
  ('public.conversation_summaries', 'The rolling summary of a chat, remade every few turns.'),
  ('public.conversations', 'Chats; user_id owns one, others may take part in it.'),
  ('public.conversations_participants', 'Who takes part in a chat, and what each chose about memory there.'),
  ('public.user_profile_list', 'A person''s profiles; memory is made only for the primary one.')
) as c (of_table, table_comment)
where pg_catalog.obj_description(to_regclass(c.of_table)) = c.table_comment;
