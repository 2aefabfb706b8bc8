-- Deletions cost little a row: erasure does not log what it deletes from the log itself, and deleting memories marks
-- their summaries once a statement.

-- | setting              | set by      | read by                                                    |
-- | -------------------- | ----------- | ---------------------------------------------------------- |
-- | keepsake.hard_delete | sql/erasure | log_change: with_log where the caller deletes the log itself |
-- | keepsake.raw_write   | undo_step   | normalize_todo                                             |
create or replace function keepsake.log_change() returns trigger
language plpgsql security definer set search_path = '' set timezone = 'UTC' as $$
declare
  row_before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  row_after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  image jsonb := coalesce(row_after, row_before);
  owner uuid := (image ->> 'user_id')::uuid;
  operation uuid := nullif(current_setting('keepsake.operation_id', true), '')::uuid;
begin
  if tg_op = 'UPDATE' and (row_before = row_after
    or (operation is null and keepsake.differs_only_in_usage(row_before, row_after))) then
    return null;
  end if;
  if tg_op = 'DELETE' and (
    current_setting('keepsake.hard_delete', true) in ('on', 'with_log')
    or not exists (select from auth.users as u where u.id = owner)
    or not exists (select from public.user_profile_list as p where p.user_id = owner and p.id = (image ->> 'profile_id')::uuid)
  ) then
    -- Who erases many memories deletes their log before, with few statements; an account takes its log along.
    if current_setting('keepsake.hard_delete', true) is distinct from 'with_log' or tg_table_name <> 'user_memory' then
      delete from keepsake.changes as c
      where c.user_id = owner and c.table_name = tg_table_name and c.row_id = (image ->> 'id')::uuid;
    end if;
    return null;
  end if;

  operation := coalesce(operation, nullif(current_setting('keepsake.implied_operation_id', true), '')::uuid);
  if operation is null then
    operation := gen_random_uuid();
    perform set_config('keepsake.implied_operation_id', operation::text, true);
  end if;
  insert into keepsake.changes (operation_id, user_id, table_name, row_id, action, before, after, actor, reason)
  values (
    operation, owner, tg_table_name, (image ->> 'id')::uuid, lower(tg_op), row_before, row_after,
    coalesce(nullif(current_setting('keepsake.actor', true), ''), case current_setting('role', true)
      when 'authenticated' then 'user' when 'service_role' then 'service' else 'system' end),
    nullif(current_setting('keepsake.reason', true), '')
  );
  return null;
end
$$;

create function keepsake.mark_summaries_of_deleted() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  level text;
begin
  perform keepsake.mark_summaries(d.user_id, d.profile_id, array_agg(distinct m.moment))
  from deleted as d cross join lateral unnest(array[d.valid_from, d.valid_to]) as m (moment)
  group by d.user_id, d.profile_id
  order by d.user_id, d.profile_id;
  foreach level in array array['daily', 'weekly', 'monthly'] loop
    execute format('delete from public.%1$I as s where s.id in (
        select w.id from public.%1$I as w
        cross join lateral unnest(w.memory_ids::text[] || array(select p.id from jsonb_array_elements_text(w.previous -> ''memory_ids'') as p (id)))
          as i (memory_id)
        join deleted as d on d.id::text = i.memory_id and d.user_id = w.user_id
        where w.user_id in (select p.user_id from deleted as p)
      )', format('user_memory_%s_summaries', level));
  end loop;
  return null;
end
$$;
comment on function keepsake.mark_summaries_of_deleted() is 'Deleted memories make the summaries of their periods due, and take along those that used them.';
revoke all on function keepsake.mark_summaries_of_deleted() from public, anon, authenticated;
drop trigger keepsake_60_mark_summaries_of_deleted on public.user_memory;
create trigger keepsake_60_mark_summaries_of_deleted after delete on public.user_memory
  referencing old table as deleted for each statement execute function keepsake.mark_summaries_of_deleted();
