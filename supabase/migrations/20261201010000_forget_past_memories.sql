-- What an agent asks to forget may be past: superseded, archived or expired. The person sees it in the question, and an
-- accepted request forgets it. A fold that contains such a memory is opened, so that its text does not tell it on.

create or replace function keepsake.resolve_pending_operation(person uuid, request uuid, accepted boolean, answered_at timestamptz) returns jsonb
language plpgsql set search_path = '' as $$
declare
  pending keepsake.commands;
  ids uuid[];
  folds uuid[];
  operation uuid;
  touched bigint := 0;
begin
  -- The lock order: the shared erasure lock, the merge locks, the request, the memories by id.
  perform pg_advisory_xact_lock_shared(hashtextextended('keepsake.erase:' || person::text, 0));
  ids := array(
    select g.id::uuid from keepsake.commands as c
    cross join lateral jsonb_array_elements_text(c.outcome -> 'memory_ids') as g (id)
    where c.id = resolve_pending_operation.request and c.user_id = person and c.kind in ('agent_forget', 'agent_deactivate')
  );
  perform keepsake.lock_merges(person, array(
    select distinct m.profile_id::text from public.user_memory as m
    where m.user_id = person and m.id = any(ids) and m.profile_id is not null
  ));
  select c.* into pending from keepsake.commands as c
  where c.id = resolve_pending_operation.request and c.user_id = person and c.kind in ('agent_forget', 'agent_deactivate')
  for update;
  if not found then
    raise exception using errcode = 'PT404', message = 'There is no such pending operation, or it is not yours.';
  elsif pending.status <> 'pending' then
    raise exception using errcode = 'PT409', message = 'This operation has been answered already.';
  elsif pending.created_at <= answered_at - interval '24 hours' then
    raise exception using errcode = 'PT410', message = 'This operation was asked for more than 24 hours ago, and has expired.';
  end if;
  folds := array(
    select distinct m.folded_into from public.user_memory as m
    where m.user_id = person and m.id = any(ids) and m.folded_into is not null and pending.kind = 'agent_forget'
  );
  perform from public.user_memory as m
  where m.user_id = person and (m.id = any(ids || folds) or m.folded_into = any(folds)) order by m.id for no key update;
  operation := keepsake.begin_operation('user', 'an agent asked for it, and the person agreed');
  if accepted and pending.kind = 'agent_forget' then
    perform keepsake.open_folds(person, folds);
    update public.user_memory as m set status = 'deleted', deleted_at = answered_at, updated_at = answered_at
    where m.user_id = person and m.id = any(ids) and m.status <> 'deleted';
    get diagnostics touched = row_count;
  elsif accepted then
    update public.user_memory as m set status = 'archived', archived_at = answered_at, updated_at = answered_at
    where m.user_id = person and m.id = any(ids) and m.status = 'active';
    get diagnostics touched = row_count;
  end if;
  update keepsake.commands as c
  set status = case when accepted then 'done' else 'canceled' end, operation_id = case when touched > 0 then operation end
  where c.id = pending.id and c.user_id = person;
  return keepsake.end_operation(operation, touched);
end
$$;

create or replace function keepsake.pending_operations()
returns table (operation_id uuid, operation text, asked_at timestamptz, expires_at timestamptz, memories jsonb)
language sql stable security definer set search_path = '' as $$
  select c.id, case c.kind when 'agent_forget' then 'forget' else 'deactivate_fact' end, c.created_at,
    c.created_at + interval '24 hours',
    jsonb_agg(jsonb_build_object('memory_id', m.id, 'ref', 'M-' || m.memory_no, 'text', m.memory_text) order by m.memory_no)
  from keepsake.commands as c
  join public.user_memory as m
    on m.user_id = c.user_id and c.outcome -> 'memory_ids' ? m.id::text
    and (m.status = 'active' or (c.kind = 'agent_forget' and m.status <> 'deleted'))
  where c.user_id = (select auth.uid()) and c.kind in ('agent_forget', 'agent_deactivate') and c.status = 'pending'
    and c.created_at > now() - interval '24 hours'
  group by c.id
  order by c.created_at
$$;
