-- The host's tables: profiles, conversations with their participants, messages, and the summary of a conversation. They are
-- created in keepsake_chats, beside what an application may have; show_chats.sql puts them into `public`. A person writes the
-- columns of profiles, conversations and messages that are granted to authenticated, and deletes profiles, nothing else.

create table keepsake_chats.user_profile_list (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  name text,
  nickname text,
  pronouns text,
  is_primary boolean not null default false,
  timezone text,
  locale text,
  birth_chart jsonb,
  created_at timestamptz not null default now(),
  constraint user_profile_list_name_length check (char_length(name) <= 200),
  constraint user_profile_list_nickname_length check (char_length(nickname) <= 200),
  constraint user_profile_list_pronouns_length check (char_length(pronouns) <= 200),
  constraint user_profile_list_timezone_length check (char_length(timezone) <= 100),
  constraint user_profile_list_locale_length check (char_length(locale) <= 100),
  constraint user_profile_list_birth_chart_length check (octet_length(birth_chart::text) <= 65536)
);
comment on table keepsake_chats.user_profile_list is 'A person''s profiles; memory is made only for the primary one.';
comment on column keepsake_chats.user_profile_list.timezone is 'IANA name, as Europe/Berlin; anything else counts as UTC.';

alter table keepsake_chats.user_profile_list
  alter column name set statistics 0, alter column nickname set statistics 0, alter column pronouns set statistics 0,
  alter column birth_chart set statistics 0;
alter table keepsake_chats.user_profile_list enable row level security, force row level security;
revoke all on keepsake_chats.user_profile_list from public, anon, authenticated, service_role;
grant select, insert, update, delete on keepsake_chats.user_profile_list to service_role;
grant select, delete on keepsake_chats.user_profile_list to authenticated;
grant insert (id, user_id, name, nickname, pronouns, is_primary, timezone, locale, birth_chart)
  on keepsake_chats.user_profile_list to authenticated;
grant update (name, nickname, pronouns, is_primary, timezone, locale, birth_chart)
  on keepsake_chats.user_profile_list to authenticated;

create policy "People see their own profiles" on keepsake_chats.user_profile_list
  for select to authenticated using ((select auth.uid()) = user_id);
create policy "People make profiles of their own" on keepsake_chats.user_profile_list
  for insert to authenticated with check ((select auth.uid()) = user_id);
create policy "People change their own profiles" on keepsake_chats.user_profile_list
  for update to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
create policy "People delete their own profiles" on keepsake_chats.user_profile_list
  for delete to authenticated using ((select auth.uid()) = user_id);

create unique index user_profile_list_owner on keepsake_chats.user_profile_list (user_id, id);
comment on index keepsake_chats.user_profile_list_owner is 'The target of foreign keys that carry the owner with the profile.';
create unique index user_profile_list_primary on keepsake_chats.user_profile_list (user_id) where is_primary;
comment on index keepsake_chats.user_profile_list_primary is 'One primary profile a person.';

create table keepsake_chats.conversations (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
  profile_id uuid,
  mode text not null default 'chat'
    constraint conversations_mode check (mode in ('chat', 'astro', 'profile', 'together', 'swiss')),
  persona_id text,
  memory_enabled boolean,
  title text,
  created_at timestamptz not null default now(),
  constraint conversations_title_length check (char_length(title) <= 1000),
  constraint conversations_persona_length check (char_length(persona_id) <= 200),
  constraint conversations_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete set null (profile_id)
);
create index conversations_user_profile on keepsake_chats.conversations (user_id, profile_id);
comment on table keepsake_chats.conversations is 'Chats; user_id owns one, others may take part in it.';
comment on column keepsake_chats.conversations.profile_id is 'The profile the owner chose for this chat; null means no memory.';
comment on column keepsake_chats.conversations.memory_enabled is 'The owner''s toggle; null means what the mode does by itself.';

alter table keepsake_chats.conversations
  alter column user_id set statistics 0, alter column profile_id set statistics 0,
  alter column title set statistics 0;
alter table keepsake_chats.conversations enable row level security, force row level security;
revoke all on keepsake_chats.conversations from public, anon, authenticated, service_role;
grant select, insert, update, delete on keepsake_chats.conversations to service_role;
grant select on keepsake_chats.conversations to authenticated;
grant insert (id, user_id, mode, persona_id, title) on keepsake_chats.conversations to authenticated;
grant update (title) on keepsake_chats.conversations to authenticated;

