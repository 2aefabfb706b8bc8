-- ANALYZE stores samples of column values in pg_statistic, where an erasure cannot delete them. So statistics are
-- disabled on every column that contains a person's words, and existing samples are removed.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create function keepsake.disable_statistics(of_table regclass, column_name text) returns void
language plpgsql set search_path = '' as $$
declare
  number smallint := (select a.attnum from pg_catalog.pg_attribute as a
    where a.attrelid = of_table and a.attname = column_name and not a.attisdropped);
  definition text;
  dependents text[];
begin
  execute format('alter table %s alter column %I set statistics 0', of_table, column_name);
  if not exists (
    select from pg_catalog.pg_stats as s join pg_catalog.pg_class as c on c.oid = of_table
    where s.schemaname = c.relnamespace::regnamespace::text and s.tablename = c.relname and s.attname = column_name
  ) then
    return;
  elsif current_setting('server_version_num')::int >= 180000 then
    execute format('select pg_catalog.pg_clear_attribute_stats(%L, %L, %L, false)',
      (select c.relnamespace::regnamespace::text from pg_catalog.pg_class as c where c.oid = of_table),
      (select c.relname from pg_catalog.pg_class as c where c.oid = of_table), column_name);
    return;
  end if;
  -- Before 18: setting a column's type again removes its samples without rewriting the table.
  select array_agg(pg_catalog.pg_get_triggerdef(t.oid)) into dependents
  from pg_catalog.pg_trigger as t
  where t.tgrelid = of_table and not t.tgisinternal and exists (
    select from pg_catalog.pg_depend as d
    where d.classid = 'pg_catalog.pg_trigger'::regclass and d.objid = t.oid and d.refobjid = of_table and d.refobjsubid = number
  );
  for definition in
    select format('drop trigger %I on %s', t.tgname, of_table) from pg_catalog.pg_trigger as t
    where t.tgrelid = of_table and pg_catalog.pg_get_triggerdef(t.oid) = any (dependents)
  loop
    execute definition;
  end loop;
  execute format('alter table %s alter column %I type %s', of_table, column_name, (
    select pg_catalog.format_type(a.atttypid, a.atttypmod) from pg_catalog.pg_attribute as a
    where a.attrelid = of_table and a.attnum = number
  ));
  foreach definition in array coalesce(dependents, '{}') loop
    execute definition;
  end loop;
end
$$;
comment on function keepsake.disable_statistics(regclass, text) is 'Disables ANALYZE for a column, and removes its existing samples.';
revoke all on function keepsake.disable_statistics(regclass, text) from public, anon, authenticated;

select keepsake.disable_statistics(c.of_table::regclass, c.column_name)
from (values
  ('public.user_memory', 'memory_text'), ('public.user_memory', 'source_quote'), ('public.user_memory', 'memory_key'),
  ('public.user_memory', 'value'), ('public.user_memory', 'entity_refs'), ('public.user_memory', 'entity_label'),
  ('public.user_memory', 'astrological_context'),
  ('public.user_memory_entities', 'key'), ('public.user_memory_entities', 'label'),
  ('public.user_memory_entities', 'aliases'), ('public.user_memory_entities', 'names'),
  ('public.user_memory_alias_proposals', 'key'), ('public.user_memory_alias_proposals', 'variant'),
  ('public.user_memory_places', 'place_id'), ('public.user_memory_places', 'name'), ('public.user_memory_places', 'notes'),
  ('keepsake.changes', 'before'), ('keepsake.changes', 'after'), ('keepsake.changes', 'reason'),
  ('keepsake.commands', 'outcome'), ('keepsake.commands', 'text_hash'),
  ('keepsake.extractions', 'results'), ('keepsake.extractions', 'dropped'), ('keepsake.webhook_deliveries', 'outcome'),
  ('keepsake.memory_index', 'lexemes'), ('keepsake.memory_vectors', 'vector'),
  ('keepsake.procrastinate_jobs', 'args'), ('keepsake.procrastinate_jobs', 'lock'),
  ('keepsake.procrastinate_jobs', 'queueing_lock')
) as c (of_table, column_name)
where to_regclass(c.of_table) is not null;

-- The host's tables only where Keepsake created them.
select keepsake.disable_statistics(c.of_table::regclass, c.column_name)
from (values
  ('public.messages', 'content', 'What was said in a chat.'), ('public.messages', 'meta', 'What was said in a chat.'),
  ('public.conversation_summaries', 'summary', 'The rolling summary of a chat, remade every few turns.'),
  ('public.conversations', 'title', 'Chats; user_id owns one, others may take part in it.'),
  ('public.user_profile_list', 'name', 'A person''s profiles; memory is made only for the primary one.'),
  ('public.user_profile_list', 'nickname', 'A person''s profiles; memory is made only for the primary one.'),
  ('public.user_profile_list', 'pronouns', 'A person''s profiles; memory is made only for the primary one.'),
  ('public.user_profile_list', 'birth_chart', 'A person''s profiles; memory is made only for the primary one.')
) as c (of_table, column_name, table_comment)
where pg_catalog.obj_description(to_regclass(c.of_table)) = c.table_comment;

-- An index on an expression has its own samples; one that has any is rebuilt.
do $$
declare
  found record;
begin
  for found in
    select c.oid::regclass::text as name, pg_catalog.pg_get_indexdef(c.oid) as definition, a.attnum as number,
      pg_catalog.obj_description(c.oid) as comment, exists (
        select from pg_catalog.pg_stats as s
        where s.schemaname = c.relnamespace::regnamespace::text and s.tablename = c.relname and s.attname = a.attname
      ) as has_samples
    from pg_catalog.pg_index as i
    join pg_catalog.pg_class as c on c.oid = i.indexrelid
    join pg_catalog.pg_attribute as a on a.attrelid = c.oid
    where i.indkey[a.attnum - 1] = 0 and i.indrelid = any (array['public.user_memory', 'public.user_memory_entities',
      'public.user_memory_alias_proposals', 'public.user_memory_places', 'keepsake.memory_index']::regclass[])
  loop
    if found.has_samples then
      execute 'drop index ' || found.name;
      execute found.definition;
      execute format('comment on index %s is %L', found.name, found.comment);
    end if;
    execute format('alter index %s alter column %s set statistics 0', found.name, found.number);
  end loop;
end
$$;
