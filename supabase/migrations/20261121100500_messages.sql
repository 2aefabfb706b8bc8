-- The host's messages and the rolling summaries of its conversations: created when missing, otherwise completed.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

do $$
begin
  if to_regclass('public.messages') is not null then
    alter table public.messages
      add column if not exists meta jsonb default '{}',
      add column if not exists turn_index integer;
    return;
  end if;

  create table public.messages (
    id uuid primary key default gen_random_uuid(),
    conversation_id uuid not null references public.conversations (id) on delete cascade,
    user_id uuid default auth.uid() references auth.users (id) on delete cascade,
    role text not null constraint messages_role check (role in ('user', 'assistant', 'system', 'tool')),
    content text not null,
    meta jsonb not null default '{}',
    turn_index integer,
    created_at timestamptz not null default now()
  );
  comment on table public.messages is 'What was said in a chat.';
  comment on column public.messages.user_id is 'The author; null for the assistant.';
  comment on column public.messages.meta is 'memory_ids and injection_id: which memories the answer was given.';

  alter table public.messages enable row level security;
  alter table public.messages force row level security;
  revoke all on public.messages from public, anon, authenticated, service_role;
  grant select, insert, update, delete on public.messages to service_role;
  grant select on public.messages to authenticated;
  grant insert (id, conversation_id, user_id, role, content) on public.messages to authenticated;

  create policy "Participants read the messages of their conversations" on public.messages
    for select to authenticated using (conversation_id = any (array(select keepsake.conversations_of_caller())));
  create policy "Participants write messages of their own" on public.messages
    for insert to authenticated with check (
      (select auth.uid()) = user_id and role = 'user'
      and conversation_id = any (array(select keepsake.conversations_of_caller()))
    );
end
$$;

do $$
begin
  if not keepsake.has_unique_key('public.messages', array['user_id', 'id']) then
    create unique index messages_author on public.messages (user_id, id);
    comment on index public.messages_author is 'The target of foreign keys that carry the author with the message.';
  end if;
  if not keepsake.has_unique_key('public.messages', array['conversation_id', 'id']) then
    create unique index messages_place on public.messages (conversation_id, id);
    comment on index public.messages_place is 'The target of foreign keys that carry the conversation with the message.';
  end if;
end
$$;
create index if not exists messages_conversation_created on public.messages (conversation_id, created_at);
create index if not exists messages_created on public.messages (created_at) where role = 'user';

do $$
begin
  if to_regclass('public.conversation_summaries') is not null then
    alter table public.conversation_summaries
      add column if not exists summary text,
      add column if not exists messages_covered integer,
      add column if not exists through_message_id uuid,
      add column if not exists updated_at timestamptz default now();
    return;
  end if;

  create table public.conversation_summaries (
    conversation_id uuid primary key references public.conversations (id) on delete cascade,
    summary text not null,
    messages_covered integer not null default 0,
    through_message_id uuid,
    updated_at timestamptz not null default now(),
    constraint conversation_summaries_through foreign key (conversation_id, through_message_id)
      references public.messages (conversation_id, id) on delete set null (through_message_id)
  );
  create index conversation_summaries_through on public.conversation_summaries (conversation_id, through_message_id);
  comment on table public.conversation_summaries is 'The rolling summary of a chat, remade every few turns.';

  alter table public.conversation_summaries enable row level security;
  alter table public.conversation_summaries force row level security;
  revoke all on public.conversation_summaries from public, anon, authenticated, service_role;
  grant select, insert, update, delete on public.conversation_summaries to service_role;
  grant select on public.conversation_summaries to authenticated;
  create policy "Participants read the summaries of their conversations" on public.conversation_summaries
    for select to authenticated using (conversation_id = any (array(select keepsake.conversations_of_caller())));
end
$$;