create table keepsake_chats.conversations_participants (
  conversation_id uuid not null references keepsake_chats.conversations (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid,
  memory_enabled boolean,
  remember_since timestamptz,
  joined_at timestamptz not null default now(),
  primary key (conversation_id, user_id),
  constraint conversations_participants_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete set null (profile_id)
);
create index conversations_participants_user_profile on keepsake_chats.conversations_participants (user_id, profile_id);
comment on table keepsake_chats.conversations_participants is 'Who takes part in a chat, and what each chose about memory there.';
comment on column keepsake_chats.conversations_participants.remember_since is 'Nothing said before this is ever read for memories of this person.';

alter table keepsake_chats.conversations_participants
  alter column conversation_id set statistics 0, alter column user_id set statistics 0,
  alter column profile_id set statistics 0;
alter table keepsake_chats.conversations_participants enable row level security, force row level security;
revoke all on keepsake_chats.conversations_participants from public, anon, authenticated, service_role;
grant select, insert, update, delete on keepsake_chats.conversations_participants to service_role;
grant select on keepsake_chats.conversations_participants to authenticated;
create policy "People see their own part in conversations" on keepsake_chats.conversations_participants
  for select to authenticated using ((select auth.uid()) = user_id);

create function keepsake.conversations_of_caller() returns setof uuid
language sql stable security definer rows 20 set search_path = '' as $$
  select p.conversation_id from keepsake_chats.conversations_participants as p where p.user_id = (select auth.uid())
$$;
comment on function keepsake.conversations_of_caller() is 'The conversations the caller takes part in. The policies of both tables use it: queried directly, each would invoke the other without end.';
grant execute on function keepsake.conversations_of_caller() to authenticated;

create policy "People see the conversations they take part in" on keepsake_chats.conversations
  for select to authenticated
  using ((select auth.uid()) = user_id or id = any (array(select keepsake.conversations_of_caller())));
create policy "People start conversations of their own" on keepsake_chats.conversations
  for insert to authenticated with check ((select auth.uid()) = user_id);
create policy "Owners rename their conversations" on keepsake_chats.conversations
  for update to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);

create table keepsake_chats.messages (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references keepsake_chats.conversations (id) on delete cascade,
  user_id uuid default auth.uid() references auth.users (id) on delete cascade,
  role text not null constraint messages_role check (role in ('user', 'assistant', 'system', 'tool')),
  content text not null,
  meta jsonb not null default '{}',
  turn_index integer,
  created_at timestamptz not null default now(),
  constraint messages_content_length check (octet_length(content) <= 1048576)
);
comment on table keepsake_chats.messages is 'What was said in a chat.';
comment on column keepsake_chats.messages.user_id is 'The author; null for the assistant.';
comment on column keepsake_chats.messages.meta is 'memory_ids and injection_id: which memories the answer was given.';

alter table keepsake_chats.messages
  alter column conversation_id set statistics 0, alter column user_id set statistics 0,
  alter column content set statistics 0, alter column meta set statistics 0;
alter table keepsake_chats.messages enable row level security, force row level security;
revoke all on keepsake_chats.messages from public, anon, authenticated, service_role;
grant select, insert, update, delete on keepsake_chats.messages to service_role;
grant select on keepsake_chats.messages to authenticated;
grant insert (id, conversation_id, user_id, role, content) on keepsake_chats.messages to authenticated;

create policy "Participants read the messages of their conversations" on keepsake_chats.messages
  for select to authenticated using (conversation_id = any (array(select keepsake.conversations_of_caller())));
create policy "Participants write messages of their own" on keepsake_chats.messages
  for insert to authenticated with check (
    (select auth.uid()) = user_id and role = 'user'
    and conversation_id = any (array(select keepsake.conversations_of_caller()))
  );

create unique index messages_author on keepsake_chats.messages (user_id, id);
comment on index keepsake_chats.messages_author is 'The target of foreign keys that carry the author with the message.';
create unique index messages_place on keepsake_chats.messages (conversation_id, id);
comment on index keepsake_chats.messages_place is 'The target of foreign keys that carry the conversation with the message.';
create index messages_conversation_created on keepsake_chats.messages (conversation_id, created_at);
create index messages_created on keepsake_chats.messages (created_at) where role = 'user';

create table keepsake_chats.conversation_summaries (
  conversation_id uuid primary key references keepsake_chats.conversations (id) on delete cascade,
  summary text not null,
  messages_covered integer not null default 0,
  through_message_id uuid,
  updated_at timestamptz not null default now(),
  rolling_summary text,
  source_ids uuid[] not null default '{}',
  generator text,
  prompt_version text,
  version integer not null default 1,
  previous jsonb,
  constraint conversation_summaries_through foreign key (conversation_id, through_message_id)
    references keepsake_chats.messages (conversation_id, id) on delete set null (through_message_id)
);
create index conversation_summaries_through on keepsake_chats.conversation_summaries (conversation_id, through_message_id);
comment on table keepsake_chats.conversation_summaries is 'The rolling summary of a chat, remade every few turns.';
comment on column keepsake_chats.conversation_summaries.rolling_summary is 'The summary in at most 600 characters.';
comment on column keepsake_chats.conversation_summaries.source_ids is 'The messages that this version was written from.';
comment on column keepsake_chats.conversation_summaries.generator is 'rules or llm; null where the host wrote the row, which is then left to it.';
comment on column keepsake_chats.conversation_summaries.previous is 'The version before.';

