-- What an agent asks to have forgotten of what is the person's own: nothing happens until the person answers.

alter table keepsake.commands alter column conversation_id drop not null;
alter table keepsake.commands drop constraint commands_kind;
alter table keepsake.commands add constraint commands_kind check (kind in ('recall_all', 'recall_subject', 'forget_last',
  'forget_subject', 'forget_all', 'do_not_remember', 'remember', 'undo_last', 'accept_request', 'reject_request',
  'agent_forget', 'agent_deactivate'));
alter table keepsake.commands add constraint commands_somewhere check (conversation_id is not null
  or kind in ('agent_forget', 'agent_deactivate'));
create index commands_requests on keepsake.commands (user_id, created_at)
  where kind in ('agent_forget', 'agent_deactivate');
comment on table keepsake.commands is 'The chat commands that were carried out, with their outcome: once a message, whoever comes first; and what an agent asks for that only the person may answer.';
comment on column keepsake.commands.conversation_id is 'Where it was said; for what an agent asks, where a context has shown the question, if one has.';
comment on column keepsake.commands.told is 'Whether a context has said the outcome, or the question.';

create function keepsake.settle_request(person uuid, request uuid, accepted boolean, answered_at timestamptz) returns jsonb
language plpgsql set search_path = '' as $$
declare
  asked keepsake.commands;
  ids uuid[];
  operation uuid;
  touched bigint := 0;
begin
  -- No erasure meanwhile, then the merges, then the rows: the order everybody takes them in.
  perform pg_advisory_xact_lock_shared(hashtextextended('keepsake.erase:' || person::text, 0));
  ids := array(
    select g.id::uuid from keepsake.commands as c
    cross join lateral jsonb_array_elements_text(c.outcome -> 'memory_ids') as g (id)
    where c.id = settle_request.request and c.user_id = person and c.kind in ('agent_forget', 'agent_deactivate')
  );
  perform keepsake.hold_merges(person, array(
    select distinct m.profile_id::text from public.user_memory as m
    where m.user_id = person and m.id = any(ids) and m.profile_id is not null
  ));
  select c.* into asked from keepsake.commands as c
  where c.id = settle_request.request and c.user_id = person and c.kind in ('agent_forget', 'agent_deactivate')
  for update;
  if not found then
    raise exception using errcode = 'PT404', message = 'There is no such pending operation, or it is not yours.';
  elsif asked.status <> 'pending' then
    raise exception using errcode = 'PT409', message = 'This operation has been answered already.';
  elsif asked.created_at <= answered_at - interval '24 hours' then
    raise exception using errcode = 'PT410', message = 'This operation was asked for more than 24 hours ago, and has expired.';
  end if;
  perform from public.user_memory as m
  where m.user_id = person and m.id = any(ids) order by m.id for no key update;
  operation := keepsake.start_operation('user', 'an agent asked for it, and the person agreed');
  if accepted and asked.kind = 'agent_forget' then
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
  where c.id = asked.id and c.user_id = person;
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.settle_request(uuid, uuid, boolean, timestamptz) is 'Carries out, or cancels, what an agent asked for of a person''s own memories.';
revoke all on function keepsake.settle_request(uuid, uuid, boolean, timestamptz) from public, anon, authenticated;
grant execute on function keepsake.settle_request(uuid, uuid, boolean, timestamptz) to service_role;

create function keepsake.answer_pending_operation(operation_id uuid, accept boolean) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if answer_pending_operation.accept is null then
    raise exception using errcode = 'PT400', message = 'Say whether you accept: true or false.';
  end if;
  return keepsake.settle_request((select auth.uid()), answer_pending_operation.operation_id,
    answer_pending_operation.accept, now());
end
$$;
comment on function keepsake.answer_pending_operation(uuid, boolean) is 'Answers what an agent asked for of the caller''s memories.';
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
comment on function keepsake.pending_operations() is 'What agents ask to have forgotten of the caller''s memories, oldest first.';
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
