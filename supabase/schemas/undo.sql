-- Undo: restores every row an operation changed, last change first, all or nothing. It takes its locks in the lock
-- order (merge locks, then rows by id), so that it cannot deadlock with an erasure or a merge. It works in steps of bounded
-- size, so that none of its statements grows with the operation: a run of changes of one kind is reverted by one statement,
-- and a client with a statement timeout runs the steps one by one in a transaction. Every signed-in person may call
-- undo_operation for an operation of their own of the last 30 days; the backend undoes for a person by begin_undo and undo_step.

create function keepsake.writable_columns(name text, prefix text) returns text
language sql stable set search_path = '' as $$
  select string_agg(prefix || quote_ident(a.attname), ', ' order by a.attnum)
  from pg_catalog.pg_attribute as a
  where a.attrelid = format('public.%I', name)::regclass
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
$$;
comment on function keepsake.writable_columns(text, text) is 'The columns of a public table that can be written, as a list for a statement.';
grant execute on function keepsake.writable_columns(text, text) to service_role;

create function keepsake.row_to_restore(change keepsake.changes, present jsonb) returns jsonb
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
    -- So does the key that was derived since from a text that stays, unless the operation set it.
    if image ->> 'memory_key' is null and change.after ->> 'memory_key' is null
      and image ->> 'memory_text' = present ->> 'memory_text' then
      image := image || jsonb_build_object('memory_key', present -> 'memory_key', 'value', present -> 'value');
    end if;
  end if;
  -- A reference whose target was deleted since becomes null; relink_memories sets those whose target comes back too.
  if image ->> 'conversation_id' is not null and not exists (select from keepsake_chats.conversations_participants as p
    where p.conversation_id = (image ->> 'conversation_id')::uuid and p.user_id = change.user_id) then
    image := image || '{"conversation_id": null}';
  end if;
  if image ->> 'source_message_id' is not null and not exists (select from keepsake_chats.messages as m
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
comment on function keepsake.row_to_restore(keepsake.changes, jsonb) is 'The row that undo writes: the image before, with the uses counted since, and without references to deleted rows.';
grant execute on function keepsake.row_to_restore(keepsake.changes, jsonb) to service_role;

create function keepsake.undo_change(change keepsake.changes) returns void
language plpgsql set search_path = '' as $$
declare
  present jsonb;
  logged_columns jsonb;
  later text;
begin
  execute format('select to_jsonb(t) from public.%I as t where t.id = $1 and t.user_id = $2 for update', change.table_name)
    into present using change.row_id, change.user_id;
  change.before := keepsake.retype_image(change.table_name, change.before);
  change.after := keepsake.retype_image(change.table_name, change.after);
  -- A column that was added since is in no image.
  select jsonb_object_agg(f.key, f.value) into logged_columns from jsonb_each(present) as f (key, value)
  where change.after ? f.key;
  if (present is null) <> (change.after is null) or not keepsake.differs_only_in_usage(change.after, logged_columns) then
    select ' by ' || keepsake.describe_operation(c.operation_id, c.created_at) into later from keepsake.changes as c
    where c.user_id = change.user_id and c.table_name = change.table_name and c.row_id = change.row_id
      and c.operation_id <> change.operation_id and c.seq > change.seq
    order by c.seq desc limit 1;
    raise exception using errcode = 'PT409', message = 'A later change to the same memory stands in the way.',
      detail = format('Row %s of %s was changed again%s.', change.row_id, change.table_name, later),
      hint = 'Undo the later operation first.';
  end if;

  if change.action = 'insert' then
    execute format('delete from public.%I as t where t.id = $1 and t.user_id = $2', change.table_name)
      using change.row_id, change.user_id;
  elsif change.action = 'update' then
    execute format('update public.%1$I as t set (%2$s) = (select %3$s from jsonb_populate_record(null::public.%1$I, $1) as r)
      where t.id = $2 and t.user_id = $3', change.table_name, keepsake.writable_columns(change.table_name, ''),
      keepsake.writable_columns(change.table_name, 'r.'))
      using present || keepsake.row_to_restore(change, present), change.row_id, change.user_id;
  else
    execute format('insert into public.%1$I (%2$s) select %3$s from jsonb_populate_record(null::public.%1$I, $1) as r',
      change.table_name, keepsake.writable_columns(change.table_name, ''), keepsake.writable_columns(change.table_name, 'r.'))
      using keepsake.row_to_restore(change, null);
  end if;
end
$$;
comment on function keepsake.undo_change(keepsake.changes) is 'Reverts one change, if the row was not changed since.';
grant execute on function keepsake.undo_change(keepsake.changes) to service_role;

create function keepsake.undo(person uuid, operation uuid, actor text default 'user') returns jsonb
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
comment on function keepsake.undo(uuid, uuid, text) is 'Undoes one operation of a person, as an operation that can be undone in turn.';
grant execute on function keepsake.undo(uuid, uuid, text) to service_role;

-- A client that calls this function may have a statement timeout of a few seconds.
create function keepsake.undo_operation(operation_id uuid) returns jsonb
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
comment on function keepsake.undo_operation(uuid) is 'Undoes an operation of the caller.';
grant execute on function keepsake.undo_operation(uuid) to authenticated;

create function public.undo_operation(operation_id uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.undo_operation(operation_id);
end;
comment on function public.undo_operation(uuid) is 'Undo everything an operation of the last 30 days did to your memories.';
revoke all on function public.undo_operation(uuid) from public, anon, authenticated, service_role;
grant execute on function public.undo_operation(uuid) to authenticated;

-- Undo compares values, not texts. A row as jsonb holds its timestamps with the offset of the session that wrote it, and
-- any client may choose the zone of its session (`Prefer: timezone=…`). The log is kept in UTC, and images are read by
-- their type, so operations of any zone can be undone in any zone. A conflict names the operation and
-- the time of what stands in the way.

create function keepsake.retype_image(table_name text, image jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  retyped jsonb;
begin
  execute format('select jsonb_object_agg(f.key, f.value)
    from jsonb_each(to_jsonb(jsonb_populate_record(null::public.%I, $1))) as f (key, value) where $1 ? f.key', table_name)
    into retyped using image;
  return retyped;
end
$$;
comment on function keepsake.retype_image(text, jsonb) is 'The image of a row, each value read by the type of its column and written in the time zone of this session.';
grant execute on function keepsake.retype_image(text, jsonb) to service_role;

create function keepsake.describe_operation(operation uuid, at timestamptz) returns text
language sql immutable parallel safe set search_path = '' as $$
  select format('operation %s at %s UTC', operation, to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'))
$$;
comment on function keepsake.describe_operation(uuid, timestamptz) is 'An operation and its time, as a refusal to undo names them.';
grant execute on function keepsake.describe_operation(uuid, timestamptz) to service_role;

create function keepsake.describe_newer_memory(change keepsake.changes) returns text
language sql stable set search_path = '' as $$
  select 'It was written by ' || keepsake.describe_operation(c.operation_id, c.created_at) || '.'
  from public.user_memory as m
  join keepsake.changes as c on c.user_id = m.user_id and c.table_name = 'user_memory' and c.row_id = m.id
  where change.table_name = 'user_memory' and m.user_id = change.user_id and m.status = 'active'
    and m.profile_id = (change.before ->> 'profile_id')::uuid and m.memory_key = change.before ->> 'memory_key'
    and m.persona_id::text is not distinct from change.before ->> 'persona_id' and m.id <> change.row_id
  order by c.seq desc limit 1
$$;
comment on function keepsake.describe_newer_memory(keepsake.changes) is 'What wrote the active memory that has the key of the one an undo would bring back; null where none has.';
grant execute on function keepsake.describe_newer_memory(keepsake.changes) to service_role;

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
grant execute on function keepsake.next_run(uuid, uuid, bigint, integer) to service_role;

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
grant execute on function keepsake.undo_step(uuid, uuid, bigint, integer) to service_role;

-- The audit log as its person sees it: one operation a row, with the id for undo.

create function keepsake.memory_operations(max_results integer, memory_id uuid)
returns table (operation_id uuid, happened_at timestamptz, actor text, reasons text[], undone_at timestamptz, memories jsonb)
language sql stable security definer set search_path = '' as $$
  with newest as materialized (
    select c.operation_id, max(c.seq) as seq, case when memory_operations.memory_id is not null then (
      select e.source_message_id from keepsake.extractions as e
      where e.user_id = (select auth.uid()) and e.operation_id = c.operation_id
      union all
      select k.message_id from keepsake.commands as k
      where k.user_id = (select auth.uid()) and k.operation_id = c.operation_id
      union all
      select t.id from keepsake_chats.messages as t  -- of a doubt that a summary brought up
      where t.user_id = (select auth.uid()) and t.id = substring(max(c.reason) from '^M-\d+ may no longer hold .*message ([0-9a-f-]{36})$')::uuid
      limit 1
    ) end as message_id
    from keepsake.changes as c
    where c.user_id = (select auth.uid()) and c.created_at >= now() - interval '30 days'
      and (memory_operations.memory_id is null or (c.table_name = 'user_memory' and c.row_id = memory_operations.memory_id))
    group by c.operation_id
    order by max(c.seq) desc
    limit least(greatest(coalesce(max_results, 50), 1), 200)
  )
  select c.operation_id, min(c.created_at), min(c.actor),
    array_remove(array_agg(distinct c.reason), null), max(c.undone_at),
    coalesce(jsonb_agg(jsonb_build_object(
      'memory_id', c.row_id,
      'ref', 'M-' || coalesce(c.after ->> 'memory_no', c.before ->> 'memory_no'),
      'action', c.action, 'why', c.why, 'message_id', n.message_id,
      'is_doubted', c.before ->> 'doubted_at' is null and c.after ->> 'doubted_at' is not null,
      'text_before', c.before ->> 'memory_text', 'text_after', c.after ->> 'memory_text',
      'status_before', c.before ->> 'status', 'status_after', c.after ->> 'status'
    ) order by c.seq) filter (where c.table_name = 'user_memory' and c.place <= 50), '[]')
  from newest as n
  cross join lateral (
    select o.*, row_number() over (
      partition by o.table_name order by o.row_id is not distinct from memory_operations.memory_id desc, o.seq
    ) as place
    from keepsake.changes as o
    where o.operation_id = n.operation_id and o.user_id = (select auth.uid())
  ) as c
  group by c.operation_id, n.seq, n.message_id
  order by n.seq desc
$$;
comment on function keepsake.memory_operations(integer, uuid) is 'What was done to the caller''s memories in the last 30 days, newest first; of an operation at most 50 changes.';
grant execute on function keepsake.memory_operations(integer, uuid) to authenticated;

create function public.memory_operations(max_results integer default 50, memory_id uuid default null)
returns table (operation_id uuid, happened_at timestamptz, actor text, reasons text[], undone_at timestamptz, memories jsonb)
language sql stable security invoker set search_path = ''
begin atomic
  select o.operation_id, o.happened_at, o.actor, o.reasons, o.undone_at, o.memories
  from keepsake.memory_operations(max_results, memory_id) as o;
end;
comment on function public.memory_operations(integer, uuid) is 'What was done to your memories in the last 30 days, newest first; undo_operation takes the id of one back. Of an operation at most 50 changes are listed.';
revoke all on function public.memory_operations(integer, uuid) from public, anon, authenticated, service_role;
grant execute on function public.memory_operations(integer, uuid) to authenticated;