alter table keepsake_chats.conversation_summaries
  alter column summary set statistics 0, alter column through_message_id set statistics 0,
  alter column rolling_summary set statistics 0, alter column source_ids set statistics 0,
  alter column generator set statistics 0, alter column prompt_version set statistics 0,
  alter column previous set statistics 0;
alter table keepsake_chats.conversation_summaries enable row level security, force row level security;
revoke all on keepsake_chats.conversation_summaries from public, anon, authenticated, service_role;
grant select, insert, update, delete on keepsake_chats.conversation_summaries to service_role;
grant select on keepsake_chats.conversation_summaries to authenticated;
create policy "Participants read the summaries of their conversations" on keepsake_chats.conversation_summaries
  for select to authenticated using (conversation_id = any (array(select keepsake.conversations_of_caller())));

-- Each message gets the number of its turn in the conversation, unless the host writes one: a person's message begins a
-- turn, the answers belong to it. One message is read for it, so that it costs the same in long conversations.

create function keepsake.number_turn() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  latest integer;
begin
  select m.turn_index into latest from keepsake_chats.messages as m
  where m.conversation_id = new.conversation_id order by m.created_at desc limit 1;
  new.turn_index := coalesce(latest, 0) + (new.role::text = 'user')::integer;
  return new;
end
$$;
comment on function keepsake.number_turn() is 'Numbers the turns of a conversation where the host does not.';
create trigger keepsake_05_number_turn before insert on keepsake_chats.messages
  for each row when (new.turn_index is null) execute function keepsake.number_turn();

-- Where an application's tables have these names, REST shows them and not Keepsake's. These reach Keepsake's in either case.

create function public.memory_profiles() returns setof keepsake_chats.user_profile_list
language sql stable set search_path = ''
begin atomic
  select p.* from keepsake_chats.user_profile_list as p where p.user_id = (select auth.uid()) order by p.is_primary desc, p.created_at;
end;
comment on function public.memory_profiles() is 'The caller''s own profiles, the primary one first.';
revoke all on function public.memory_profiles() from public, anon, authenticated, service_role;
grant execute on function public.memory_profiles() to authenticated;

create function public.memory_participation(conversation_id uuid) returns setof keepsake_chats.conversations_participants
language sql stable rows 1 set search_path = ''
begin atomic
  select p.* from keepsake_chats.conversations_participants as p
  where p.conversation_id = memory_participation.conversation_id and p.user_id = (select auth.uid());
end;
comment on function public.memory_participation(uuid) is 'The caller''s own part in a conversation: the profile that they chose, and since when it is remembered.';
revoke all on function public.memory_participation(uuid) from public, anon, authenticated, service_role;
grant execute on function public.memory_participation(uuid) to authenticated;

create function public.source_message(message_id uuid) returns table (id uuid, content text, created_at timestamptz)
language sql stable rows 1 set search_path = ''
begin atomic
  select m.id, m.content, m.created_at from keepsake_chats.messages as m where m.id = message_id;
end;
comment on function public.source_message(uuid) is 'A message from which a memory was made, for those who take part in its conversation.';
revoke all on function public.source_message(uuid) from public, anon, authenticated, service_role;
grant execute on function public.source_message(uuid) to authenticated;

create function public.save_message(message_id uuid, conversation_id uuid, user_id uuid, role text, content text, replace boolean default false)
returns void language sql set search_path = ''
begin atomic
  insert into keepsake_chats.messages as m (id, conversation_id, user_id, role, content)
  values (message_id, save_message.conversation_id, save_message.user_id, save_message.role, save_message.content)
  on conflict (id) do update
    set conversation_id = excluded.conversation_id, user_id = excluded.user_id, role = excluded.role, content = excluded.content
    where save_message.replace;
end;
comment on function public.save_message(uuid, uuid, uuid, text, text, boolean) is 'Saves a message, as the backend of a chat; the same id again changes nothing, or with replace that message.';
revoke all on function public.save_message(uuid, uuid, uuid, text, text, boolean) from public, anon, authenticated;
grant execute on function public.save_message(uuid, uuid, uuid, text, text, boolean) to service_role;
