-- Undo works in steps of bounded size, so that none of its statements grows with the operation: a run of changes of one
-- kind is reverted by one statement, and a client with a statement timeout runs the steps one by one in a transaction.

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
