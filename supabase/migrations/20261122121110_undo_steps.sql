-- The steps of an undo: each reverts a run of changes, and a small operation is undone by one call.

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
