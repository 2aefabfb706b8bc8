-- Undo works in steps of bounded size, so that none of its statements grows with the operation: a run of changes of one
-- kind is reverted by one statement, and a client with a statement timeout runs the steps one by one in a transaction.
-- Deleting memories marks their summaries once a statement.

create or replace function keepsake.row_to_restore(change keepsake.changes, present jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  image jsonb := change.before;
  counted text;
  reference text;
begin
  if change.action = 'update' then
    -- Uses that were counted since are not part of the operation: they stay.
    foreach counted in array array['reference_count', 'last_referenced_at'] loop
      if change.before -> counted = change.after -> counted
        or (counted = 'last_referenced_at' and present -> counted is distinct from change.after -> counted) then
        image := image || jsonb_build_object(counted, present -> counted);
      elsif counted = 'reference_count' then
        image := image || jsonb_build_object(counted, greatest(0, (present ->> counted)::int
          - (change.after ->> counted)::int + (change.before ->> counted)::int));
      end if;
    end loop;
  end if;
  -- A reference whose target was deleted since becomes null; relink_memories sets those whose target comes back too.
  if image ->> 'conversation_id' is not null and not exists (select from public.conversations_participants as p
    where p.conversation_id = (image ->> 'conversation_id')::uuid and p.user_id = change.user_id) then
    image := image || '{"conversation_id": null}';
  end if;
  if image ->> 'source_message_id' is not null and not exists (select from public.messages as m
    where m.id = (image ->> 'source_message_id')::uuid and m.user_id = change.user_id) then
    image := image || '{"source_message_id": null}';
  end if;
  foreach reference in array array['supersedes_id', 'folded_into'] loop
    if image ->> reference is not null and not exists (select from public.user_memory as m
      where m.id = (image ->> reference)::uuid and m.user_id = change.user_id) then
      image := image || jsonb_build_object(reference, null);
    end if;
  end loop;
  return image;
end
$$;

create function keepsake.relink_memories(person uuid, operation uuid) returns void
language sql set search_path = '' set enable_hashjoin = off set enable_mergejoin = off as $$
  with images as materialized (
    select c.row_id, (c.before ->> 'supersedes_id')::uuid as supersedes_id, (c.before ->> 'folded_into')::uuid as folded_into
    from keepsake.changes as c
    where c.operation_id = operation and c.user_id = person and c.table_name = 'user_memory' and c.action = 'delete'
      and (c.before ->> 'supersedes_id' is not null or c.before ->> 'folded_into' is not null)
  )
  update public.user_memory as m
  set supersedes_id = coalesce(m.supersedes_id, older.id), folded_into = coalesce(m.folded_into, fold.id)
  from images as i
  left join public.user_memory as older on older.id = i.supersedes_id and older.user_id::text = person::text
  left join public.user_memory as fold on fold.id = i.folded_into and fold.user_id::text = person::text
  where m.id = i.row_id and m.user_id::text = person::text
    and (m.supersedes_id is null and older.id is not null or m.folded_into is null and fold.id is not null)
$$;
comment on function keepsake.relink_memories(uuid, uuid) is 'Sets the references of the memories that an undo brought back to others that came back after them.';
revoke all on function keepsake.relink_memories(uuid, uuid) from public, anon, authenticated;
grant execute on function keepsake.relink_memories(uuid, uuid) to service_role;

create function keepsake.begin_undo(person uuid, operation uuid, actor text) returns uuid
language plpgsql set search_path = '' as $$
declare
  change keepsake.changes;
begin
  perform keepsake.lock_merges(person, (
    select array_agg(distinct coalesce(c.after, c.before) ->> 'profile_id') from keepsake.changes as c
    where c.operation_id = begin_undo.operation and c.user_id = person
  ));
  select c.* into change from keepsake.changes as c
  where c.operation_id = begin_undo.operation and c.user_id = person order by c.seq limit 1 for update;
  if not found then
    raise exception using errcode = 'PT404', message = 'There is no such operation, or it is not yours.';
  elsif change.undone_at is not null then
    raise exception using errcode = 'PT409', message = 'This operation has been undone already.',
      detail = 'Undone: ' || keepsake.describe_operation(operation, change.undone_at) || '.';
  elsif change.created_at < now() - interval '30 days' then
    raise exception using errcode = 'PT410', message = 'This operation is older than 30 days and can no longer be undone.';
  end if;
  return keepsake.begin_operation(actor, 'undo of ' || operation);
end
$$;
comment on function keepsake.begin_undo(uuid, uuid, text) is 'Checks that an operation can be undone, takes the merge locks, and begins the operation that undoes it.';
revoke all on function keepsake.begin_undo(uuid, uuid, text) from public, anon, authenticated;
grant execute on function keepsake.begin_undo(uuid, uuid, text) to service_role;

-- After the merge locks, as extraction takes them, the rows by id. Locking them in the order of the changes could
-- deadlock with an injection that counts their use.
create function keepsake.lock_rows_to_undo(person uuid, operation uuid, name text, above uuid, max_rows integer) returns uuid
language plpgsql set search_path = '' as $$
declare
  ids uuid[] := array(
    select c.row_id from keepsake.changes as c
    where c.operation_id = lock_rows_to_undo.operation and c.user_id = person and c.table_name = name and c.row_id > above
    group by c.row_id order by c.row_id limit max_rows
  );
begin
  execute format('select from public.%I as t where t.user_id = $1 and t.id = any ($2) order by t.id for update', name)
    using person, ids;
  return ids[cardinality(ids)];
end
$$;
comment on function keepsake.lock_rows_to_undo(uuid, uuid, text, uuid, integer) is 'Locks the rows of a table that an operation changed, in the order of their ids, at most so many above an id; returns the last id, or null when there are no more.';
revoke all on function keepsake.lock_rows_to_undo(uuid, uuid, text, uuid, integer) from public, anon, authenticated;
grant execute on function keepsake.lock_rows_to_undo(uuid, uuid, text, uuid, integer) to service_role;

-- The plans of these statements must not depend on statistics: both tables are read by their keys. The person is compared
-- as text, because an index that begins with the person may contain all of their rows.
create function keepsake.next_run(person uuid, operation uuid, below bigint, max_rows integer)
returns table (table_name text, action text, first_seq bigint, last_seq bigint, changes bigint)
language plpgsql set search_path = '' set timezone = 'UTC' set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  newest keepsake.changes;
begin
  select c.* into newest from keepsake.changes as c
  where c.operation_id = next_run.operation and c.user_id = person and c.seq < below order by c.seq desc limit 1;
  if not found then
    return;
  end if;
  return query execute format('
    with newest as materialized (
      select c.* from keepsake.changes as c
      where c.operation_id = $1 and c.user_id = $2 and c.seq < $3 order by c.seq desc limit $4
    ), placed as (
      select c.seq, row_number() over (order by c.seq desc) as place,
        c.table_name <> $5 or c.action <> $6
        or row_number() over (partition by c.row_id order by c.seq desc) > 1
        or (select to_jsonb(t) from public.%I as t where t.id = c.row_id and t.user_id::text = $2::text)
          is distinct from c.after as is_other
      from newest as c
    )
    select $5, $6, min(p.seq), max(p.seq), count(*) from placed as p
    where p.place = 1 or p.place < coalesce((select min(o.place) from placed as o where o.is_other), $4 + 1)',
    newest.table_name) using operation, person, below, max_rows, newest.table_name, newest.action;
end
$$;
comment on function keepsake.next_run(uuid, uuid, bigint, integer) is 'The newest changes of an operation below a position that one statement can revert: of one table and kind, each of another row, which is as it was logged; or one change alone.';
revoke all on function keepsake.next_run(uuid, uuid, bigint, integer) from public, anon, authenticated;
grant execute on function keepsake.next_run(uuid, uuid, bigint, integer) to service_role;

create function keepsake.revert_run(person uuid, operation uuid, table_name text, action text, first_seq bigint, last_seq bigint)
returns void
language plpgsql set search_path = '' set timezone = 'UTC' set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  columns text := keepsake.writable_columns(table_name, '');
  image_columns text := keepsake.writable_columns(table_name, 'r.');
  of_run text := 'c.operation_id = $1 and c.user_id = $2 and c.seq between $3 and $4';
  of_row text := 't.id = c.row_id and t.user_id::text = $2::text';
begin
  if action = 'insert' then
    execute format('delete from public.%I as t using keepsake.changes as c where %s and %s', table_name, of_run, of_row)
      using operation, person, first_seq, last_seq;
  elsif action = 'update' then
    execute format('update public.%1$I as t set (%2$s) = (select %3$s from jsonb_populate_record(null::public.%1$I,
        to_jsonb(t) || keepsake.row_to_restore(c, to_jsonb(t))) as r)
      from keepsake.changes as c where %4$s and %5$s', table_name, columns, image_columns, of_run, of_row)
      using operation, person, first_seq, last_seq;
  else
    execute format('insert into public.%1$I (%2$s) select %3$s from keepsake.changes as c
      cross join lateral jsonb_populate_record(null::public.%1$I, keepsake.row_to_restore(c, null)) as r
      where %4$s order by c.seq desc', table_name, columns, image_columns, of_run)
      using operation, person, first_seq, last_seq;
  end if;
end
$$;
comment on function keepsake.revert_run(uuid, uuid, text, text, bigint, bigint) is 'Reverts a run of changes with one statement.';
revoke all on function keepsake.revert_run(uuid, uuid, text, text, bigint, bigint) from public, anon, authenticated;
grant execute on function keepsake.revert_run(uuid, uuid, text, text, bigint, bigint) to service_role;

create function keepsake.undo_step(person uuid, operation uuid, below bigint, max_rows integer) returns jsonb
language plpgsql set search_path = '' as $$
declare
  change keepsake.changes;
  run record;
begin
  select r.* into run from keepsake.next_run(person, operation, below, max_rows) as r;
  if not found then
    perform keepsake.relink_memories(person, operation);
    return null;
  end if;
  perform set_config('keepsake.raw_write', 'on', true);
  begin
    if run.changes = 1 then
      raise unique_violation;  -- one change alone is reverted below
    end if;
    perform keepsake.revert_run(person, operation, run.table_name, run.action, run.first_seq, run.last_seq);
  exception
    when unique_violation or foreign_key_violation then  -- the order of the changes matters
      for change in
        select c.* from keepsake.changes as c
        where c.operation_id = undo_step.operation and c.user_id = person and c.seq between run.first_seq and run.last_seq
        order by c.seq desc
      loop
        perform keepsake.undo_change(change);
      end loop;
  end;
  perform set_config('keepsake.raw_write', '', true);
  update keepsake.changes as c set undone_at = now()
  where c.operation_id = undo_step.operation and c.user_id = person and c.seq between run.first_seq and run.last_seq;
  return jsonb_build_object('reached', run.first_seq, 'changes', run.changes);
exception
  when unique_violation then
    raise exception using errcode = 'PT409', message = 'Something newer has taken the place of what would come back.',
      detail = coalesce(keepsake.describe_newer_memory(change), ''), hint = 'Forget the newer memory first.';
  when foreign_key_violation then
    raise exception using errcode = 'PT409', message = 'What the operation belonged to is gone.';
end
$$;
comment on function keepsake.undo_step(uuid, uuid, bigint, integer) is 'Reverts the newest changes of an operation below a position, at most so many; returns the position it reached and how many, or null when all is reverted.';
revoke all on function keepsake.undo_step(uuid, uuid, bigint, integer) from public, anon, authenticated;
grant execute on function keepsake.undo_step(uuid, uuid, bigint, integer) to service_role;

create or replace function keepsake.undo(person uuid, operation uuid, actor text default 'user') returns jsonb
language plpgsql set search_path = '' as $$
declare
  undo_id uuid := keepsake.begin_undo(person, operation, actor);
  step jsonb := jsonb_build_object('reached', 9223372036854775807);
  changed_table text;
  max_rows integer := 16;
  touched integer := 0;
begin
  for changed_table in
    select distinct c.table_name from keepsake.changes as c
    where c.operation_id = undo.operation and c.user_id = person order by 1
  loop
    perform keepsake.lock_rows_to_undo(person, operation, changed_table, '00000000-0000-0000-0000-000000000000', null);
  end loop;
  loop
    step := keepsake.undo_step(person, operation, (step ->> 'reached')::bigint, max_rows);
    exit when step is null;
    touched := touched + (step ->> 'changes')::integer;
    -- A long run may go on; where the kinds alternate, looking far ahead would be in vain.
    max_rows := case when (step ->> 'changes')::integer = max_rows then least(2 * max_rows, 1000) else 16 end;
  end loop;
  return keepsake.end_operation(undo_id, touched) || jsonb_build_object('undone', operation);
end
$$;

-- A client that calls this function may have a statement timeout of a few seconds.
create or replace function keepsake.undo_operation(operation_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if (select count(*) from (
    select from keepsake.changes as c
    where c.operation_id = undo_operation.operation_id and c.user_id = (select auth.uid()) limit 3001
  ) as c) > 3000 then
    raise exception using errcode = 'PT413', message = 'This operation changed too much to be undone by one statement.',
      hint = 'Call the function undo-operation.';
  end if;
  return keepsake.undo((select auth.uid()), undo_operation.operation_id);
end
$$;

-- | setting              | set by      | read by                                                    |
-- | -------------------- | ----------- | ---------------------------------------------------------- |
-- | keepsake.hard_delete | sql/erasure | log_change: with_log where the caller deletes the log itself |
-- | keepsake.raw_write   | undo_step   |                                                            |
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
