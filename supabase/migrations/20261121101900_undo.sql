-- Undo: restores every row an operation changed, last change first, all or nothing. It takes its locks in the lock
-- order (merge locks, then rows by id), so that it cannot deadlock with an erasure or a merge.

create function keepsake.writable_columns(name text, prefix text) returns text
language sql stable set search_path = '' as $$
  select string_agg(prefix || quote_ident(a.attname), ', ' order by a.attnum)
  from pg_catalog.pg_attribute as a
  where a.attrelid = format('public.%I', name)::regclass
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
$$;
comment on function keepsake.writable_columns(text, text) is 'The columns of a public table that can be written, as a list for a statement.';
revoke all on function keepsake.writable_columns(text, text) from public, anon, authenticated;
grant execute on function keepsake.writable_columns(text, text) to service_role;

create function keepsake.row_to_restore(change keepsake.changes, present jsonb) returns jsonb
language plpgsql stable set search_path = '' as $$
declare
  image jsonb := change.before;
  counted text;
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
  -- A reference whose target was deleted since becomes null.
  if not exists (select from public.conversations_participants as p
    where p.conversation_id = (image ->> 'conversation_id')::uuid and p.user_id = change.user_id) then
    image := image || '{"conversation_id": null}';
  end if;
  if not exists (select from public.messages as m
    where m.id = (image ->> 'source_message_id')::uuid and m.user_id = change.user_id) then
    image := image || '{"source_message_id": null}';
  end if;
  if not exists (select from public.user_memory as m
    where m.id = (image ->> 'supersedes_id')::uuid and m.user_id = change.user_id) then
    image := image || '{"supersedes_id": null}';
  end if;
  return image;
end
$$;
comment on function keepsake.row_to_restore(keepsake.changes, jsonb) is 'The row that undo writes: the image before, with the uses counted since, and without references to deleted rows.';
revoke all on function keepsake.row_to_restore(keepsake.changes, jsonb) from public, anon, authenticated;
grant execute on function keepsake.row_to_restore(keepsake.changes, jsonb) to service_role;

create function keepsake.undo_change(change keepsake.changes) returns void
language plpgsql set search_path = '' as $$
declare
  present jsonb;
  later record;
begin
  execute format('select to_jsonb(t) from public.%I as t where t.id = $1 and t.user_id = $2 for update', change.table_name)
    into present using change.row_id, change.user_id;
  if (present is null) <> (change.after is null) or not keepsake.differs_only_in_usage(change.after, present) then
    select c.operation_id, c.created_at into later from keepsake.changes as c
    where c.user_id = change.user_id and c.table_name = change.table_name and c.row_id = change.row_id
      and c.operation_id <> change.operation_id and c.seq > change.seq
    order by c.seq desc limit 1;
    raise exception using errcode = 'PT409', message = 'A later change to the same memory stands in the way.',
      detail = format('Row %s of %s was changed again%s.', change.row_id, change.table_name,
        format(' at %s by operation %s', later.created_at, later.operation_id)),
      hint = 'Undo the later operation first.';
  end if;

  if change.action = 'insert' then
    execute format('delete from public.%I as t where t.id = $1 and t.user_id = $2', change.table_name)
      using change.row_id, change.user_id;
  elsif change.action = 'update' then
    execute format('update public.%1$I as t set (%2$s) = (select %3$s from jsonb_populate_record(null::public.%1$I, $1) as r)
      where t.id = $2 and t.user_id = $3', change.table_name, keepsake.writable_columns(change.table_name, ''),
      keepsake.writable_columns(change.table_name, 'r.'))
      using keepsake.row_to_restore(change, present), change.row_id, change.user_id;
  else
    execute format('insert into public.%1$I (%2$s) select %3$s from jsonb_populate_record(null::public.%1$I, $1) as r',
      change.table_name, keepsake.writable_columns(change.table_name, ''), keepsake.writable_columns(change.table_name, 'r.'))
      using keepsake.row_to_restore(change, null);
  end if;
