-- The summary of a conversation: who wrote it, what it rests on and the version before; and the conversations that wait
-- for theirs.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

alter table public.conversation_summaries
  add column if not exists rolling_summary text,
  add column if not exists source_ids uuid[] not null default '{}',
  add column if not exists generator text,
  add column if not exists prompt_version text,
  add column if not exists version integer not null default 1,
  add column if not exists previous jsonb;

do $$
begin
  if pg_catalog.obj_description('public.conversation_summaries'::regclass)
    is distinct from 'The rolling summary of a chat, remade every few turns.' then
    return;  -- the host's own table keeps its own comments and statistics
  end if;
  comment on column public.conversation_summaries.rolling_summary is 'The summary in at most 600 characters.';
  comment on column public.conversation_summaries.source_ids is 'The messages that this version was written from.';
  comment on column public.conversation_summaries.generator is 'rules or llm; null where the host wrote the row, which is then left to it.';
  comment on column public.conversation_summaries.previous is 'The version before.';
  perform keepsake.disable_statistics('public.conversation_summaries'::regclass, c.name)
  from unnest(array['rolling_summary', 'generator', 'prompt_version', 'previous']) as c (name);
  perform keepsake.disable_owner_statistics('public.conversation_summaries'::regclass);
end
$$;

create table keepsake.due_conversations (
  conversation_id uuid primary key references public.conversations (id) on delete cascade,
  due_at timestamptz not null,
  model_failures integer not null default 0,
  bad_replies integer not null default 0,
  waiting_since timestamptz
);
create index due_conversations_due on keepsake.due_conversations (due_at);
comment on table keepsake.due_conversations is 'The conversations whose summary is to be written, or written again.';
comment on column keepsake.due_conversations.waiting_since is 'Since when it waits for the model; model_failures and bad_replies are its failed calls since then.';
revoke all on keepsake.due_conversations from public, anon, authenticated;
grant select, insert, update, delete on keepsake.due_conversations to service_role;

-- A forgotten, restored or erased memory appends its conversations, and if it was repeated those with a message that
-- repeated it: of its conversation nobody is waited for. `run-due-jobs` removes their summaries and has them written again.
create table keepsake.conversation_marks (
  id bigint generated always as identity primary key,
  conversation_id uuid not null references public.conversations (id) on delete cascade
);
create index conversation_marks_conversation on keepsake.conversation_marks (conversation_id);
comment on table keepsake.conversation_marks is 'Conversations of memories that were forgotten, restored or erased: nobody reads their summary until it is written again.';
revoke all on keepsake.conversation_marks from public, anon, authenticated;
grant select, insert, update, delete on keepsake.conversation_marks to service_role;

create function keepsake.mark_conversations_of_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into keepsake.conversation_marks (conversation_id)
  select c.id from public.conversations as c
  where c.id = old.conversation_id or (old.reference_count > 0 and c.id in (
    select e.conversation_id from keepsake.extractions as e
    where e.user_id = old.user_id and e.results @> jsonb_build_array(jsonb_build_object('memory_id', old.id::text))
  ));
  return null;
end
$$;
comment on function keepsake.mark_conversations_of_changed() is 'A forgotten, restored or erased memory has the summaries of its conversations written again.';
revoke all on function keepsake.mark_conversations_of_changed() from public, anon, authenticated;
create trigger keepsake_60_mark_conversations after update on public.user_memory
  for each row when ((old.status = 'deleted') is distinct from (new.status = 'deleted'))
  execute function keepsake.mark_conversations_of_changed();
create trigger keepsake_60_mark_conversations_of_deleted after delete on public.user_memory
  for each row execute function keepsake.mark_conversations_of_changed();
