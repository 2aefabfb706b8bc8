-- The record of chat commands, one a message: (user_id, message_id) is the idempotency key. Ids and counts, no text.

create table keepsake.commands (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  conversation_id uuid,
  message_id uuid,
  text_hash bytea not null,
  kind text not null constraint commands_kind check (kind in ('recall_all', 'recall_subject', 'forget_last',
    'forget_subject', 'forget_all', 'do_not_remember', 'remember', 'undo_last', 'accept_request', 'reject_request',
    'agent_forget', 'agent_deactivate', 'model_forget', 'pause', 'resume')),
  status text not null,
  outcome jsonb not null default '{}' constraint commands_outcome check (jsonb_typeof(outcome) = 'object'),
  operation_id uuid,
  shown_in_context boolean not null default false,
  said_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (user_id, id),
  constraint commands_somewhere check (conversation_id is not null or kind in ('agent_forget', 'agent_deactivate')),
  constraint commands_once unique (user_id, message_id),
  constraint commands_conversation foreign key (user_id, conversation_id)
    references keepsake_chats.conversations_participants (user_id, conversation_id) on delete cascade,
  constraint commands_message foreign key (user_id, message_id) references keepsake_chats.messages (user_id, id) on delete cascade
);
create index commands_newest on keepsake.commands (user_id, conversation_id, said_at desc);
create index commands_created on keepsake.commands (created_at);
create index commands_requests on keepsake.commands (user_id, created_at)
  where kind in ('agent_forget', 'agent_deactivate');
comment on table keepsake.commands is 'The chat commands that were run, with their outcome (a message is run once), what a model read as a request to forget, and the requests of agents that only the person may answer.';
comment on column keepsake.commands.conversation_id is 'The conversation of the message; for a request of an agent the one whose context showed it, if any.';
comment on column keepsake.commands.message_id is 'Null until the message is saved; then the message with the same text hash takes over the row.';
comment on column keepsake.commands.text_hash is 'Identifies a message that was not yet saved when its command was run.';
comment on column keepsake.commands.outcome is 'Ids and counts: what was forgotten, remembered or restored.';
comment on column keepsake.commands.shown_in_context is 'Whether a context contained the outcome, or the request.';
comment on column keepsake.commands.said_at is 'When the message was written; it refers to what was said before.';

alter table keepsake.commands
  alter column text_hash set statistics 0, alter column outcome set statistics 0;

grant select, insert, update, delete on keepsake.commands to service_role;

-- Pending operations: an agent's request to forget memories of the person waits in keepsake.commands until the person
-- accepts or rejects it, for 24 hours at most. What it asks for may be past: superseded, archived or expired. A fold that
-- contains such a memory is opened, so that its text does not tell it on.

create function keepsake.resolve_pending_operation(person uuid, request uuid, accepted boolean, answered_at timestamptz) returns jsonb
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
comment on function keepsake.resolve_pending_operation(uuid, uuid, boolean, timestamptz) is 'Runs or cancels a request of an agent to forget memories of the person.';
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
    on m.user_id = c.user_id and c.outcome -> 'memory_ids' ? m.id::text
    and (m.status = 'active' or (c.kind = 'agent_forget' and m.status <> 'deleted'))
  where c.user_id = (select auth.uid()) and c.kind in ('agent_forget', 'agent_deactivate') and c.status = 'pending'
    and c.created_at > now() - interval '24 hours'
  group by c.user_id, c.id
  order by c.created_at
$$;
comment on function keepsake.pending_operations() is 'The unanswered requests of agents to forget memories of the caller, oldest first.';
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
