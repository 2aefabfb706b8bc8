-- Undo compares values, not texts. A row as jsonb holds its timestamps with the offset of the session that wrote it, and
-- any client may choose the zone of its session (`Prefer: timezone=…`). The log is kept in UTC from here on; images from
-- before are read by their type, so operations of any zone can be undone in any zone. A conflict names the operation and
-- the time of what stands in the way.

alter function keepsake.log_change() set timezone = 'UTC';

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
revoke all on function keepsake.retype_image(text, jsonb) from public, anon, authenticated;
grant execute on function keepsake.retype_image(text, jsonb) to service_role;

create function keepsake.describe_operation(operation uuid, at timestamptz) returns text
language sql immutable parallel safe set search_path = '' as $$
  select format('operation %s at %s UTC', operation, to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'))
$$;
comment on function keepsake.describe_operation(uuid, timestamptz) is 'An operation and its time, as a refusal to undo names them.';
revoke all on function keepsake.describe_operation(uuid, timestamptz) from public, anon, authenticated;
grant execute on function keepsake.describe_operation(uuid, timestamptz) to service_role;

create or replace function keepsake.undo_change(change keepsake.changes) returns void
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
revoke all on function keepsake.describe_newer_memory(keepsake.changes) from public, anon, authenticated;
grant execute on function keepsake.describe_newer_memory(keepsake.changes) to service_role;

create or replace function keepsake.undo(person uuid, operation uuid, actor text default 'user') returns jsonb
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
    raise exception using errcode = 'PT409', message = 'This operation has been undone already.',
      detail = 'Undone: ' || keepsake.describe_operation(operation, change.undone_at) || '.';
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
      detail = coalesce(keepsake.describe_newer_memory(change), ''), hint = 'Forget the newer memory first.';
  when foreign_key_violation then
    raise exception using errcode = 'PT409', message = 'What the operation belonged to is gone.';
end
$$;