end
$$;
comment on function keepsake.undo_change(keepsake.changes) is 'Reverts one change, if the row was not changed since.';
revoke all on function keepsake.undo_change(keepsake.changes) from public, anon, authenticated;
grant execute on function keepsake.undo_change(keepsake.changes) to service_role;

create function keepsake.undo(person uuid, operation uuid, actor text default 'user') returns jsonb
language plpgsql set search_path = '' as $$
declare
  change keepsake.changes;
  undo_id uuid;
  changed_table text;
  touched integer := 0;
begin
  select c.* into change from keepsake.changes as c
  where c.operation_id = undo.operation and c.user_id = person order by c.seq limit 1 for update;
  if not found then
    raise exception using errcode = 'PT404', message = 'There is no such operation, or it is not yours.';
  elsif change.undone_at is not null then
    raise exception using errcode = 'PT409', message = 'This operation has been undone already.';
  elsif change.created_at < now() - interval '30 days' then
    raise exception using errcode = 'PT410', message = 'This operation is older than 30 days and can no longer be undone.';
  end if;

  -- First the merge locks, as extraction takes them; then the rows by id. Locking them in the order of the changes
  -- could deadlock with an injection that counts their use.
  perform keepsake.lock_merges(person, (
    select array_agg(coalesce(c.after, c.before) ->> 'profile_id') from keepsake.changes as c
    where c.operation_id = undo.operation and c.user_id = person
  ));
  for changed_table in
    select distinct c.table_name from keepsake.changes as c
    where c.operation_id = undo.operation and c.user_id = person order by 1
  loop
    execute format('select from public.%I as t where t.user_id = $1 and t.id in (select c.row_id from keepsake.changes as c
      where c.operation_id = $2 and c.user_id = $1 and c.table_name = $3) order by t.id for update', changed_table)
      using person, undo.operation, changed_table;
  end loop;
  undo_id := keepsake.begin_operation(actor, 'undo of ' || operation);
  perform set_config('keepsake.raw_write', 'on', true);
  for change in
    select c.* from keepsake.changes as c
    where c.operation_id = undo.operation and c.user_id = person order by c.seq desc for update
  loop
    perform keepsake.undo_change(change);
    touched := touched + 1;
  end loop;
  perform set_config('keepsake.raw_write', '', true);
  update keepsake.changes as c set undone_at = now() where c.operation_id = undo.operation and c.user_id = person;
  return keepsake.end_operation(undo_id, touched) || jsonb_build_object('undone', operation);
exception
  when unique_violation then
    raise exception using errcode = 'PT409', message = 'Something newer has taken the place of what would come back.',
      hint = 'Forget the newer memory first.';
  when foreign_key_violation then
    raise exception using errcode = 'PT409', message = 'What the operation belonged to is gone.';
end
$$;
comment on function keepsake.undo(uuid, uuid, text) is 'Undoes one operation of a person, as an operation that can be undone in turn.';
revoke all on function keepsake.undo(uuid, uuid, text) from public, anon, authenticated;
grant execute on function keepsake.undo(uuid, uuid, text) to service_role;

create function keepsake.undo_operation(operation_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  perform keepsake.lock_merges((select auth.uid()), array(
    select distinct coalesce(c.after, c.before) ->> 'profile_id' from keepsake.changes as c
    where c.operation_id = undo_operation.operation_id and c.user_id = (select auth.uid())
      and coalesce(c.after, c.before) ->> 'profile_id' is not null
  ));
  return keepsake.undo((select auth.uid()), undo_operation.operation_id);
end
$$;
comment on function keepsake.undo_operation(uuid) is 'Undoes an operation of the caller.';
revoke all on function keepsake.undo_operation(uuid) from public, anon, authenticated;
grant execute on function keepsake.undo_operation(uuid) to authenticated;

create function public.undo_operation(operation_id uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.undo_operation(operation_id);
end;
comment on function public.undo_operation(uuid) is 'Undo everything an operation of the last 30 days did to your memories.';
revoke all on function public.undo_operation(uuid) from public, anon, authenticated, service_role;
grant execute on function public.undo_operation(uuid) to authenticated;
