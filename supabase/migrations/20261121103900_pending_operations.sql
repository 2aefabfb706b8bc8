-- Pending operations: an agent's request to forget memories of the person waits in keepsake.commands until the person
-- accepts or rejects it, for 24 hours at most.

create function keepsake.resolve_pending_operation(person uuid, request uuid, accepted boolean, answered_at timestamptz) returns jsonb
language plpgsql set search_path = '' as $$
declare
  pending keepsake.commands;
  ids uuid[];
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
  perform from public.user_memory as m
  where m.user_id = person and m.id = any(ids) order by m.id for no key update;
  operation := keepsake.begin_operation('user', 'an agent asked for it, and the person agreed');
  if accepted and pending.kind = 'agent_forget' then
    update public.user_memory as m set status = 'deleted', deleted_at = answered_at, updated_at = answered_at
    where m.user_id = person and m.id = any(ids) and m.status = 'active';
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
comment on function keepsake.resolve_pending_operation(uuid, uuid, boolean, timestamptz) is 'Runs or cancels a request of an agent to forget memories of the person.';
revoke all on function keepsake.resolve_pending_operation(uuid, uuid, boolean, timestamptz) from public, anon, authenticated;
grant execute on function keepsake.resolve_pending_operation(uuid, uuid, boolean, timestamptz) to service_role;

create function keepsake.answer_pending_operation(operation_id uuid, accept boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if answer_pending_operation.accept is null then
    raise exception using errcode = 'PT400', message = 'Say whether you accept: true or false.';
  end if;
  return keepsake.resolve_pending_operation((select auth.uid()), answer_pending_operation.operation_id,
    answer_pending_operation.accept, now());
end
$$;
comment on function keepsake.answer_pending_operation(uuid, boolean) is 'The caller''s answer to a request of an agent.';
revoke all on function keepsake.answer_pending_operation(uuid, boolean) from public, anon, authenticated;
grant execute on function keepsake.answer_pending_operation(uuid, boolean) to authenticated;

create function public.answer_pending_operation(operation_id uuid, accept boolean) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.answer_pending_operation(operation_id, accept);
end;
comment on function public.answer_pending_operation(uuid, boolean) is 'Answer what an agent asks to have forgotten of your memories: true carries it out, false cancels it. It can be undone for 30 days.';
revoke all on function public.answer_pending_operation(uuid, boolean) from public, anon, authenticated, service_role;
grant execute on function public.answer_pending_operation(uuid, boolean) to authenticated;

create function keepsake.pending_operations()
returns table (operation_id uuid, operation text, asked_at timestamptz, expires_at timestamptz, memories jsonb)
language sql stable security definer set search_path = '' as $$
  select c.id, case c.kind when 'agent_forget' then 'forget' else 'deactivate_fact' end, c.created_at,
    c.created_at + interval '24 hours',
    jsonb_agg(jsonb_build_object('memory_id', m.id, 'ref', 'M-' || m.memory_no, 'text', m.memory_text) order by m.memory_no)
  from keepsake.commands as c
  join public.user_memory as m
    on m.user_id = c.user_id and m.status = 'active' and c.outcome -> 'memory_ids' ? m.id::text
  where c.user_id = (select auth.uid()) and c.kind in ('agent_forget', 'agent_deactivate') and c.status = 'pending'
    and c.created_at > now() - interval '24 hours'
  group by c.id
  order by c.created_at
$$;
comment on function keepsake.pending_operations() is 'The unanswered requests of agents to forget memories of the caller, oldest first.';
revoke all on function keepsake.pending_operations() from public, anon, authenticated;
grant execute on function keepsake.pending_operations() to authenticated;

create function public.pending_operations()
returns table (operation_id uuid, operation text, asked_at timestamptz, expires_at timestamptz, memories jsonb)
language sql stable security invoker set search_path = ''
begin atomic
  select p.operation_id, p.operation, p.asked_at, p.expires_at, p.memories from keepsake.pending_operations() as p;
end;
comment on function public.pending_operations() is 'What agents ask to have forgotten of your memories and you have not answered, oldest first; answer_pending_operation takes the id.';
revoke all on function public.pending_operations() from public, anon, authenticated, service_role;
grant execute on function public.pending_operations() to authenticated;
