-- Everything that Keepsake creates. Read it in supabase/schemas, from which this file is made without its comments, and
-- change it there: CONTRIBUTING.md, "Changing things".
set local lock_timeout = '10s';  -- fail rather than block the host's traffic
do $$
declare
  problems text;
begin
  select string_agg('  - ' || p.problem, e'\n') into problems from (
    select format('role %s does not bypass row-level security, which Keepsake''s private functions rest on', current_user) as problem
    where not (select rolsuper or rolbypassrls from pg_catalog.pg_roles where rolname = current_user)
    union all
    select format('the schema %s already exists and is not Keepsake''s', n.nspname) from pg_catalog.pg_namespace as n
    where n.nspname in ('keepsake', 'keepsake_chats')
    union all
    select 'schema public already has a type memory_type' where pg_catalog.to_regtype('public.memory_type') is not null
    union all
    select format('public.%s already exists and is not Keepsake''s', t.typname) from pg_catalog.pg_type as t
    where t.typnamespace = 'public'::regnamespace and starts_with(t.typname, 'user_memory')
    union all
    select format('public.%s already exists, and a function of Keepsake''s has this name', f.proname) from pg_catalog.pg_proc as f
    where f.pronamespace = 'public'::regnamespace and f.proname in (
      'add_entity_alias', 'agree_to_memory', 'agree_to_memory_for', 'answer_pending_operation', 'clear_my_memories', 'confirm_alias',
      'confirm_memory', 'end_memory', 'forget_memory', 'forget_place', 'forget_summary', 'forget_todo', 'memory_operations',
      'memory_overview', 'memory_participation', 'memory_profiles', 'pending_operations', 'refuse_alias', 'remove_entity_alias',
      'rename_entity', 'restore_memory', 'save_message', 'search_user_memory', 'set_memory_persona', 'source_message', 'undo_operation'
    )
  ) as p;
  if problems is not null then
    raise exception using
      message = e'this database does not fit Keepsake yet:\n' || problems,
      hint = 'Nothing has been changed.';
  end if;
end
$$;
create schema keepsake;
comment on schema keepsake is 'Private tables and functions of Keepsake: operations, jobs, caches and indexes. Not exposed by any API.';
revoke all on schema keepsake from public, anon, authenticated;
grant usage on schema keepsake to service_role;
create schema keepsake_chats;
comment on schema keepsake_chats is 'The chats as Keepsake reads them. Not exposed by any API; people read in it under the policies of its tables.';
revoke all on schema keepsake_chats from public, anon, authenticated;
grant usage on schema keepsake_chats to authenticated, service_role;
do $$
declare
  target_role text;
  is_granted boolean;
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'keepsake_api') then
    begin
      create role keepsake_api nologin noinherit nobypassrls;
      comment on role keepsake_api is 'The login of Keepsake''s functions: give it LOGIN and a password.';
    exception when duplicate_object or unique_violation then
      raise notice 'another database of this cluster has just created keepsake_api';
    end;
  end if;

  if not exists (
    select from pg_catalog.pg_db_role_setting
    where setdatabase = 0 and setrole = 'keepsake_api'::regrole and 'search_path=keepsake' = any (setconfig)
  ) then
    alter role keepsake_api set search_path = keepsake;
  end if;

  foreach target_role in array array['authenticated', 'service_role'] loop
    select exists (
      select from pg_catalog.pg_auth_members as m
      where m.roleid = target_role::regrole and m.member = 'keepsake_api'::regrole
    ) into is_granted;
    continue when is_granted;
    begin
      if current_setting('server_version_num')::int >= 160000 then
        execute format('grant %I to keepsake_api with inherit false, set true', target_role);
      else
        execute format('grant %I to keepsake_api', target_role);
      end if;
    exception when insufficient_privilege then
      raise exception '% may not grant % to keepsake_api', current_user, target_role
        using hint = format('Run as a role with ADMIN OPTION on it, then migrate again: grant %I to keepsake_api;', target_role);
    end;
  end loop;
end
$$;
grant usage on schema keepsake to keepsake_api;
create function keepsake.lock_merges(person uuid, profiles text[]) returns void
language plpgsql set search_path = '' as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('keepsake.merge:' || person || p.profile, 0))
  from (select distinct u.profile from unnest(profiles) as u (profile) order by 1) as p;
end
$$;
comment on function keepsake.lock_merges(uuid, text[]) is 'Takes the merge lock of each profile, in the order of their ids, until the transaction ends.';
grant execute on function keepsake.lock_merges(uuid, text[]) to service_role;
create function keepsake.missing_migrations(versions text[]) returns text[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if to_regclass('supabase_migrations.schema_migrations') is null then
    return '{}';
  end if;
  return (
    select coalesce(array_agg(v.version order by v.version) filter (where h.version is null), '{}')
    from unnest(versions) as v (version)
    left join supabase_migrations.schema_migrations as h on h.version = v.version
    having count(h.version) > 0
  );
exception when insufficient_privilege then
  return '{}';
end
$$;
comment on function keepsake.missing_migrations(text[]) is 'The versions of these migrations that are not applied, in order; empty or null where the history does not say: somebody else applied them, or squashed them.';
grant execute on function keepsake.missing_migrations(text[]) to service_role;
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
alter table keepsake_chats.user_profile_list alter column name set statistics 0, alter column nickname set statistics 0, alter column pronouns set statistics 0, alter column birth_chart set statistics 0;
alter table keepsake_chats.user_profile_list enable row level security, force row level security;
revoke all on keepsake_chats.user_profile_list from public, anon, authenticated, service_role;
grant select, insert, update, delete on keepsake_chats.user_profile_list to service_role;
grant select, delete on keepsake_chats.user_profile_list to authenticated;
grant insert (id, user_id, name, nickname, pronouns, is_primary, timezone, locale, birth_chart) on keepsake_chats.user_profile_list to authenticated;
grant update (name, nickname, pronouns, is_primary, timezone, locale, birth_chart) on keepsake_chats.user_profile_list to authenticated;
create policy "People see their own profiles" on keepsake_chats.user_profile_list for select to authenticated using ((select auth.uid()) = user_id);
create policy "People make profiles of their own" on keepsake_chats.user_profile_list for insert to authenticated with check ((select auth.uid()) = user_id);
create policy "People change their own profiles" on keepsake_chats.user_profile_list for update to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
create policy "People delete their own profiles" on keepsake_chats.user_profile_list for delete to authenticated using ((select auth.uid()) = user_id);
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
alter table keepsake_chats.conversations alter column user_id set statistics 0, alter column profile_id set statistics 0, alter column title set statistics 0;
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
alter table keepsake_chats.conversations_participants alter column conversation_id set statistics 0, alter column user_id set statistics 0, alter column profile_id set statistics 0;
alter table keepsake_chats.conversations_participants enable row level security, force row level security;
revoke all on keepsake_chats.conversations_participants from public, anon, authenticated, service_role;
grant select, insert, update, delete on keepsake_chats.conversations_participants to service_role;
grant select on keepsake_chats.conversations_participants to authenticated;
create policy "People see their own part in conversations" on keepsake_chats.conversations_participants for select to authenticated using ((select auth.uid()) = user_id);
create function keepsake.conversations_of_caller() returns setof uuid
language sql stable security definer rows 20 set search_path = '' as $$
  select p.conversation_id from keepsake_chats.conversations_participants as p where p.user_id = (select auth.uid())
$$;
comment on function keepsake.conversations_of_caller() is 'The conversations the caller takes part in. The policies of both tables use it: queried directly, each would invoke the other without end.';
grant execute on function keepsake.conversations_of_caller() to authenticated;
create policy "People see the conversations they take part in" on keepsake_chats.conversations for select to authenticated using ((select auth.uid()) = user_id or id = any (array(select keepsake.conversations_of_caller())));
create policy "People start conversations of their own" on keepsake_chats.conversations for insert to authenticated with check ((select auth.uid()) = user_id);
create policy "Owners rename their conversations" on keepsake_chats.conversations for update to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
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
alter table keepsake_chats.messages alter column conversation_id set statistics 0, alter column user_id set statistics 0, alter column content set statistics 0, alter column meta set statistics 0;
alter table keepsake_chats.messages enable row level security, force row level security;
revoke all on keepsake_chats.messages from public, anon, authenticated, service_role;
grant select, insert, update, delete on keepsake_chats.messages to service_role;
grant select on keepsake_chats.messages to authenticated;
grant insert (id, conversation_id, user_id, role, content) on keepsake_chats.messages to authenticated;
create policy "Participants read the messages of their conversations" on keepsake_chats.messages for select to authenticated using (conversation_id = any (array(select keepsake.conversations_of_caller())));
create policy "Participants write messages of their own" on keepsake_chats.messages for insert to authenticated with check ( (select auth.uid()) = user_id and role = 'user' and conversation_id = any (array(select keepsake.conversations_of_caller())) );
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
alter table keepsake_chats.conversation_summaries alter column summary set statistics 0, alter column through_message_id set statistics 0, alter column rolling_summary set statistics 0, alter column source_ids set statistics 0, alter column generator set statistics 0, alter column prompt_version set statistics 0, alter column previous set statistics 0;
alter table keepsake_chats.conversation_summaries enable row level security, force row level security;
revoke all on keepsake_chats.conversation_summaries from public, anon, authenticated, service_role;
grant select, insert, update, delete on keepsake_chats.conversation_summaries to service_role;
grant select on keepsake_chats.conversation_summaries to authenticated;
create policy "Participants read the summaries of their conversations" on keepsake_chats.conversation_summaries for select to authenticated using (conversation_id = any (array(select keepsake.conversations_of_caller())));
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
create trigger keepsake_05_number_turn before insert on keepsake_chats.messages for each row when (new.turn_index is null) execute function keepsake.number_turn();
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
create function keepsake.is_clean_text(txt text) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return txt !~ '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\U000E0000-\U000E01EF]';
end
$$;
comment on function keepsake.is_clean_text(text) is 'Whether the text is free of control, bidi, line separator, tag and variation selector characters (as FORBIDDEN_CHARACTERS of domain/text.py); tab and newline pass.';
grant execute on function keepsake.is_clean_text(text) to authenticated, service_role;
create function keepsake.clean_text(txt text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return case when txt ~ '^[\u0001-\u007F]*$' then txt else normalize(regexp_replace(regexp_replace(regexp_replace(
    regexp_replace(txt, '[\u2028\u2029]', ' ', 'g'),
    '(?<=[.!?,;:…])[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u3164\uFFA0\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFC\uFFFE\uFFFF\U000E0000-\U000E01EF]+(?=[[:alpha:]])', ' ', 'g'),
    '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u3164\uFFA0\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFC\uFFFE\uFFFF\U000E0000-\U000E01EF]', '', 'g'),
    '(?<![\u0590-\u1DFF\u2190-\u2BFF\uFE0F\uFB1D-\uFDFF\uFE70-\uFEFC\U0001E900-\U0001E95F\U0001F000-\U0001FAFF])[\u200C\u200D]|[\u200C\u200D](?![\u0590-\u1DFF\u2190-\u2BFF\uFE0F\uFB1D-\uFDFF\uFE70-\uFEFC\U0001E900-\U0001E95F\U0001F000-\U0001FAFF])', '', 'g'), NFC) end;
end
$$;
comment on function keepsake.clean_text(text) is 'The text composed (NFC) and without characters that no reader sees (INVISIBLE_CHARACTERS of domain/text.py); line separators become blanks.';
grant execute on function keepsake.clean_text(text) to service_role;
create function keepsake.comparable_text(txt text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return rtrim(btrim(regexp_replace(lower(txt), '\s+', ' ', 'g')), ' .!');
end
$$;
comment on function keepsake.comparable_text(text) is 'The text in lower case, with single spaces and without a final full stop: duplicates are found by comparing it.';
grant execute on function keepsake.comparable_text(text) to authenticated, service_role;
create function keepsake.text_search_config(language text) returns regconfig
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return case split_part(lower(language), '-', 1)
    when 'en' then 'pg_catalog.english'::regconfig when 'de' then 'pg_catalog.german'::regconfig
    when 'fr' then 'pg_catalog.french'::regconfig when 'es' then 'pg_catalog.spanish'::regconfig
    when 'it' then 'pg_catalog.italian'::regconfig when 'pt' then 'pg_catalog.portuguese'::regconfig
    when 'nl' then 'pg_catalog.dutch'::regconfig when 'sv' then 'pg_catalog.swedish'::regconfig
    when 'da' then 'pg_catalog.danish'::regconfig when 'no' then 'pg_catalog.norwegian'::regconfig
    when 'nb' then 'pg_catalog.norwegian'::regconfig when 'nn' then 'pg_catalog.norwegian'::regconfig
    when 'fi' then 'pg_catalog.finnish'::regconfig when 'ru' then 'pg_catalog.russian'::regconfig
    when 'hu' then 'pg_catalog.hungarian'::regconfig when 'ro' then 'pg_catalog.romanian'::regconfig
    when 'tr' then 'pg_catalog.turkish'::regconfig when 'el' then 'pg_catalog.greek'::regconfig
    when 'ar' then 'pg_catalog.arabic'::regconfig when 'hi' then 'pg_catalog.hindi'::regconfig
    when 'id' then 'pg_catalog.indonesian'::regconfig when 'ga' then 'pg_catalog.irish'::regconfig
    when 'lt' then 'pg_catalog.lithuanian'::regconfig when 'ne' then 'pg_catalog.nepali'::regconfig
    when 'sr' then 'pg_catalog.serbian'::regconfig when 'ta' then 'pg_catalog.tamil'::regconfig
    when 'ca' then 'pg_catalog.catalan'::regconfig when 'eu' then 'pg_catalog.basque'::regconfig
    when 'hy' then 'pg_catalog.armenian'::regconfig when 'yi' then 'pg_catalog.yiddish'::regconfig
    else 'pg_catalog.simple'::regconfig
  end;
end
$$;
comment on function keepsake.text_search_config(text) is 'The text search configuration of a language; simple where Postgres has none. In plpgsql, because a session caches its plan.';
grant execute on function keepsake.text_search_config(text) to authenticated, service_role;
create function keepsake.profile_terms(profile uuid, words text[]) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return array(select profile::text || w.word from unnest(words) as w (word));
end
$$;
comment on function keepsake.profile_terms(uuid, text[]) is 'The words prefixed with the profile: the terms of the inverted index.';
grant execute on function keepsake.profile_terms(uuid, text[]) to authenticated, service_role;
create table keepsake.counters (
  user_id uuid not null references auth.users (id) on delete cascade,
  name text not null,
  period_start timestamptz not null default '-infinity',
  value bigint not null default 0,
  primary key (user_id, name, period_start)
);
create index counters_period on keepsake.counters (period_start);
comment on table keepsake.counters is 'Running numbers and rates by person; period_start is -infinity for a number that never restarts.';
grant select, insert, update, delete on keepsake.counters to service_role;
create table keepsake.watermarks (
  name text primary key,
  reached timestamptz not null
);
comment on table keepsake.watermarks is 'Up to which moment a repeated search has looked at everything; the next one goes on from there.';
comment on column keepsake.watermarks.name is 'Which search: lost_turns, late_turns or message_retention.';
grant select, insert, update, delete on keepsake.watermarks to service_role;
create type public.memory_type as enum ('fact', 'emotion', 'goal', 'pattern', 'relationship');
comment on type public.memory_type is 'What kind of thing a memory is.';
create function keepsake.past_terms(
  profile uuid, words tsvector, memory_key text, entity_refs text[], memory_type public.memory_type, subtype text
) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return array(
    select profile::text || t.term from unnest(tsvector_to_array(words) || entity_refs
      || array(select '|' || k.part from unnest(string_to_array(memory_key, '|')) as k (part))
      || array[memory_key, 'type:' || memory_type, 'subtype:' || subtype,
        case when split_part(memory_key, '|', 3) not in ('', 'self') then 'about:others' end]) as t (term)
    where t.term is not null
  );
end
$$;
comment on function keepsake.past_terms(uuid, tsvector, text, text[], public.memory_type, text) is 'What a past memory is found by, each term prefixed with the profile: its words, entities, key, parts of the key, and kinds.';
grant execute on function keepsake.past_terms(uuid, tsvector, text, text[], public.memory_type, text) to authenticated, service_role;
create table public.user_memory (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  conversation_id uuid,
  source_message_id uuid,
  turn_index integer,
  memory_text text not null
    constraint user_memory_text_length check (char_length(memory_text) <= 500 and memory_text ~ '\S')
    constraint user_memory_text_clean check (keepsake.is_clean_text(memory_text) and memory_text !~ '[\t\n]'),
  memory_type public.memory_type not null,
  confidence_score numeric(4, 3) not null default 0.800
    constraint user_memory_confidence check (confidence_score between 0 and 1),
  astrological_context jsonb
    constraint user_memory_astrological_context check (jsonb_typeof(astrological_context) = 'object'),
  origin_mode text,
  created_at timestamptz not null default now(),
  last_referenced_at timestamptz,
  reference_count smallint not null default 0
    constraint user_memory_reference_count check (reference_count >= 0),
  status text not null default 'active'
    constraint user_memory_status check (status in ('active', 'superseded', 'archived', 'expired', 'deleted')),
  is_active boolean not null generated always as (status = 'active') stored,
  deleted_at timestamptz,
  memory_no bigint not null,
  subtype text not null default 'other'
    constraint user_memory_subtype check (subtype in
      ('identity', 'preference', 'habit', 'friction', 'relationship', 'possession', 'event', 'feeling', 'other')),
  entity_type text,
  memory_key text constraint user_memory_key_length check (char_length(memory_key) between 1 and 300),
  value text constraint user_memory_value_length check (char_length(value) <= 500),
  importance smallint not null default 1 constraint user_memory_importance check (importance between 0 and 3),
  pinned boolean not null default false,
  entity_refs text[] not null default '{}'
    constraint user_memory_entity_refs check (array_position(entity_refs, null) is null),
  entity_label text,
  persona_id text,
  language text not null default 'en'
    constraint user_memory_language check (language ~ '^[a-z]{2,3}(-[A-Za-z0-9]{1,8})*$'),
  source text not null default 'rule_extraction'
    constraint user_memory_source check (source in ('llm_extraction', 'rule_extraction', 'user', 'agent_tool',
      'import', 'seeded_profile', 'curated_fold')),
  source_quote text
    constraint user_memory_quote check (char_length(source_quote) <= 2000 and keepsake.is_clean_text(source_quote)),
  supersedes_id uuid,
  valid_from timestamptz not null default now(),
  valid_to timestamptz,
  -- A date that every client can parse: no infinity, no year after 9999 or before 1.
  expires_at timestamptz constraint user_memory_expires_at check (
    expires_at > timestamptz '0001-01-03 00:00:00+00' and expires_at < timestamptz '9999-12-29 00:00:00+00'
  ),
  archived_at timestamptz,
  updated_at timestamptz not null default now(),
  folded_into uuid,
  doubted_at timestamptz,
  restated_at timestamptz,
  period text constraint user_memory_period check (period ~ '^\d{4}(-\d\d(-\d\d)?)?(/\d{4}(-\d\d(-\d\d)?)?)?$'),
  constraint user_memory_pinned check (importance = 3 or not pinned),
  constraint user_memory_deleted check ((status = 'deleted') = (deleted_at is not null)),
  primary key (user_id, id),
  constraint user_memory_number unique (user_id, memory_no),
  constraint user_memory_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade,
  constraint user_memory_conversation foreign key (user_id, conversation_id)
    references keepsake_chats.conversations_participants (user_id, conversation_id) on delete set null (conversation_id),
  constraint user_memory_source_message foreign key (user_id, source_message_id)
    references keepsake_chats.messages (user_id, id) on delete set null (source_message_id),
  constraint user_memory_supersedes foreign key (user_id, supersedes_id)
    references public.user_memory (user_id, id) on delete set null (supersedes_id),
  constraint user_memory_folded_into foreign key (user_id, folded_into)
    references public.user_memory (user_id, id) on delete set null (folded_into)
) with (fillfactor = 85);
create unique index user_memory_one_active on public.user_memory (user_id, profile_id, memory_key, persona_id) nulls not distinct where status = 'active' and memory_key is not null;
create index user_memory_id on public.user_memory (id);
create index user_memory_current on public.user_memory (user_id, profile_id, status, created_at desc);
create index user_memory_newest on public.user_memory (user_id, created_at desc);
create index user_memory_of_conversation on public.user_memory (user_id, conversation_id);
create index user_memory_of_message on public.user_memory (user_id, source_message_id);
create index user_memory_superseded_by on public.user_memory (user_id, supersedes_id);
create index user_memory_expiring on public.user_memory (expires_at) where status = 'active' and expires_at is not null;
create index user_memory_deleted_long_ago on public.user_memory (deleted_at) where status = 'deleted';
create index user_memory_foremost on public.user_memory (user_id, profile_id) where status = 'active' and (importance >= 2 or memory_key in ('fact|person|self|name', 'fact|person|self|nickname', 'fact|person|self|pronouns'));
create index user_memory_core on public.user_memory (user_id, profile_id, pinned desc, importance desc, valid_from desc, memory_no desc) where status = 'active' and importance >= 3;
create index user_memory_introduction on public.user_memory (user_id, profile_id, memory_type, importance desc, created_at desc, memory_no desc) where status = 'active' and memory_type in ('goal', 'relationship');
create index user_memory_identity on public.user_memory (user_id, profile_id) where status = 'active' and memory_key in ('fact|person|self|name', 'fact|person|self|nickname', 'fact|person|self|pronouns', 'fact|person|self|answer_language', 'fact|person|self|answer_length', 'fact|person|self|answer_format', 'fact|person|self|answer_tone', 'fact|person|self|answer_units', 'fact|person|self|answer_address', 'fact|person|self|answer_level');
create index user_memory_keys on public.user_memory ((profile_id::text || memory_key) text_pattern_ops) where status is not distinct from 'active' and memory_key is not null;
create index user_memory_without_key on public.user_memory (user_id, profile_id) where status = 'active' and memory_key is null;
create index user_memory_aging on public.user_memory (created_at, id) where status = 'active' and not pinned;
create index user_memory_folded_into on public.user_memory (user_id, folded_into) where folded_into is not null;
create index user_memory_folded_keys on public.user_memory (user_id, profile_id, memory_key text_pattern_ops) where status = 'archived' and folded_into is not null;
create index user_memory_same_words on public.user_memory (hashtextextended(keepsake.comparable_text(memory_text), 0), user_id);
create index user_memory_of_persona on public.user_memory (user_id, profile_id, persona_id) where status = 'active' and memory_key is not null and persona_id is not null;
create index user_memory_of_entities on public.user_memory using gin (keepsake.profile_terms(profile_id, entity_refs)) with (fastupdate = off) where status = 'active' and importance >= 2;
grant execute on function keepsake.profile_terms(uuid, text[]) to authenticated;
create index user_memory_past on public.user_memory using gin (keepsake.past_terms( profile_id, to_tsvector(keepsake.text_search_config(language), memory_text), memory_key, entity_refs, memory_type, subtype )) with (fastupdate = off) where status in ('superseded', 'archived', 'expired');
alter index public.user_memory_same_words alter column 1 set statistics 0;
alter index public.user_memory_keys alter column 1 set statistics 0;
alter index public.user_memory_of_entities alter column 1 set statistics 0;
alter index public.user_memory_past alter column 1 set statistics 0;
comment on table public.user_memory is 'What is remembered about a person, one statement a row. Current: status is active, and expires_at is null or still to come.';
comment on column public.user_memory.memory_no is 'The person''s own running number, never used again: people see M-143.';
comment on column public.user_memory.memory_key is 'What the statement is about; two current ones of one key cannot stand.';
comment on column public.user_memory.value is 'What it says about its key.';
comment on column public.user_memory.source_quote is 'The person''s own words it rests on.';
comment on column public.user_memory.persona_id is 'The persona it is for; null means every one.';
comment on column public.user_memory.folded_into is 'The fold that replaced this memory and others like it; this row is archived until the fold opens.';
comment on column public.user_memory.doubted_at is 'Since when it may no longer hold; null means it does. The person confirms or ends it.';
comment on column public.user_memory.valid_from is 'Since when it holds: when the person said it first.';
comment on column public.user_memory.restated_at is 'When the person last said it again; null where they said it once.';
comment on column public.user_memory.period is 'The day, month, year or days that it is about, in ISO 8601: 2026-12-04, 2027-03, 2026-03-20/2026-03-25; null where it names none.';
comment on index public.user_memory_one_active is 'At most one current statement about a thing.';
comment on index public.user_memory_foremost is 'The memories that entity cards are built from; counting a use does not touch it.';
comment on index public.user_memory_core is 'Pins and what must not be missed, in the order in which they are shown.';
comment on index public.user_memory_introduction is 'Goals and people of a profile, the most important first.';
comment on index public.user_memory_identity is 'Who the person is, and how they want to be answered.';
comment on index public.user_memory_keys is 'Finds current statements of a profile by the prefix of their key.';
comment on index public.user_memory_without_key is 'Current statements without a key: they can only be compared by their words.';
comment on index public.user_memory_aging is 'What may be archived, oldest first; counting a use does not touch it.';
comment on index public.user_memory_folded_keys is 'Finds folded memories by the prefix of their key.';
comment on index public.user_memory_same_words is 'Finds duplicates of an imported row.';
comment on index public.user_memory_of_persona is 'What only one persona knows: it replaces what every persona knows.';
comment on index public.user_memory_of_entities is 'Finds the important memories of a profile about an entity.';
comment on index public.user_memory_past is 'Finds the past memories of a profile by their words, entities, keys and kinds.';
alter table public.user_memory alter column user_id set statistics 0, alter column profile_id set statistics 0, alter column conversation_id set statistics 0, alter column source_message_id set statistics 0, alter column memory_text set statistics 0, alter column astrological_context set statistics 0, alter column memory_key set statistics 0, alter column value set statistics 0, alter column entity_refs set statistics 0, alter column entity_label set statistics 0, alter column source_quote set statistics 0, alter column supersedes_id set statistics 0, alter column folded_into set statistics 0, alter column restated_at set statistics 0, alter column period set statistics 0;
alter table public.user_memory enable row level security, force row level security;
revoke all on public.user_memory from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory to service_role;
grant select on public.user_memory to authenticated;
grant update (memory_text, pinned, importance, expires_at) on public.user_memory to authenticated;
create policy "People see their own memories" on public.user_memory for select to authenticated using ((select auth.uid()) = user_id);
create policy "People edit their own memories" on public.user_memory for update to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
create function keepsake.normalize_memory() returns trigger
language plpgsql set search_path = '' as $$
declare
  is_edit boolean := current_user = 'authenticated';
begin
  if current_setting('keepsake.raw_write', true) = 'on' and not is_edit then
    return new;
  end if;
  if new.pinned then
    new.importance := 3;
  end if;
  new.deleted_at := case when new.status = 'deleted' then coalesce(new.deleted_at, now()) end;
  new.archived_at := case when new.status = 'archived' then coalesce(new.archived_at, now())
    when new.status <> 'active' then new.archived_at end;
  if tg_op = 'INSERT' then
    return new;
  end if;

  if is_edit and new.memory_text <> old.memory_text then
    -- The person's own wording: what was derived from the old text is cleared, and so is the doubt about it.
    new.confidence_score := 1.0;
    new.source := 'user';
    new.memory_key := null;
    new.value := null;
    new.period := null;
    new.source_quote := null;
    new.doubted_at := null;
  end if;
  if new.updated_at = old.updated_at and to_jsonb(new) - 'is_active' <> to_jsonb(old) - 'is_active' then
    new.updated_at := now();
  end if;
  return new;
end
$$;
comment on function keepsake.normalize_memory() is 'A pinned memory has importance 3, each state has its date, and a person''s own edit has source user and confidence 1.';
create trigger keepsake_05_normalize_new before insert on public.user_memory for each row execute function keepsake.normalize_memory();
create trigger keepsake_05_normalize before update of memory_text, memory_type, subtype, confidence_score, status, memory_key, value, importance, pinned, expires_at, valid_from, valid_to, archived_at, deleted_at, persona_id, language, profile_id, doubted_at on public.user_memory for each row execute function keepsake.normalize_memory();
create function keepsake.clean_memory() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.memory_text := keepsake.clean_text(new.memory_text);
  return new;
end
$$;
comment on function keepsake.clean_memory() is 'Cleans the text of a memory, whoever writes it.';
create trigger keepsake_03_clean_new before insert on public.user_memory for each row execute function keepsake.clean_memory();
create trigger keepsake_03_clean before update of memory_text on public.user_memory for each row execute function keepsake.clean_memory();
create function keepsake.assign_memory_number() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('keepsake.raw_write', true) = 'on' and new.memory_no is not null then
    return new;
  end if;
  insert into keepsake.counters as c (user_id, name, value) values (new.user_id, 'memory_no', 1)
    on conflict (user_id, name, period_start) do update set value = c.value + 1
    returning c.value into new.memory_no;
  return new;
end
$$;
comment on function keepsake.assign_memory_number() is 'Gives a new memory the next number of its person; numbers are never reused.';
create trigger keepsake_10_number before insert on public.user_memory for each row execute function keepsake.assign_memory_number();
create table keepsake.unpinned_importance (
  user_id uuid not null,
  memory_id uuid not null,
  importance smallint not null,
  primary key (user_id, memory_id),
  constraint unpinned_importance_memory foreign key (user_id, memory_id)
    references public.user_memory (user_id, id) on delete cascade
);
comment on table keepsake.unpinned_importance is 'The importance that a memory had when it was pinned, which made it 3: unpinning gives it back.';
grant select, insert, update, delete on keepsake.unpinned_importance to service_role;
create function keepsake.restore_importance() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('keepsake.raw_write', true) = 'on' then
    return new;
  end if;
  if new.pinned then
    insert into keepsake.unpinned_importance as u (user_id, memory_id, importance) values (old.user_id, old.id, old.importance)
    on conflict (user_id, memory_id) do update set importance = excluded.importance;
  else
    new.importance := coalesce(
      (select u.importance from keepsake.unpinned_importance as u where u.user_id = old.user_id and u.memory_id = old.id),
      new.importance);
  end if;
  return new;
end
$$;
comment on function keepsake.restore_importance() is 'Notes the importance of a memory that is pinned, and gives it back when it is unpinned, unless the same update sets one.';
create trigger keepsake_06_restore_importance before update of pinned on public.user_memory for each row when (new.pinned <> old.pinned and (new.pinned or new.importance = old.importance)) execute function keepsake.restore_importance();
create function keepsake.clear_expiry_on_pin() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_setting('keepsake.raw_write', true) is distinct from 'on' then
    new.expires_at := null;
  end if;
  return new;
end
$$;
comment on function keepsake.clear_expiry_on_pin() is 'Pinning a memory removes its expiry, unless the same update sets one.';
create trigger keepsake_06_clear_expiry_on_pin before update of pinned on public.user_memory for each row when (new.pinned and not old.pinned and new.expires_at is not distinct from old.expires_at) execute function keepsake.clear_expiry_on_pin();
create table public.user_memory_settings (
  user_id uuid primary key default auth.uid() references auth.users (id) on delete cascade,
  building boolean not null default true,
  enabled boolean not null default true,
  allowed_types public.memory_type[] not null default '{fact,emotion,goal,pattern,relationship}'
    constraint user_memory_settings_types check (array_position(allowed_types, null) is null),
  retention_days jsonb not null default '{}'
    constraint user_memory_settings_retention check (
      jsonb_typeof(retention_days) = 'object'
      and retention_days - '{fact,emotion,goal,pattern,relationship}'::text[] = '{}'
      and not jsonb_path_exists(retention_days, '$.* ? (@.type() != "number" || @ < 1 || @ > 36500 || @.floor() != @)')
    ),
  long_term boolean not null default false,
  every_chat boolean not null default false,
  onboarding_seen_at timestamptz,
  erased_before timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint user_memory_settings_types_length check (cardinality(allowed_types) <= 20),
  constraint user_memory_settings_retention_length check (octet_length(retention_days::text) <= 1000)
);
comment on table public.user_memory_settings is 'What a person allows Keepsake to do; no row means the defaults.';
comment on column public.user_memory_settings.building is 'False pauses: nothing new is remembered, what is known still helps.';
comment on column public.user_memory_settings.enabled is 'False turns memory off: nothing is remembered and nothing is used.';
comment on column public.user_memory_settings.retention_days is 'Days to keep a memory, by type: {"emotion": 30}.';
comment on column public.user_memory_settings.long_term is 'Keep old memories that nobody asks for.';
comment on column public.user_memory_settings.every_chat is 'Whether memory is used in every chat of the person, also in one that the application has not saved yet.';
comment on column public.user_memory_settings.erased_before is 'Nothing said before this is ever read again.';
create index user_memory_settings_retention on public.user_memory_settings (user_id) where retention_days <> '{}';
comment on index public.user_memory_settings_retention is 'The people who limit how long some types of memory are kept.';
alter table public.user_memory_settings enable row level security, force row level security;
revoke all on public.user_memory_settings from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_settings to service_role;
grant select on public.user_memory_settings to authenticated;
grant insert (user_id, building, enabled, allowed_types, retention_days, long_term, every_chat, onboarding_seen_at) on public.user_memory_settings to authenticated;
grant update (user_id, building, enabled, allowed_types, retention_days, long_term, every_chat, onboarding_seen_at) on public.user_memory_settings to authenticated;
create policy "People see their own settings" on public.user_memory_settings for select to authenticated using ((select auth.uid()) = user_id);
create policy "People make their own settings" on public.user_memory_settings for insert to authenticated with check ((select auth.uid()) = user_id);
create policy "People change their own settings" on public.user_memory_settings for update to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
create function keepsake.set_settings_updated_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;
comment on function keepsake.set_settings_updated_at() is 'Sets updated_at when a setting changes.';
create trigger keepsake_05_set_updated_at before update on public.user_memory_settings for each row when (old.* is distinct from new.*) execute function keepsake.set_settings_updated_at();
create function keepsake.refuse_change_of_no_settings() returns trigger
language plpgsql set search_path = '' as $$
begin
  if auth.uid() is not null and not exists (select from public.user_memory_settings as s where s.user_id = auth.uid()) then
    raise exception using errcode = 'PT400', message = 'You have no settings yet, so nothing was changed.',
      hint = 'Send an upsert: POST with "Prefer: resolution=merge-duplicates".';
  end if;
  return null;
end
$$;
comment on function keepsake.refuse_change_of_no_settings() is 'Tells a person who changes settings before there is a row that nothing was changed, and how to make one.';
create trigger keepsake_90_refuse_change_of_no_settings after update on public.user_memory_settings for each statement when (current_setting('role', true) = 'authenticated') execute function keepsake.refuse_change_of_no_settings();
create function keepsake.is_memory_enabled(mode text, choice boolean) returns boolean
language sql immutable parallel safe set search_path = '' as $$ select coalesce(choice, mode is distinct from 'swiss') $$;
comment on function keepsake.is_memory_enabled(text, boolean) is 'Whether memory is on in a conversation: the person''s choice, else the default of the mode (off in swiss).';
grant execute on function keepsake.is_memory_enabled(text, boolean) to service_role;
create function keepsake.set_remember_since() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  mode text := (select c.mode::text from keepsake_chats.conversations as c where c.id = new.conversation_id);
begin
  if new.profile_id is null or not keepsake.is_memory_enabled(mode, new.memory_enabled) then
    return new;
  end if;
  if tg_op = 'INSERT' then
    -- Memory is on from the beginning: a message of up to five minutes before is one of this conversation, unless it was
    -- said in a pause. What was erased is kept apart by erased_before.
    new.remember_since := coalesce(new.remember_since, greatest(now() - interval '5 minutes', (
      select to_timestamp(r.value / 1000000.0) from keepsake.counters as r
      where r.user_id = new.user_id and r.name = 'memory_resumed_at' and r.period_start = '-infinity'
    )));
  elsif new.remember_since is not distinct from old.remember_since
    and (old.profile_id is distinct from new.profile_id or not keepsake.is_memory_enabled(mode, old.memory_enabled)) then
    new.remember_since := now();
  end if;
  return new;
end
$$;
comment on function keepsake.set_remember_since() is 'Sets remember_since when a profile is chosen or memory is turned on: to now, in a new conversation to five minutes before, unless the statement sets it.';
create trigger keepsake_10_set_remember_since before insert or update of profile_id, memory_enabled on keepsake_chats.conversations_participants for each row execute function keepsake.set_remember_since();
create function keepsake.remembered_from(remember_since timestamptz, said_at timestamptz) returns timestamptz
language plpgsql stable parallel safe set search_path = '' as $$
begin
  return case
    when remember_since > now() + interval '1 minute' and said_at > now() - interval '5 minutes' then said_at
    else remember_since
  end;
end
$$;
comment on function keepsake.remembered_from(timestamptz, timestamptz) is 'Since when a message may be read. A choice cannot be made in the future: where it seems so, the clock was set back, and what is said now was said after the choice. In plpgsql, because a session caches its plan.';
grant execute on function keepsake.remembered_from(timestamptz, timestamptz) to service_role;
create function keepsake.sync_owner_participant() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.user_id is null then
    return null;  -- a host may have conversations without an owner
  end if;
  insert into keepsake_chats.conversations_participants as p (conversation_id, user_id, profile_id, memory_enabled)
  values (new.id, new.user_id, new.profile_id, new.memory_enabled)
  on conflict (conversation_id, user_id) do update
    set profile_id = excluded.profile_id, memory_enabled = excluded.memory_enabled
    where (p.profile_id, p.memory_enabled) is distinct from (excluded.profile_id, excluded.memory_enabled);
  if tg_op = 'UPDATE' then
    update keepsake_chats.conversations_participants as p set remember_since = now()
    where p.conversation_id = new.id and p.profile_id is not null
      and keepsake.is_memory_enabled(new.mode::text, p.memory_enabled)
      and not keepsake.is_memory_enabled(old.mode::text, p.memory_enabled);
  end if;
  return null;
end
$$;
comment on function keepsake.sync_owner_participant() is 'Copies profile and choice of a conversation to its owner''s participant row; a new mode may start memory.';
create trigger keepsake_20_sync_owner_participant after insert or update of user_id, profile_id, memory_enabled, mode on keepsake_chats.conversations for each row execute function keepsake.sync_owner_participant();
create function keepsake.sync_owner_conversation() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update keepsake_chats.conversations as c set profile_id = new.profile_id, memory_enabled = new.memory_enabled
  where c.id = new.conversation_id and c.user_id = new.user_id
    and (c.profile_id, c.memory_enabled) is distinct from (new.profile_id, new.memory_enabled);
  return null;
end
$$;
comment on function keepsake.sync_owner_conversation() is 'Copies profile and choice of the owner''s participant row to the conversation.';
create trigger keepsake_20_sync_owner_conversation after update of profile_id, memory_enabled on keepsake_chats.conversations_participants for each row execute function keepsake.sync_owner_conversation();
create function keepsake.replace_auto_participant() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  automatic keepsake_chats.conversations_participants;
begin
  delete from keepsake_chats.conversations_participants as p using keepsake_chats.conversations as c
  where c.id = new.conversation_id and c.user_id = new.user_id
    and p.conversation_id = new.conversation_id and p.user_id = new.user_id
    and not exists (select from public.user_memory as m where m.conversation_id = p.conversation_id and m.user_id = p.user_id)
    and not exists (select from keepsake.injections as i where i.conversation_id = p.conversation_id and i.user_id = p.user_id)
  returning p.* into automatic;
  new.profile_id := coalesce(new.profile_id, automatic.profile_id);
  new.memory_enabled := coalesce(new.memory_enabled, automatic.memory_enabled);
  new.remember_since := coalesce(new.remember_since, automatic.remember_since);
  return new;
end
$$;
comment on function keepsake.replace_auto_participant() is 'Removes the participant row that Keepsake created for an owner when the host inserts its own.';
create function keepsake.reset_remember_since() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into keepsake.counters (user_id, name, value)
  values (new.user_id, 'memory_resumed_at', (extract(epoch from now()) * 1000000)::bigint)
  on conflict (user_id, name, period_start) do update set value = excluded.value;
  update keepsake_chats.conversations_participants as p set remember_since = now()
  where p.user_id = new.user_id and p.profile_id is not null;
  return null;
end
$$;
comment on function keepsake.reset_remember_since() is 'When memory is switched on again, remember_since becomes now, and no conversation begins earlier: what was said during the pause is never read.';
create trigger keepsake_20_reset_remember_since after update of building, enabled on public.user_memory_settings for each row when (new.building and new.enabled and not (old.building and old.enabled)) execute function keepsake.reset_remember_since();
create function keepsake.lock_participations() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from keepsake_chats.conversations_participants as p
  where p.user_id = new.user_id order by p.conversation_id for no key update;
  return new;
end
$$;
comment on function keepsake.lock_participations() is 'Locks the person''s participant rows: waits for a writer of memories; a later writer reads the new settings.';
create trigger keepsake_10_lock_participations before insert on public.user_memory_settings for each row execute function keepsake.lock_participations();
insert into keepsake_chats.conversations_participants (conversation_id, user_id, profile_id, memory_enabled, remember_since)
select c.id, c.user_id, c.profile_id, c.memory_enabled, case when c.profile_id is not null then now() end
from keepsake_chats.conversations as c where c.user_id is not null
on conflict (conversation_id, user_id) do nothing;
update keepsake_chats.conversations_participants set remember_since = now()
where profile_id is not null and remember_since is null;
do $$
begin
  if pg_catalog.obj_description('keepsake_chats.conversations_participants'::regclass)
    is distinct from 'Who takes part in a chat, and what each chose about memory there.' then
    create trigger keepsake_05_replace_auto_participant before insert on keepsake_chats.conversations_participants
      for each row when (pg_catalog.pg_trigger_depth() = 0) execute function keepsake.replace_auto_participant();
  end if;
end
$$;
create function keepsake.complete_agreement() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  profile uuid;
begin
  if exists (select from keepsake_chats.user_profile_list as f where f.user_id = new.user_id and f.is_primary) then
    return null;
  end if;
  begin
    insert into keepsake_chats.user_profile_list (user_id, is_primary) values (new.user_id, true) returning id into profile;
  exception when not_null_violation or check_violation or foreign_key_violation then
    return null;  -- a host's own table asks for more: its application makes the profile
  end;
  update keepsake_chats.conversations as c set profile_id = profile
  where c.user_id = new.user_id and c.profile_id is null and c.mode::text is distinct from 'swiss';
  return null;
end
$$;
comment on function keepsake.complete_agreement() is 'Makes the primary profile of a person who has agreed to memory and has none, and chooses it in their chats.';
create trigger keepsake_30_complete_first_agreement after insert on public.user_memory_settings for each row when (new.onboarding_seen_at is not null and new.building and new.enabled) execute function keepsake.complete_agreement();
create trigger keepsake_30_complete_agreement after update of onboarding_seen_at, building, enabled on public.user_memory_settings for each row when (new.onboarding_seen_at is not null and new.building and new.enabled) execute function keepsake.complete_agreement();
create function keepsake.store_profile_fact(of_profile keepsake_chats.user_profile_list, attribute text, content text, template text)
returns void
language plpgsql set search_path = '' as $$
declare
  value_slug text := nullif(left(trim('_' from regexp_replace(lower(content), '\W+', '_', 'g')), 60), '');
  key text := 'fact|person|self|' || attribute;
  old_id uuid;
begin
  if exists (
    select from public.user_memory as m
    where m.user_id = of_profile.user_id and m.profile_id = of_profile.id and m.memory_key = key
      and m.status = 'active' and m.persona_id is null and (m.source <> 'seeded_profile' or m.value = value_slug)
  ) then
    return;  -- the person stated it themselves, or it is stored already
  end if;
  update public.user_memory as m set status = 'superseded', valid_to = now()
  where m.user_id = of_profile.user_id and m.profile_id = of_profile.id and m.memory_key = key
    and m.status = 'active' and m.persona_id is null
  returning m.id into old_id;
  if value_slug is null or char_length(content) > 200 or content ~ '[\t\n]' or not keepsake.is_clean_text(content) then
    return;
  end if;
  insert into public.user_memory (user_id, profile_id, memory_text, memory_type, confidence_score, subtype, entity_type,
    memory_key, value, importance, entity_refs, source, supersedes_id)
  values (of_profile.user_id, of_profile.id, format(template, btrim(content)), 'fact', 0.9, 'identity', 'person',
    key, value_slug, case attribute when 'name' then 3 else 2 end, '{person:self}', 'seeded_profile', old_id);
end
$$;
comment on function keepsake.store_profile_fact(keepsake_chats.user_profile_list, text, text, text) is 'Stores one attribute of a profile as a memory, which supersedes the previous one.';
create function keepsake.store_profile_facts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and not coalesce(old.is_primary, false) then
    -- Memory starts now in the conversations that use this profile already.
    update keepsake_chats.conversations_participants as p set remember_since = now()
    where p.user_id = new.user_id and p.profile_id = new.id;
  end if;
  if exists (
    select from public.user_memory_settings as s
    where s.user_id = new.user_id and not (s.building and s.enabled and 'fact' = any (s.allowed_types))
  ) then
    return null;
  end if;
  perform keepsake.lock_merges(new.user_id, array[new.id::text]);
  perform keepsake.store_profile_fact(new, 'name', new.name, 'Name is %s');
  perform keepsake.store_profile_fact(new, 'nickname', new.nickname, 'Goes by %s');
  perform keepsake.store_profile_fact(new, 'pronouns', new.pronouns, 'Pronouns are %s');
  return null;
end
$$;
comment on function keepsake.store_profile_facts() is 'Stores the attributes of a new or changed primary profile, where the person''s settings allow it.';
create trigger keepsake_20_store_new_profile_facts after insert on keepsake_chats.user_profile_list for each row when (new.is_primary) execute function keepsake.store_profile_facts();
create trigger keepsake_20_store_profile_facts after update of is_primary, name, nickname, pronouns on keepsake_chats.user_profile_list for each row when (new.is_primary and (new.is_primary, new.name, new.nickname, new.pronouns) is distinct from (old.is_primary, old.name, old.nickname, old.pronouns)) execute function keepsake.store_profile_facts();
create function keepsake.link_profile_conversation() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' or not exists (
    select from keepsake_chats.conversations_participants as p
    where p.conversation_id = new.id and p.user_id = new.user_id and p.remember_since is not null
  ) then
    new.profile_id := (select f.id from keepsake_chats.user_profile_list as f where f.user_id = new.user_id and f.is_primary);
  end if;
  return new;
end
$$;
comment on function keepsake.link_profile_conversation() is 'Sets the primary profile of the owner on a conversation in the mode profile.';
create trigger keepsake_05_link_new_profile_conversation before insert on keepsake_chats.conversations for each row when (new.mode::text = 'profile' and new.profile_id is null) execute function keepsake.link_profile_conversation();
create trigger keepsake_05_link_profile_conversation before update of mode on keepsake_chats.conversations for each row when (new.mode::text = 'profile' and old.mode::text is distinct from 'profile' and new.profile_id is null) execute function keepsake.link_profile_conversation();
create function keepsake.link_unlinked_conversations() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update keepsake_chats.conversations as c set profile_id = new.id
  where c.user_id = new.user_id and c.mode::text = 'profile' and c.profile_id is null
    and not exists (
      select from keepsake_chats.conversations_participants as p
      where p.conversation_id = c.id and p.user_id = c.user_id and p.remember_since is not null
    );
  return null;
end
$$;
comment on function keepsake.link_unlinked_conversations() is 'Sets a new primary profile on the conversations in the mode profile that have none.';
create trigger keepsake_30_link_new_profile after insert on keepsake_chats.user_profile_list for each row when (new.is_primary) execute function keepsake.link_unlinked_conversations();
create trigger keepsake_30_link_profile after update of is_primary on keepsake_chats.user_profile_list for each row when (new.is_primary and old.is_primary is distinct from true) execute function keepsake.link_unlinked_conversations();
create function keepsake.limit_profiles() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if (select count(*) from (
    select from keepsake_chats.user_profile_list as p where p.user_id = new.user_id limit 100
  ) as p) >= 100 then
    raise exception using errcode = 'PT409', message = 'A person has at most 100 profiles.';
  end if;
  return new;
end
$$;
comment on function keepsake.limit_profiles() is 'Keeps a person, who may insert as many rows as one request holds, from having more than 100 profiles.';
create trigger keepsake_05_limit_profiles before insert on keepsake_chats.user_profile_list for each row execute function keepsake.limit_profiles();
create function keepsake.find_birth_fault(birth jsonb) returns text
language plpgsql stable set search_path = '' as $$
declare
  written text := case when birth ? 'datetime' then birth ->> 'datetime' else (birth ->> 'date') || 'T' || (birth ->> 'time') end;
  moment timestamp;
begin
  if written is null
    or written !~ '^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:?\d{2})?)?$' then
    return 'birth needs a datetime, or a date and a time, in ISO 8601';
  end if;
  begin
    moment := written::timestamp;
  exception when datetime_field_overflow or invalid_datetime_format then
    return 'birth needs a datetime, or a date and a time, in ISO 8601';
  end;
  if written !~ '(Z|[+-]\d{2}:?\d{2})$' or written ~ '^\d{4}-\d{2}-\d{2}$' then
    if not exists (select from pg_catalog.pg_timezone_names as z where z.name = birth ->> 'timezone') then
      return 'birth needs a timezone, or a datetime with an offset';
    end if;
  end if;
  if moment < '1800-01-01' or moment >= '2200-01-01' then
    return 'birth is not between 1800 and 2200';
  end if;
  return null;
end
$$;
comment on function keepsake.find_birth_fault(jsonb) is 'What is wrong with the moment of birth in a chart; null where nothing is.';
create function keepsake.find_position_fault(point text, part jsonb) returns text
language plpgsql immutable set search_path = '' as $$
declare
  signs constant text[] := array['aries', 'taurus', 'gemini', 'cancer', 'leo', 'virgo', 'libra', 'scorpio', 'sagittarius',
    'capricorn', 'aquarius', 'pisces'];
  position jsonb := part;
  degrees constant text := '%s has neither a sign nor a number of degrees from 0 to %s';
  maximum integer := 360;
begin
  while jsonb_typeof(position) = 'object' and position ? 'longitude' loop
    position := position -> 'longitude';
  end loop;
  if jsonb_typeof(position) = 'string' and lower(position #>> '{}') = any (signs) then
    return null;
  end if;
  if jsonb_typeof(position) = 'object' and lower(position ->> 'sign') = any (signs) then
    if not position ? 'degree' then
      return null;
    end if;
    position := position -> 'degree';
    maximum := 30;
  end if;
  if jsonb_typeof(position) is distinct from 'number' or (position #>> '{}')::numeric < 0
    or (position #>> '{}')::numeric >= maximum then
    return format(degrees, point, maximum);
  end if;
  return null;
end
$$;
comment on function keepsake.find_position_fault(text, jsonb) is 'What is wrong with the position of a point of a chart; null where nothing is.';
create function keepsake.find_chart_fault(chart jsonb) returns text
language plpgsql stable set search_path = '' as $$
declare
  points constant jsonb := '{"sun": "Sun", "moon": "Moon", "mercury": "Mercury", "venus": "Venus", "mars": "Mars",
    "jupiter": "Jupiter", "saturn": "Saturn", "uranus": "Uranus", "neptune": "Neptune", "pluto": "Pluto",
    "ascendant": "Ascendant", "asc": "Ascendant", "rising": "Ascendant", "midheaven": "Midheaven", "mc": "Midheaven"}';
  others constant text[] := array[
    'antivertex', 'blackmoon', 'blackmoonlilith', 'ceres', 'chiron', 'dc', 'desc', 'descendant', 'dsc',
    'earth', 'eastpoint', 'eris', 'fortuna', 'fortune', 'ic', 'imumcoeli', 'juno', 'ketu', 'lilith',
    'lotoffortune', 'meanlilith', 'meannode', 'meannorthnode', 'meansouthnode', 'node', 'northnode',
    'osculatinglilith', 'pallas', 'partoffortune', 'rahu', 'southnode', 'truelilith', 'truenode',
    'truenorthnode', 'truesouthnode', 'vertex', 'vesta'
  ];
  unknown text;
  planets jsonb;
begin
  if jsonb_typeof(chart) is distinct from 'object' or chart = '{}' then
    return 'it is not an object with members';
  end if;
  if jsonb_typeof(chart -> 'birth') = 'object' then
    return keepsake.find_birth_fault(chart -> 'birth');
  end if;
  planets := nullif(case when chart ? 'planets' then chart -> 'planets' else chart -> 'positions' end, 'null');
  if planets is null and not exists (select from jsonb_object_keys(chart) as k (name) where points ? lower(k.name)) then
    return 'it has neither planets nor birth';
  end if;
  if jsonb_typeof(planets) = 'array' then
    if exists (select from jsonb_array_elements(planets) as e (part) where not coalesce(e.part ? 'name', false)
      or jsonb_typeof(e.part) <> 'object') then
      return 'planets is neither an object nor a list of objects with a name';
    end if;
    planets := (select jsonb_agg(jsonb_build_array(e.part ->> 'name', e.part)) from jsonb_array_elements(planets) as e (part));
  elsif jsonb_typeof(planets) = 'object' then
    planets := (select jsonb_agg(jsonb_build_array(e.key, e.value)) from jsonb_each(planets) as e);
  elsif planets is not null then
    return 'planets is neither an object nor a list of objects with a name';
  end if;
  select min(e.part ->> 0) into unknown from jsonb_array_elements(planets) as e (part)
  where not points ? lower(e.part ->> 0) and regexp_replace(lower(e.part ->> 0), '[^a-z]', '', 'g') <> all (others);
  if unknown is not null then
    return left(unknown, 40) || ' is no planet, and no other point of a chart';
  end if;
  return (
    select f.fault
    from (
      select e.part ->> 0 as name, e.part -> 1 as part from jsonb_array_elements(planets) as e (part)
      union all
      select e.key, e.value from jsonb_each(chart) as e
    ) as p
    cross join lateral keepsake.find_position_fault(points ->> lower(p.name), p.part) as f (fault)
    where points ? lower(p.name) and f.fault is not null
    order by f.fault limit 1
  );
end
$$;
comment on function keepsake.find_chart_fault(jsonb) is 'Why a birth chart has no known format; null where it has one.';
create function keepsake.refuse_unknown_chart() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  fault text := keepsake.find_chart_fault(new.birth_chart);
begin
  if fault is not null then
    raise exception using errcode = 'check_violation', message = 'The birth chart has an unknown format.',
      detail = 'birth_chart: ' || fault,
      hint = 'Positions ("planets"), signs, or the moment of birth ("birth"), as docs/design.md shows them.';
  end if;
  return new;
end
$$;
comment on function keepsake.refuse_unknown_chart() is 'Refuses a birth chart in an unknown format, and says what is wrong.';
grant execute on function keepsake.find_birth_fault(jsonb), keepsake.find_position_fault(text, jsonb), keepsake.find_chart_fault(jsonb) to service_role;
do $$
begin
  if pg_catalog.obj_description(to_regclass('keepsake_chats.user_profile_list'))
    = 'A person''s profiles; memory is made only for the primary one.' then
    create trigger keepsake_10_refuse_unknown_chart_of_new before insert on keepsake_chats.user_profile_list
      for each row when (new.birth_chart is not null and new.birth_chart <> 'null')
      execute function keepsake.refuse_unknown_chart();
    create trigger keepsake_10_refuse_unknown_chart before update of birth_chart on keepsake_chats.user_profile_list
      for each row when (new.birth_chart is not null and new.birth_chart <> 'null'
        and new.birth_chart is distinct from old.birth_chart)
      execute function keepsake.refuse_unknown_chart();
  end if;
end
$$;
create table keepsake.changes (
  operation_id uuid not null,
  seq bigint not null generated always as identity,
  user_id uuid not null references auth.users (id) on delete cascade,
  table_name text not null,
  row_id uuid not null,
  action text not null constraint changes_action check (action in ('insert', 'update', 'delete')),
  before jsonb,
  after jsonb,
  actor text not null,
  reason text,
  undone_at timestamptz,
  created_at timestamptz not null default now(),
  why text,
  primary key (user_id, operation_id, seq)
);
create index changes_of_row on keepsake.changes (user_id, table_name, row_id, seq);
create index changes_created on keepsake.changes (created_at);
create index changes_of_person on keepsake.changes (user_id, seq desc);
create index changes_with_words on keepsake.changes (created_at) where before is not null or after is not null;
comment on table keepsake.changes is 'The audit log: what every operation changed, row by row. An operation can be undone for 30 days.';
comment on column keepsake.changes.actor is 'rules, llm, user, cron, agent, service or system.';
comment on column keepsake.changes.undone_at is 'When the operation was undone.';
comment on column keepsake.changes.why is 'The mechanism that found what was said: a rule, another reader of the rules, or a model with the version of its prompt.';
comment on index keepsake.changes_of_person is 'A person''s newest changes first.';
comment on index keepsake.changes_with_words is 'Changes that still contain text, oldest first.';
alter table keepsake.changes alter column before set statistics 0, alter column after set statistics 0, alter column reason set statistics 0;
grant select, insert, update, delete on keepsake.changes to service_role;
create function keepsake.differs_only_in_usage(row_before jsonb, row_after jsonb) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select '{"doubted_at": null}'::jsonb || row_before - d.ignored = '{"doubted_at": null}'::jsonb || row_after - d.ignored
  from (
    select array['reference_count', 'last_referenced_at'] || array(
      select r.reference from unnest(array['conversation_id', 'source_message_id', 'supersedes_id']) as r (reference)
      where row_after ->> r.reference is null
    ) || case when row_before ->> 'memory_key' is null then array['memory_key', 'value'] else '{}' end as ignored
  ) as d
$$;
comment on function keepsake.differs_only_in_usage(jsonb, jsonb) is 'Whether two images of a row differ only in usage counters, in references whose target was deleted, or in a key that was derived since.';
grant execute on function keepsake.differs_only_in_usage(jsonb, jsonb) to service_role;
create function keepsake.log_change() returns trigger
language plpgsql security definer set search_path = '' set timezone = 'UTC' as $$
declare
  row_before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  row_after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  image jsonb := coalesce(row_after, row_before);
  owner uuid := (image ->> 'user_id')::uuid;
  logged_table constant text := tg_argv[0];
  operation uuid := nullif(current_setting('keepsake.operation_id', true), '')::uuid;
begin
  if tg_op = 'UPDATE' and (row_before = row_after
    or (operation is null and keepsake.differs_only_in_usage(row_before, row_after))) then
    return null;
  end if;
  if tg_op = 'DELETE' and (
    current_setting('keepsake.hard_delete', true) in ('on', 'with_log')
    or not exists (select from auth.users as u where u.id = owner)
    or not exists (select from keepsake_chats.user_profile_list as p where p.user_id = owner and p.id = (image ->> 'profile_id')::uuid)
  ) then
    -- Who erases many memories deletes their log before, with few statements; an account takes its log along.
    if current_setting('keepsake.hard_delete', true) is distinct from 'with_log' or logged_table <> 'user_memory' then
      delete from keepsake.changes as c
      where c.user_id = owner and c.table_name = logged_table and c.row_id = (image ->> 'id')::uuid;
    end if;
    return null;
  end if;

  operation := coalesce(operation, nullif(current_setting('keepsake.implied_operation_id', true), '')::uuid);
  if operation is null then
    operation := gen_random_uuid();
    perform set_config('keepsake.implied_operation_id', operation::text, true);
  end if;
  insert into keepsake.changes (operation_id, user_id, table_name, row_id, action, before, after, actor, reason, why)
  values (
    operation, owner, logged_table, (image ->> 'id')::uuid, lower(tg_op), row_before, row_after,
    coalesce(nullif(current_setting('keepsake.actor', true), ''), case current_setting('role', true)
      when 'authenticated' then 'user' when 'service_role' then 'service' else 'system' end),
    nullif(current_setting('keepsake.reason', true), ''),
    case when logged_table = 'user_memory' then nullif(current_setting('keepsake.why', true), '') end
  );
  return null;
end
$$;
comment on function keepsake.log_change() is 'Writes the change of a row under the operation of this transaction; counting a use is not logged.';
create function keepsake.changes_more_than_usage(row_before public.user_memory, row_after public.user_memory) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  if nullif(current_setting('keepsake.operation_id', true), '') is not null then
    return true;  -- in an operation everything is logged
  end if;
  row_after.reference_count := row_before.reference_count;
  row_after.last_referenced_at := row_before.last_referenced_at;
  return row_after is distinct from row_before;
end
$$;
comment on function keepsake.changes_more_than_usage(public.user_memory, public.user_memory) is 'Whether an update must be logged: it changed more than usage counters, or belongs to an operation.';
grant execute on function keepsake.changes_more_than_usage(public.user_memory, public.user_memory) to authenticated, service_role;
create trigger keepsake_50_log after insert or delete on public.user_memory for each row execute function keepsake.log_change('user_memory');
create trigger keepsake_50_log_update after update on public.user_memory for each row when (keepsake.changes_more_than_usage(old, new)) execute function keepsake.log_change('user_memory');
create function keepsake.begin_operation(actor text, reason text) returns uuid
language plpgsql set search_path = '' as $$
declare
  operation uuid := gen_random_uuid();
begin
  perform set_config('keepsake.operation_id', operation::text, true), set_config('keepsake.actor', actor, true),
    set_config('keepsake.reason', reason, true), set_config('keepsake.why', '', true);
  return operation;
end
$$;
comment on function keepsake.begin_operation(text, text) is 'Begins an operation: later statements of the transaction belong to it, until end_operation.';
grant execute on function keepsake.begin_operation(text, text) to service_role;
create function keepsake.end_operation(operation uuid, affected bigint) returns jsonb
language plpgsql set search_path = '' as $$
begin
  perform set_config('keepsake.operation_id', '', true), set_config('keepsake.actor', '', true),
    set_config('keepsake.reason', '', true), set_config('keepsake.why', '', true);
  return jsonb_build_object('operation_id', case when affected > 0 then operation end, 'affected', affected);
end
$$;
comment on function keepsake.end_operation(uuid, bigint) is 'Ends the operation; returns its id for undo and the number of rows affected.';
grant execute on function keepsake.end_operation(uuid, bigint) to service_role;
create table keepsake.memory_index (
  memory_id uuid not null,
  user_id uuid not null,
  profile_id uuid not null,
  lexemes tsvector not null,
  length integer not null,
  primary key (user_id, memory_id),
  constraint memory_index_memory foreign key (user_id, memory_id)
    references public.user_memory (user_id, id) on delete cascade
);
create index memory_index_words on keepsake.memory_index using gin (keepsake.profile_terms(profile_id, tsvector_to_array(lexemes))) with (fastupdate = off);
create index memory_index_lengths on keepsake.memory_index (user_id, profile_id) include (length);
comment on table keepsake.memory_index is 'The lexemes of each active memory; selection and search read it.';
comment on column keepsake.memory_index.length is 'The number of words without stop words: the document length of BM25.';
comment on index keepsake.memory_index_words is 'Finds the memories of one profile that share a word with a message.';
comment on index keepsake.memory_index_lengths is 'The number and length of a profile''s memories, by an index-only scan.';
alter table keepsake.memory_index alter column lexemes set statistics 0;
alter index keepsake.memory_index_words alter column 1 set statistics 0;
grant select, insert, update, delete on keepsake.memory_index to service_role;
create function keepsake.index_memory() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  words tsvector;
begin
  if new.status <> 'active' then
    delete from keepsake.memory_index where user_id = new.user_id and memory_id = new.id;
    return null;
  end if;
  words := to_tsvector(keepsake.text_search_config(new.language), new.memory_text);
  insert into keepsake.memory_index as i (memory_id, user_id, profile_id, lexemes, length)
  values (new.id, new.user_id, new.profile_id, words,
    (select coalesce(sum(cardinality(w.positions)), 0) from unnest(words) as w))
  on conflict (user_id, memory_id) do update
    set profile_id = excluded.profile_id, lexemes = excluded.lexemes, length = excluded.length;
  return null;
end
$$;
comment on function keepsake.index_memory() is 'Updates the lexemes of a memory with its text, language and status.';
create trigger keepsake_20_index after insert or update of memory_text, language, status, profile_id on public.user_memory for each row execute function keepsake.index_memory();
create function keepsake.search_user_memory(query text, types public.memory_type[], max_results integer)
returns setof public.user_memory
language plpgsql stable security definer set search_path = '' as $$
declare
  max_rows integer := least(greatest(coalesce(max_results, 20), 1), 100);
  prefix_query tsquery := (
    select to_tsquery('simple', string_agg(w.word || ':*', ' & '))
    from regexp_split_to_table(lower(query), '\W+') as w (word) where w.word <> ''
  );
begin
  return query
  with queries as materialized (
    select l.language, websearch_to_tsquery(keepsake.text_search_config(l.language), query) as query
    from (select distinct m.language from public.user_memory as m
      where m.user_id = (select auth.uid()) and m.status = 'active') as l
  )
  select m.*
  from keepsake.memory_index as i
  join public.user_memory as m on m.user_id = (select auth.uid()) and m.id = i.memory_id
  join queries as a on a.language = m.language
  where i.user_id = (select auth.uid()) and i.lexemes @@ a.query and m.status = 'active'
    and (m.expires_at is null or m.expires_at > now()) and (types is null or m.memory_type = any (types))
  order by ts_rank_cd(i.lexemes, a.query) desc, m.pinned desc, m.importance desc, m.created_at desc, m.memory_no
  limit max_rows;
  if found then
    return;
  end if;

  return query
  select m.* from public.user_memory as m
  where m.user_id = (select auth.uid()) and m.status = 'active'
    and (m.expires_at is null or m.expires_at > now()) and (types is null or m.memory_type = any (types))
    and to_tsvector('simple', m.memory_text) @@ prefix_query
  order by m.pinned desc, m.importance desc, m.created_at desc, m.memory_no
  limit max_rows;
end
$$;
comment on function keepsake.search_user_memory(text, public.memory_type[], integer) is 'The caller''s current memories that match the query, or else those with words that begin like its words.';
grant execute on function keepsake.search_user_memory(text, public.memory_type[], integer) to authenticated;
create function public.search_user_memory(query text, types public.memory_type[] default null, max_results integer default 20)
returns setof public.user_memory
language sql stable security invoker set search_path = ''
begin atomic
  -- At most the length of a memory: a longer query finds nothing more, and took seconds.
  select found from keepsake.search_user_memory(left(query, 500), types, max_results) as found;
end;
comment on function public.search_user_memory(text, public.memory_type[], integer) is 'Search your current memories, best first: "exact words", -without, or the beginnings of words.';
revoke all on function public.search_user_memory(text, public.memory_type[], integer) from public, anon, authenticated, service_role;
grant execute on function public.search_user_memory(text, public.memory_type[], integer) to authenticated;
create function keepsake.memory_overview() returns jsonb
language sql stable security definer set search_path = '' as $$
  with own as (
    select m.memory_type, m.profile_id, m.pinned, m.created_at,
      case when m.status = 'active' and m.expires_at <= now() then 'expired' else m.status end as status
    from public.user_memory as m
    where m.user_id = (select auth.uid())
  )
  select jsonb_build_object(
    'total', (select count(*) from own where status <> 'deleted'),
    'active', (select count(*) from own where status = 'active'),
    'pinned', (select count(*) from own where status = 'active' and pinned),
    'newest_at', (select max(created_at) from own where status = 'active'),
    'by_type', (select jsonb_object_agg(t.type, (select count(*) from own where status = 'active' and memory_type = t.type))
      from unnest(enum_range(null::public.memory_type)) as t (type)),
    'by_status', (select jsonb_object_agg(s.status, (select count(*) from own where own.status = s.status))
      from unnest('{active,superseded,archived,expired,deleted}'::text[]) as s (status)),
    'by_profile', (select coalesce(jsonb_object_agg(p.profile_id, p.count), '{}')
      from (select profile_id, count(*) from own where status = 'active' group by profile_id) as p),
    'settings', (
      select jsonb_build_object(
        'building', coalesce(s.building, true), 'enabled', coalesce(s.enabled, true),
        'allowed_types', to_jsonb(coalesce(s.allowed_types, enum_range(null::public.memory_type))),
        'retention_days', coalesce(s.retention_days, '{}'), 'long_term', coalesce(s.long_term, false),
        'onboarding_seen_at', s.onboarding_seen_at, 'erased_before', s.erased_before)
      from (select (select auth.uid()) as user_id) as me
      left join public.user_memory_settings as s on s.user_id = me.user_id
    )
  )
$$;
comment on function keepsake.memory_overview() is 'Totals of the caller''s memories, and their settings.';
grant execute on function keepsake.memory_overview() to authenticated;
create function public.memory_overview() returns jsonb
language sql stable security invoker set search_path = ''
begin atomic
  select keepsake.memory_overview();
end;
comment on function public.memory_overview() is 'How much is remembered of you, by type and state, and your settings.';
revoke all on function public.memory_overview() from public, anon, authenticated, service_role;
grant execute on function public.memory_overview() to authenticated;
create function keepsake.require_memory(memory_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  if not exists (
    select from public.user_memory as m where m.id = require_memory.memory_id and m.user_id = (select auth.uid())
  ) then
    raise exception using errcode = 'PT404', message = 'There is no such memory, or it is not yours.';
  end if;
end
$$;
comment on function keepsake.require_memory(uuid) is 'Raises PT404 unless the memory is the caller''s.';
create function keepsake.forget_memory(memory_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', 'forget');
  touched bigint;
begin
  perform keepsake.require_memory(forget_memory.memory_id);
  update public.user_memory as m set status = 'deleted', deleted_at = now()
  where m.id = forget_memory.memory_id and m.user_id = (select auth.uid()) and m.status <> 'deleted';
  get diagnostics touched = row_count;
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.forget_memory(uuid) is 'Forgets one memory of the caller.';
grant execute on function keepsake.forget_memory(uuid) to authenticated;
create function keepsake.restore_memory(memory_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', 'restore');
  touched bigint;
begin
  perform keepsake.require_memory(restore_memory.memory_id);
  if exists (
    select from public.user_memory as m
    where m.id = restore_memory.memory_id and m.user_id = (select auth.uid()) and m.status = 'superseded'
  ) then
    if exists (
      select from public.user_memory as m
      where m.supersedes_id = restore_memory.memory_id and m.user_id = (select auth.uid())
    ) then
      raise exception using errcode = 'PT409', message = 'A newer memory has taken its place.',
        hint = 'Undo the operation that replaced it.';
    end if;
    raise exception using errcode = 'PT409', message = 'This memory has ended.',
      hint = 'Undo the operation that ended it, or say that it holds again.';
  end if;
  update public.user_memory as m
  set status = case when m.valid_to is null then 'active' else 'superseded' end, deleted_at = null,
    expires_at = case when m.expires_at > now() then m.expires_at end,
    last_referenced_at = case when m.status = 'archived' then now() else m.last_referenced_at end
  where m.id = restore_memory.memory_id and m.user_id = (select auth.uid())
    and (m.status <> 'active' or m.expires_at <= now());
  get diagnostics touched = row_count;
  return keepsake.end_operation(operation, touched);
exception when unique_violation then
  raise exception using errcode = 'PT409', message = 'A newer memory has taken its place.',
    hint = 'Forget the newer one first.';
end
$$;
comment on function keepsake.restore_memory(uuid) is 'Brings back a memory of the caller that was forgotten, archived or expired.';
grant execute on function keepsake.restore_memory(uuid) to authenticated;
create function keepsake.confirm_memory(memory_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', 'confirm');
  touched bigint;
begin
  perform keepsake.require_memory(confirm_memory.memory_id);
  update public.user_memory as m set confidence_score = 1.0, doubted_at = null
  where m.id = confirm_memory.memory_id and m.user_id = (select auth.uid())
    and m.status = 'active' and (m.confidence_score < 1.0 or m.doubted_at is not null);
  get diagnostics touched = row_count;
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.confirm_memory(uuid) is 'Sets the confidence of a memory of the caller to 1 and clears a doubt: only an explicit correction overrides it.';
grant execute on function keepsake.confirm_memory(uuid) to authenticated;
create function keepsake.clear_my_memories() returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', 'clear');
  touched bigint;
begin
  perform keepsake.lock_merges((select auth.uid()), (
    select array_agg(f.id::text) from keepsake_chats.user_profile_list as f where f.user_id = (select auth.uid())
  ));
  perform from public.user_memory as m
  where m.user_id = (select auth.uid()) and m.status <> 'deleted' order by m.id for no key update;
  update public.user_memory as m set status = 'deleted', deleted_at = now()
  where m.user_id = (select auth.uid()) and m.status <> 'deleted';
  get diagnostics touched = row_count;
  delete from public.user_memory_todos as t where t.user_id = (select auth.uid());
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.clear_my_memories() is 'Forgets all memories and to-dos of the caller.';
grant execute on function keepsake.clear_my_memories() to authenticated;
create function public.forget_memory(memory_id uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.forget_memory(memory_id);
end;
comment on function public.forget_memory(uuid) is 'Forget one of your memories; it can be undone for 30 days.';
revoke all on function public.forget_memory(uuid) from public, anon, authenticated, service_role;
grant execute on function public.forget_memory(uuid) to authenticated;
create function public.restore_memory(memory_id uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.restore_memory(memory_id);
end;
comment on function public.restore_memory(uuid) is 'Bring back one of your memories that was forgotten, archived or expired.';
revoke all on function public.restore_memory(uuid) from public, anon, authenticated, service_role;
grant execute on function public.restore_memory(uuid) to authenticated;
create function public.confirm_memory(memory_id uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.confirm_memory(memory_id);
end;
comment on function public.confirm_memory(uuid) is 'Say that one of your memories is right.';
revoke all on function public.confirm_memory(uuid) from public, anon, authenticated, service_role;
grant execute on function public.confirm_memory(uuid) to authenticated;
create function public.clear_my_memories() returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.clear_my_memories();
end;
comment on function public.clear_my_memories() is 'Forget everything remembered of you; it can be undone for 30 days.';
revoke all on function public.clear_my_memories() from public, anon, authenticated, service_role;
grant execute on function public.clear_my_memories() to authenticated;
create function keepsake.end_memory(memory_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', 'end');
  touched bigint;
begin
  perform keepsake.require_memory(end_memory.memory_id);
  update public.user_memory as m set status = 'superseded', valid_to = greatest(now(), m.valid_from)
  where m.id = end_memory.memory_id and m.user_id = (select auth.uid()) and m.status = 'active';
  get diagnostics touched = row_count;
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.end_memory(uuid) is 'Ends one memory of the caller: it stays as history, without a successor.';
grant execute on function keepsake.end_memory(uuid) to authenticated;
create function public.end_memory(memory_id uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.end_memory(memory_id);
end;
comment on function public.end_memory(uuid) is 'Say that one of your memories no longer holds; it stays in the history.';
revoke all on function public.end_memory(uuid) from public, anon, authenticated, service_role;
grant execute on function public.end_memory(uuid) to authenticated;
create function keepsake.set_memory_persona(memory_id uuid, persona_id text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', case when persona_id is null then 'tell every persona'
    else 'tell one persona alone' end);
  touched bigint;
begin
  perform keepsake.require_memory(set_memory_persona.memory_id);
  if char_length(persona_id) > 200 or persona_id !~ '\S' or not keepsake.is_clean_text(persona_id) then
    raise exception using errcode = 'PT400', message = 'A persona has a name of 1 to 200 characters; null is every one.';
  end if;
  perform keepsake.lock_merges(m.user_id, array[m.profile_id::text])
  from public.user_memory as m where m.id = set_memory_persona.memory_id and m.user_id = (select auth.uid());
  update public.user_memory as m set persona_id = set_memory_persona.persona_id
  where m.id = set_memory_persona.memory_id and m.user_id = (select auth.uid())
    and m.persona_id is distinct from set_memory_persona.persona_id;
  get diagnostics touched = row_count;
  return keepsake.end_operation(operation, touched);
exception when unique_violation then
  raise exception using errcode = 'PT409', message = 'Another memory says something about the same thing there.',
    hint = 'Forget one of the two first.';
end
$$;
comment on function keepsake.set_memory_persona(uuid, text) is 'Restricts a memory of the caller to one persona; null is every persona.';
grant execute on function keepsake.set_memory_persona(uuid, text) to authenticated;
create function public.set_memory_persona(memory_id uuid, persona_id text default null) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.set_memory_persona(memory_id, persona_id);
end;
comment on function public.set_memory_persona(uuid, text) is 'Say which persona alone may know one of your memories; without one, every persona.';
revoke all on function public.set_memory_persona(uuid, text) from public, anon, authenticated, service_role;
grant execute on function public.set_memory_persona(uuid, text) to authenticated;
create function public.conversations(public.user_memory) returns setof keepsake_chats.conversations
language sql stable rows 1 set search_path = ''
begin atomic
  select c.* from keepsake_chats.conversations as c where c.id = ($1).conversation_id;
end;
comment on function public.conversations(public.user_memory) is 'The conversation that a memory comes from, to be embedded.';
revoke all on function public.conversations(public.user_memory) from public, anon, authenticated, service_role;
grant execute on function public.conversations(public.user_memory) to authenticated, service_role;
create function keepsake.entity_slug(name text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return btrim(left(btrim(regexp_replace(
    regexp_replace(lower(normalize(name, NFKC)), '[^[:alnum:]\s_-]', '', 'g'), '[\s_-]+', '_', 'g'), '_'), 80), '_');
end
$$;
comment on function keepsake.entity_slug(text) is 'A name as it is written in a key: lower case, without punctuation, spaces and hyphens as underscores.';
grant execute on function keepsake.entity_slug(text) to service_role;
create function keepsake.is_entity_key(key text) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return key ~ '^(person|place|org|project):[^\s:|]{1,100}$' and keepsake.is_clean_text(key);
end
$$;
comment on function keepsake.is_entity_key(text) is 'Whether the text is a valid entity key: kind, colon, slug.';
grant execute on function keepsake.is_entity_key(text) to service_role;
create function keepsake.entity_names(key text, label text, aliases text[]) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return array(
    select distinct replace(n.slug, '_', ' ')
    from (
      select split_part(key, ':', 2) as slug
      union all select keepsake.entity_slug(u.name) from unnest(label || aliases) as u (name)
    ) as n
    where n.slug <> '' order by 1
  );
end
$$;
comment on function keepsake.entity_names(text, text, text[]) is 'All names of an entity in the form in which they are searched: lower case, without punctuation.';
grant execute on function keepsake.entity_names(text, text, text[]) to service_role;
create table public.user_memory_entities (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  key text not null constraint user_memory_entities_key_form check (keepsake.is_entity_key(key)),
  kind text not null generated always as (split_part(key, ':', 1)) stored,
  label text not null
    constraint user_memory_entities_label check (char_length(label) <= 120 and label ~ '\S' and label !~ '[\t\n]'
      and keepsake.is_clean_text(label)),
  renamed boolean not null default false,
  aliases text[] not null default '{}'
    constraint user_memory_entities_aliases check (array_position(aliases, null) is null and cardinality(aliases) <= 50),
  names text[] not null generated always as (keepsake.entity_names(key, label, aliases)) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, id),
  constraint user_memory_entities_key unique (user_id, profile_id, key),
  constraint user_memory_entities_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_entities is 'The people, places, organizations and projects a person''s memories are about.';
comment on column public.user_memory_entities.key is 'What the memories'' entity_refs say: person:john_doe.';
comment on column public.user_memory_entities.kind is 'person, place, org or project.';
comment on column public.user_memory_entities.label is 'What it is called where people read it.';
comment on column public.user_memory_entities.renamed is 'Whether the person chose the label.';
comment on column public.user_memory_entities.aliases is 'What else it is called, as the person confirmed.';
comment on column public.user_memory_entities.names is 'All its names in their plain form: a message that says one speaks of it.';
alter table public.user_memory_entities alter column user_id set statistics 0, alter column profile_id set statistics 0, alter column key set statistics 0, alter column label set statistics 0, alter column aliases set statistics 0, alter column names set statistics 0;
alter table public.user_memory_entities enable row level security, force row level security;
revoke all on public.user_memory_entities from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_entities to service_role;
grant select on public.user_memory_entities to authenticated;
create policy "People see whom and what their memories are about" on public.user_memory_entities for select to authenticated using ((select auth.uid()) = user_id);
create function keepsake.canonical_entity_refs(person uuid, profile uuid, refs text[]) returns text[]
language plpgsql stable set search_path = '' as $$
begin
  return coalesce((
    select array_agg(m.key order by m.position)
    from (
      select coalesce(exact.key, known.key, u.ref) as key, min(u.position) as position
      from unnest(refs) with ordinality as u (ref, position)
      left join public.user_memory_entities as exact
        on exact.user_id = person and exact.profile_id = profile and exact.key = u.ref
      left join lateral (
        select e.key from public.user_memory_entities as e
        where exact.key is null and e.user_id = person and e.profile_id = profile
          and e.kind = split_part(u.ref, ':', 1) and replace(split_part(u.ref, ':', 2), '_', ' ') = any (e.names)
        order by e.created_at, e.key limit 1
      ) as known on true
      where keepsake.is_entity_key(u.ref)
      group by 1
    ) as m
  ), '{}');
end
$$;
comment on function keepsake.canonical_entity_refs(uuid, uuid, text[]) is 'The entity keys with aliases resolved and without duplicates and invalid keys.';
grant execute on function keepsake.canonical_entity_refs(uuid, uuid, text[]) to service_role;
create function keepsake.canonicalize_entity_refs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('keepsake.raw_write', true) is distinct from 'on' then
    new.entity_refs := keepsake.canonical_entity_refs(new.user_id, new.profile_id, new.entity_refs);
  end if;
  return new;
end
$$;
comment on function keepsake.canonicalize_entity_refs() is 'Replaces names and aliases in entity_refs by the entity''s own key.';
create function keepsake.ensure_entities() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  keys text[] := array(select distinct r.ref from unnest(new.entity_refs) as r (ref)
    where r.ref <> 'person:self' and keepsake.is_entity_key(r.ref) order by 1);
  locked bigint;
begin
  loop
    -- This lock makes the deletion of an entity's last memory wait for this one, and then keep the entity.
    perform from public.user_memory_entities as e
    where e.user_id = new.user_id and e.profile_id = new.profile_id and e.key = any (keys) order by e.key for key share;
    get diagnostics locked = row_count;
    exit when locked = cardinality(keys);
    -- Created with the memory and deleted with it, also by undo: not logged as a change of its own.
    perform set_config('keepsake.implicit_entity_change', 'on', true);
    insert into public.user_memory_entities (user_id, profile_id, key, label)
    select new.user_id, new.profile_id, k.key,
      case when keepsake.entity_slug(new.entity_label) = split_part(k.key, ':', 2) and char_length(new.entity_label) <= 120
          and keepsake.is_clean_text(new.entity_label) and new.entity_label !~ '[\t\n]' then btrim(new.entity_label)
        else initcap(replace(split_part(k.key, ':', 2), '_', ' ')) end
    from unnest(keys) as k (key)
    on conflict (user_id, profile_id, key) do nothing;
    perform set_config('keepsake.implicit_entity_change', '', true);
  end loop;
  return null;
end
$$;
comment on function keepsake.ensure_entities() is 'Creates the missing entities of a memory.';
create function keepsake.delete_unreferenced_entities(person uuid, profile uuid, refs text[]) returns void
language plpgsql set search_path = '' as $$
declare
  is_raw_write boolean := coalesce(current_setting('keepsake.raw_write', true) = 'on', false);
  deleted record;
begin
  perform from public.user_memory_entities as e
  where e.user_id = person and e.profile_id = profile and e.key = any (refs) order by e.key for update;
  perform set_config('keepsake.implicit_entity_change', 'on', true);
  for deleted in  -- checked after the lock: another transaction may have added a reference
    delete from public.user_memory_entities as e
    where e.user_id = person and e.profile_id = profile and e.key = any (refs)
      and not (is_raw_write and (e.renamed or e.aliases <> '{}'))  -- labels and aliases stay for a redo
      and not exists (select from public.user_memory as m
        where m.user_id = person and m.profile_id = profile and m.entity_refs <> '{}' and e.key = any (m.entity_refs))
    returning e.id
  loop
    delete from keepsake.changes as c
    where not is_raw_write and c.user_id = person and c.table_name = 'user_memory_entities' and c.row_id = deleted.id;
  end loop;
  perform set_config('keepsake.implicit_entity_change', '', true);
end
$$;
comment on function keepsake.delete_unreferenced_entities(uuid, uuid, text[]) is 'Deletes those of the entities that no memory in any state refers to, with their part of the audit log.';
grant execute on function keepsake.delete_unreferenced_entities(uuid, uuid, text[]) to service_role;
create function keepsake.delete_entities_of_deleted_memories() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform keepsake.delete_unreferenced_entities(d.user_id, d.profile_id, d.refs)
  from (
    select g.user_id, g.profile_id, array_agg(distinct r.ref) as refs
    from deleted as g cross join lateral unnest(g.entity_refs) as r (ref)
    where r.ref <> 'person:self'
    group by g.user_id, g.profile_id order by g.user_id, g.profile_id
  ) as d;
  return null;
end
$$;
comment on function keepsake.delete_entities_of_deleted_memories() is 'Deletes the entities whose last memory was deleted.';
create function keepsake.delete_entities_after_update() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- A merge and a raw write maintain the entities themselves.
  if 'on' not in (coalesce(current_setting('keepsake.entity_decision', true), ''),
    coalesce(current_setting('keepsake.raw_write', true), '')) then
    perform keepsake.delete_unreferenced_entities(old.user_id, old.profile_id, old.entity_refs);
  end if;
  return null;
end
$$;
comment on function keepsake.delete_entities_after_update() is 'Deletes the entities that a memory stopped referring to, unless another memory does.';
create trigger keepsake_06_canonicalize_new before insert on public.user_memory for each row when (new.entity_refs not in ('{}', '{person:self}')) execute function keepsake.canonicalize_entity_refs();
create trigger keepsake_06_canonicalize before update of entity_refs, profile_id on public.user_memory for each row when (new.entity_refs not in ('{}', '{person:self}') and (new.entity_refs, new.profile_id) is distinct from (old.entity_refs, old.profile_id)) execute function keepsake.canonicalize_entity_refs();
create trigger keepsake_21_entities_new after insert on public.user_memory for each row when (new.entity_refs not in ('{}', '{person:self}')) execute function keepsake.ensure_entities();
create trigger keepsake_21_entities after update of entity_refs, profile_id on public.user_memory for each row when (new.entity_refs not in ('{}', '{person:self}') and (new.entity_refs, new.profile_id) is distinct from (old.entity_refs, old.profile_id)) execute function keepsake.ensure_entities();
create trigger keepsake_22_entities after update of entity_refs, profile_id on public.user_memory for each row when (old.entity_refs not in ('{}', '{person:self}') and (new.entity_refs, new.profile_id) is distinct from (old.entity_refs, old.profile_id)) execute function keepsake.delete_entities_after_update();
create trigger keepsake_22_entities_deleted after delete on public.user_memory referencing old table as deleted for each statement execute function keepsake.delete_entities_of_deleted_memories();
create function keepsake.rename_in_key(key text, old_name text, new_name text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  renamed text;
begin
  select string_agg(case when p.part = old_name then new_name else p.part end, '|' order by p.position) into renamed
  from unnest(string_to_array(key, '|')) with ordinality as p (part, position);
  return case when char_length(renamed) <= 300 then renamed else key end;
end
$$;
comment on function keepsake.rename_in_key(text, text, text) is 'The memory key with one name replaced by another.';
grant execute on function keepsake.rename_in_key(text, text, text) to service_role;
create function keepsake.rename_relation_key(key text, relation text, name text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  prefix text := 'relationship|person|' || relation || '|';
  rest text := substr(key, char_length(prefix) + 1);
begin
  return case
    when not starts_with(key, prefix) or rest = 'name' or split_part(rest, '|', 1) = name or char_length(key || name) >= 300
      then key
    else prefix || name || '|' || rest end;
end
$$;
comment on function keepsake.rename_relation_key(text, text, text) is 'The memory key of a relative, with their name once it is known: mother|home becomes mother|anna|home.';
grant execute on function keepsake.rename_relation_key(text, text, text) to service_role;
create function keepsake.merge_entities(person uuid, profile uuid, variant text, kept text, as_relation boolean default false)
returns bigint
language plpgsql set search_path = '' as $$
declare
  old_name text := split_part(variant, ':', 2);
  new_name text := split_part(kept, ':', 2);
  candidate record;
  other public.user_memory;
  loser uuid;
  winner uuid;
  touched bigint;
begin
  perform set_config('keepsake.entity_decision', 'on', true);
  perform from public.user_memory as m
  where m.user_id = person and m.profile_id = profile and (variant = any (m.entity_refs) or kept = any (m.entity_refs))
  order by m.id for no key update;
  -- Only one statement of a key can be current. Precedence: pinned, then confirmed, then the later.
  for candidate in
    select m.*, case when as_relation then keepsake.rename_relation_key(m.memory_key, old_name, new_name)
      else keepsake.rename_in_key(m.memory_key, old_name, new_name) end as new_key
    from public.user_memory as m
    where m.user_id = person and m.profile_id = profile and variant = any (m.entity_refs)
      and m.status = 'active' and m.memory_key is not null
    order by m.id
  loop
    select o.* into other from public.user_memory as o
    where o.user_id = person and o.profile_id = profile and o.status = 'active' and o.memory_key = candidate.new_key
      and o.id <> candidate.id and o.persona_id is not distinct from candidate.persona_id
    for no key update;
    continue when not found;
    if (candidate.pinned, candidate.confidence_score >= 1 or candidate.source = 'user',
        coalesce(candidate.restated_at, candidate.valid_from), candidate.memory_no)
      > (other.pinned, other.confidence_score >= 1 or other.source = 'user',
        coalesce(other.restated_at, other.valid_from), other.memory_no) then
      winner := candidate.id;
      loser := other.id;
    else
      winner := other.id;
      loser := candidate.id;
    end if;
    update public.user_memory as m
    set status = 'superseded',
      valid_to = greatest(candidate.valid_from, candidate.restated_at, other.valid_from, other.restated_at)
    where m.user_id = person and m.id = loser;
    update public.user_memory as m
    set supersedes_id = coalesce(m.supersedes_id, loser),
      importance = greatest(m.importance, candidate.importance, other.importance),
      reference_count = least(32767, candidate.reference_count::int + other.reference_count)
    where m.user_id = person and m.id = winner;
  end loop;
  update public.user_memory as m
  set entity_refs = array(
      select case when r.ref = variant then kept else r.ref end
      from unnest(m.entity_refs) with ordinality as r (ref, position) group by 1 order by min(r.position)),
    memory_key = case when as_relation then keepsake.rename_relation_key(m.memory_key, old_name, new_name)
      else keepsake.rename_in_key(m.memory_key, old_name, new_name) end,
    value = case when not as_relation and m.value = old_name then new_name else m.value end,
    updated_at = now()
  where m.user_id = person and m.profile_id = profile and variant = any (m.entity_refs);
  get diagnostics touched = row_count;
  perform keepsake.absorb_entity(person, profile, variant, kept, as_relation);
  perform set_config('keepsake.entity_decision', '', true);
  return touched;
end
$$;
comment on function keepsake.merge_entities(uuid, uuid, text, text, boolean) is 'Moves the memories of one entity to another: references, keys, and of two statements with one key the later stays.';
grant execute on function keepsake.merge_entities(uuid, uuid, text, text, boolean) to service_role;
create function keepsake.absorb_entity(person uuid, profile uuid, absorbed text, kept text, as_relation boolean) returns void
language plpgsql set search_path = '' as $$
declare
  old_entity public.user_memory_entities;
begin
  select e.* into old_entity from public.user_memory_entities as e
  where e.user_id = person and e.profile_id = profile and e.key = absorbed for update;
  update public.user_memory_entities as e
  set aliases = array(
      select u.name from unnest(e.aliases || old_entity.aliases
        || case when not as_relation or old_entity.renamed then old_entity.label end) with ordinality as u (name, position)
      where u.name is not null and u.name <> e.label group by u.name order by min(u.position) limit 50),
    updated_at = now()
  where e.user_id = person and e.profile_id = profile and e.key = kept
    and (not as_relation or old_entity.renamed or old_entity.aliases <> '{}');
  delete from public.user_memory_alias_proposals as p
  where p.user_id = person and p.profile_id = profile and absorbed in (p.key, p.variant) and kept not in (p.key, p.variant)
    and exists (
      select from public.user_memory_alias_proposals as o
      where o.user_id = person and o.profile_id = profile and kept in (o.key, o.variant)
        and (o.key in (p.key, p.variant) or o.variant in (p.key, p.variant)) and absorbed not in (o.key, o.variant));
  update public.user_memory_alias_proposals as p
  set key = case when p.key = absorbed then kept else p.key end,
    variant = case when p.variant = absorbed then kept else p.variant end
  where p.user_id = person and p.profile_id = profile and absorbed in (p.key, p.variant)
    and kept not in (p.key, p.variant);
  delete from public.user_memory_entities as e
  where e.user_id = person and e.profile_id = profile and e.key = absorbed;
end
$$;
comment on function keepsake.absorb_entity(uuid, uuid, text, text, boolean) is 'Deletes an entity whose memories were candidate to another, which gets its names and open proposals.';
grant execute on function keepsake.absorb_entity(uuid, uuid, text, text, boolean) to service_role;
create function keepsake.lock_entity_of_caller(entity_id uuid) returns public.user_memory_entities
language plpgsql set search_path = '' as $$
declare
  entity public.user_memory_entities;
begin
  select e.* into entity from public.user_memory_entities as e
  where e.id = lock_entity_of_caller.entity_id and e.user_id = (select auth.uid());
  if not found then
    raise exception using errcode = 'PT404', message = 'There is no such entity, or it is not yours.';
  end if;
  perform keepsake.lock_merges(entity.user_id, array[entity.profile_id::text]);
  select e.* into entity from public.user_memory_entities as e
  where e.id = lock_entity_of_caller.entity_id and e.user_id = (select auth.uid()) for update;
  if not found then
    raise exception using errcode = 'PT404', message = 'There is no such entity any more.';
  end if;
  return entity;
end
$$;
comment on function keepsake.lock_entity_of_caller(uuid) is 'Locks an entity of the caller, after the merge lock of its profile; raises PT404 unless it is theirs.';
create function keepsake.validate_entity_name(name text) returns text
language plpgsql immutable set search_path = '' as $$
begin
  if name is null or keepsake.entity_slug(name) = '' or char_length(name) > 120 or name ~ '[\t\n]'
    or not keepsake.is_clean_text(name) then
    raise exception using errcode = 'PT400', message = 'A name has 1 to 120 characters, a letter or digit among them, on one line.';
  elsif array_length(regexp_split_to_array(btrim(name), '\s+'), 1) > 8 or name ~ '[@:;<>{}|\\=_]'
    or char_length(regexp_replace(name, '\D', '', 'g')) > 4
    or exists (  -- a long word of letters and digits is a key
      select from regexp_split_to_table(name, '\s+') as w (word) where w.word ~ '\d' and char_length(w.word) > 12
    ) then
    raise exception using errcode = 'PT400', message = 'This does not look like a name.',
      hint = 'A name has at most 8 words and 4 digits, and no @ : ; < > { } | \ = _.';
  end if;
  return btrim(name);
end
$$;
comment on function keepsake.validate_entity_name(text) is 'The name as it is stored; raises PT400 for an invalid one.';
create function keepsake.rename_entity(entity_id uuid, label text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  entity public.user_memory_entities := keepsake.lock_entity_of_caller(rename_entity.entity_id);
  name text := keepsake.validate_entity_name(rename_entity.label);
  operation uuid := keepsake.begin_operation('user', 'rename an entity');
  touched bigint;
begin
  perform set_config('keepsake.entity_decision', 'on', true);
  update public.user_memory_entities as e set label = name, renamed = true, updated_at = now()
  where e.id = entity.id and e.user_id = (select auth.uid()) and (e.label <> name or not e.renamed);
  get diagnostics touched = row_count;
  perform set_config('keepsake.entity_decision', '', true);
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.rename_entity(uuid, text) is 'Gives an entity of the caller another label.';
grant execute on function keepsake.rename_entity(uuid, text) to authenticated;
create function keepsake.add_entity_alias(entity_id uuid, alias text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  entity public.user_memory_entities := keepsake.lock_entity_of_caller(add_entity_alias.entity_id);
  name text := keepsake.validate_entity_name(add_entity_alias.alias);
  other text := (select e.key from public.user_memory_entities as e
    where e.user_id = entity.user_id and e.profile_id = entity.profile_id and e.kind = entity.kind and e.id <> entity.id
      and e.key = entity.kind || ':' || keepsake.entity_slug(name));
  operation uuid := keepsake.begin_operation('user', 'add an alias');
  touched bigint := 0;
begin
  if other is not null then
    touched := keepsake.merge_entities(entity.user_id, entity.profile_id, other, entity.key);
  end if;
  perform set_config('keepsake.entity_decision', 'on', true);
  update public.user_memory_entities as e set aliases = e.aliases || name, updated_at = now()
  where e.id = entity.id and e.user_id = (select auth.uid()) and name <> all (e.aliases || e.label)
    and cardinality(e.aliases) < 50;
  touched := touched + case when found or other is not null then 1 else 0 end;
  perform set_config('keepsake.entity_decision', '', true);
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.add_entity_alias(uuid, text) is 'Adds a name to an entity of the caller; an entity that has it as its key is merged into this one.';
grant execute on function keepsake.add_entity_alias(uuid, text) to authenticated;
create function keepsake.remove_entity_alias(entity_id uuid, alias text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  entity public.user_memory_entities := keepsake.lock_entity_of_caller(remove_entity_alias.entity_id);
  operation uuid := keepsake.begin_operation('user', 'remove an alias');
  touched bigint;
begin
  perform set_config('keepsake.entity_decision', 'on', true);
  update public.user_memory_entities as e
  set aliases = array_remove(e.aliases, btrim(remove_entity_alias.alias)), updated_at = now()
  where e.id = entity.id and e.user_id = (select auth.uid()) and btrim(remove_entity_alias.alias) = any (e.aliases);
  get diagnostics touched = row_count;
  perform set_config('keepsake.entity_decision', '', true);
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.remove_entity_alias(uuid, text) is 'Removes an alias of an entity of the caller; entities that were merged stay merged until that is undone.';
grant execute on function keepsake.remove_entity_alias(uuid, text) to authenticated;
create function public.rename_entity(entity_id uuid, label text) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.rename_entity(entity_id, label);
end;
comment on function public.rename_entity(uuid, text) is 'Call somebody or something your memories name otherwise.';
revoke all on function public.rename_entity(uuid, text) from public, anon, authenticated, service_role;
grant execute on function public.rename_entity(uuid, text) to authenticated;
create function public.add_entity_alias(entity_id uuid, alias text) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.add_entity_alias(entity_id, alias);
end;
comment on function public.add_entity_alias(uuid, text) is 'Say what else somebody or something is called.';
revoke all on function public.add_entity_alias(uuid, text) from public, anon, authenticated, service_role;
grant execute on function public.add_entity_alias(uuid, text) to authenticated;
create function public.remove_entity_alias(entity_id uuid, alias text) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.remove_entity_alias(entity_id, alias);
end;
comment on function public.remove_entity_alias(uuid, text) is 'Say what somebody or something is not called.';
revoke all on function public.remove_entity_alias(uuid, text) from public, anon, authenticated, service_role;
grant execute on function public.remove_entity_alias(uuid, text) to authenticated;
create table public.user_memory_alias_proposals (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  key text not null constraint user_memory_alias_proposals_key check (keepsake.is_entity_key(key)),
  variant text not null constraint user_memory_alias_proposals_variant check (keepsake.is_entity_key(variant) and variant <> key),
  similarity numeric(4, 3) not null constraint user_memory_alias_proposals_similarity check (similarity between 0 and 1),
  status text not null default 'proposed'
    constraint user_memory_alias_proposals_status check (status in ('proposed', 'confirmed', 'refused')),
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  primary key (user_id, id),
  constraint user_memory_alias_proposals_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
create unique index user_memory_alias_proposals_pair on public.user_memory_alias_proposals (user_id, profile_id, least(key, variant), greatest(key, variant));
comment on table public.user_memory_alias_proposals is 'Names that may be one entity''s: the person decides, and a refused pair is never proposed again.';
comment on column public.user_memory_alias_proposals.key is 'The entity that stays if it is confirmed.';
comment on column public.user_memory_alias_proposals.variant is 'The entity whose memories would become those of the other.';
comment on column public.user_memory_alias_proposals.similarity is 'How alike the names are, from 0 to 1.';
comment on index public.user_memory_alias_proposals_pair is 'A pair is proposed once, whichever came first.';
alter index public.user_memory_alias_proposals_pair alter column 3 set statistics 0;
alter index public.user_memory_alias_proposals_pair alter column 4 set statistics 0;
alter table public.user_memory_alias_proposals alter column user_id set statistics 0, alter column profile_id set statistics 0, alter column key set statistics 0, alter column variant set statistics 0;
alter table public.user_memory_alias_proposals enable row level security, force row level security;
revoke all on public.user_memory_alias_proposals from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_alias_proposals to service_role;
grant select on public.user_memory_alias_proposals to authenticated;
create policy "People see which names may be one" on public.user_memory_alias_proposals for select to authenticated using ((select auth.uid()) = user_id);
create function keepsake.is_entity_decision() returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return current_setting('keepsake.entity_decision', true) is not distinct from 'on'
    or (current_setting('keepsake.raw_write', true) is not distinct from 'on'
      and current_setting('keepsake.implicit_entity_change', true) is distinct from 'on');
end
$$;
comment on function keepsake.is_entity_decision() is 'Whether a change of an entity is a person''s decision and is logged; what a memory implies is not.';
grant execute on function keepsake.is_entity_decision() to service_role;
create trigger keepsake_50_log after insert or update or delete on public.user_memory_entities for each row when (keepsake.is_entity_decision()) execute function keepsake.log_change('user_memory_entities');
create trigger keepsake_50_log after insert or update or delete on public.user_memory_alias_proposals for each row when (keepsake.is_entity_decision()) execute function keepsake.log_change('user_memory_alias_proposals');
create function keepsake.delete_alias_proposals() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not keepsake.is_entity_decision() then
    with deleted as (
      delete from public.user_memory_alias_proposals as p
      where p.user_id = old.user_id and p.profile_id = old.profile_id and old.key in (p.key, p.variant)
      returning p.id
    )
    delete from keepsake.changes as c using deleted as g
    where c.user_id = old.user_id and c.table_name = 'user_memory_alias_proposals' and c.row_id = g.id;
  end if;
  return null;
end
$$;
comment on function keepsake.delete_alias_proposals() is 'Deletes the alias proposals of a deleted entity, and their part of the audit log.';
create trigger keepsake_22_proposals after delete on public.user_memory_entities for each row execute function keepsake.delete_alias_proposals();
create function keepsake.decide_alias(person uuid, proposal_id uuid, decision text) returns jsonb
language plpgsql set search_path = '' as $$
declare
  pair public.user_memory_alias_proposals;
  operation uuid;
  touched bigint := 0;
begin
  select p.* into pair from public.user_memory_alias_proposals as p
  where p.id = decide_alias.proposal_id and p.user_id = person;
  if not found then
    raise exception using errcode = 'PT404', message = 'There is no such proposal, or it is not yours.';
  end if;
  perform keepsake.lock_merges(pair.user_id, array[pair.profile_id::text]);
  select p.* into pair from public.user_memory_alias_proposals as p
  where p.id = decide_alias.proposal_id and p.user_id = person for update;
  operation := keepsake.begin_operation('user', decision || ' an alias');
  if pair.status = 'confirmed' and decision = 'refuse' then
    raise exception using errcode = 'PT409', message = 'They are one already.', hint = 'Undo the operation that joined them.';
  elsif pair.id is not null and pair.status is distinct from (decision || case decision when 'refuse' then 'd' else 'ed' end) then
    if decision = 'confirm' then
      touched := keepsake.merge_entities(pair.user_id, pair.profile_id, pair.variant, pair.key);
    end if;
    perform set_config('keepsake.entity_decision', 'on', true);
    update public.user_memory_alias_proposals as p
    set status = case decision when 'confirm' then 'confirmed' else 'refused' end, decided_at = now()
    where p.id = pair.id and p.user_id = person;
    touched := touched + 1;
    perform set_config('keepsake.entity_decision', '', true);
  end if;
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.decide_alias(uuid, uuid, text) is 'Applies a person''s decision about a proposal: confirm or refuse.';
create function keepsake.confirm_alias(proposal_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  return keepsake.decide_alias((select auth.uid()), confirm_alias.proposal_id, 'confirm');
end
$$;
comment on function keepsake.confirm_alias(uuid) is 'The caller confirms that two names belong to one entity.';
grant execute on function keepsake.confirm_alias(uuid) to authenticated;
create function keepsake.refuse_alias(proposal_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  return keepsake.decide_alias((select auth.uid()), refuse_alias.proposal_id, 'refuse');
end
$$;
comment on function keepsake.refuse_alias(uuid) is 'The caller states that two names belong to two entities.';
grant execute on function keepsake.refuse_alias(uuid) to authenticated;
create function public.confirm_alias(proposal_id uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.confirm_alias(proposal_id);
end;
comment on function public.confirm_alias(uuid) is 'Say that two names are one: what is remembered of either is joined, and can be undone.';
revoke all on function public.confirm_alias(uuid) from public, anon, authenticated, service_role;
grant execute on function public.confirm_alias(uuid) to authenticated;
create function public.refuse_alias(proposal_id uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.refuse_alias(proposal_id);
end;
comment on function public.refuse_alias(uuid) is 'Say that two names are not one; they are never proposed again.';
revoke all on function public.refuse_alias(uuid) from public, anon, authenticated, service_role;
grant execute on function public.refuse_alias(uuid) to authenticated;
create table public.user_memory_places (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  place_id text not null
    constraint user_memory_places_place_id check (char_length(place_id) between 1 and 200 and place_id ~ '\S'
      and place_id !~ '[\t\n]' and keepsake.is_clean_text(place_id)),
  name text not null
    constraint user_memory_places_name check (char_length(name) <= 200 and name ~ '\S' and name !~ '[\t\n]'
      and keepsake.is_clean_text(name)),
  notes text
    constraint user_memory_places_notes check (char_length(notes) <= 500 and notes !~ '[\t\n]'
      and keepsake.is_clean_text(notes)),
  source text not null default 'agent_tool'
    constraint user_memory_places_source check (source in ('user', 'agent_tool', 'import')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, id),
  constraint user_memory_places_place unique (user_id, profile_id, place_id),
  constraint user_memory_places_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_places is 'Places that matter to a person: home, work, a favorite café.';
comment on column public.user_memory_places.place_id is 'What the agent or the host calls it: its own id, or one of a map service.';
comment on column public.user_memory_places.name is 'What people call it.';
alter table public.user_memory_places alter column user_id set statistics 0, alter column profile_id set statistics 0, alter column place_id set statistics 0, alter column name set statistics 0, alter column notes set statistics 0;
alter table public.user_memory_places enable row level security, force row level security;
revoke all on public.user_memory_places from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_places to service_role;
grant select on public.user_memory_places to authenticated;
grant update (name, notes) on public.user_memory_places to authenticated;
create policy "People see their own places" on public.user_memory_places for select to authenticated using ((select auth.uid()) = user_id);
create policy "People rename their own places" on public.user_memory_places for update to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
create table public.user_memory_place_mentions (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  place uuid not null,
  conversation_id uuid,
  source_message_id uuid,
  mentioned_at timestamptz not null default now(),
  primary key (user_id, id),
  constraint user_memory_place_mentions_once unique (user_id, place, source_message_id),
  constraint user_memory_place_mentions_place foreign key (user_id, place)
    references public.user_memory_places (user_id, id) on delete cascade,
  constraint user_memory_place_mentions_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade,
  constraint user_memory_place_mentions_conversation foreign key (user_id, conversation_id)
    references keepsake_chats.conversations_participants (user_id, conversation_id) on delete set null (conversation_id),
  constraint user_memory_place_mentions_message foreign key (user_id, source_message_id)
    references keepsake_chats.messages (user_id, id) on delete set null (source_message_id)
);
create index user_memory_place_mentions_profile on public.user_memory_place_mentions (user_id, profile_id);
create index user_memory_place_mentions_conversation on public.user_memory_place_mentions (user_id, conversation_id);
create index user_memory_place_mentions_message on public.user_memory_place_mentions (user_id, source_message_id);
comment on table public.user_memory_place_mentions is 'Each turn in which a person spoke of a place of theirs.';
alter table public.user_memory_place_mentions alter column user_id set statistics 0, alter column profile_id set statistics 0, alter column place set statistics 0, alter column conversation_id set statistics 0, alter column source_message_id set statistics 0;
alter table public.user_memory_place_mentions enable row level security, force row level security;
revoke all on public.user_memory_place_mentions from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_place_mentions to service_role;
grant select on public.user_memory_place_mentions to authenticated;
create policy "People see where they spoke of their places" on public.user_memory_place_mentions for select to authenticated using ((select auth.uid()) = user_id);
create function keepsake.normalize_place() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_setting('keepsake.raw_write', true) = 'on' and current_user <> 'authenticated' then
    return new;
  end if;
  new.updated_at := now();
  if current_user = 'authenticated' then
    new.source := 'user';
  end if;
  return new;
end
$$;
comment on function keepsake.normalize_place() is 'Sets updated_at, and the source user on a person''s own edit.';
create trigger keepsake_05_normalize before update on public.user_memory_places for each row when (old.* is distinct from new.*) execute function keepsake.normalize_place();
create function keepsake.clean_place() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.name := keepsake.clean_text(new.name);
  new.notes := keepsake.clean_text(new.notes);
  return new;
end
$$;
comment on function keepsake.clean_place() is 'Cleans the name and the notes of a place.';
create trigger keepsake_03_clean before update of name, notes on public.user_memory_places for each row execute function keepsake.clean_place();
create trigger keepsake_50_log after insert or update or delete on public.user_memory_places for each row execute function keepsake.log_change('user_memory_places');
create trigger keepsake_50_log after insert or update or delete on public.user_memory_place_mentions for each row execute function keepsake.log_change('user_memory_place_mentions');
create function keepsake.forget_place(place uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', 'forget a place');
  touched bigint;
begin
  -- The mentions are deleted first, so that undo, in reverse order, restores the place before them.
  delete from public.user_memory_place_mentions as m
  where m.place = forget_place.place and m.user_id = (select auth.uid());
  delete from public.user_memory_places as p where p.id = forget_place.place and p.user_id = (select auth.uid());
  get diagnostics touched = row_count;
  if touched = 0 then
    raise exception using errcode = 'PT404', message = 'There is no such place, or it is not yours.';
  end if;
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.forget_place(uuid) is 'Forgets a place of the caller, with its mentions.';
grant execute on function keepsake.forget_place(uuid) to authenticated;
create function public.forget_place(place uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.forget_place(place);
end;
comment on function public.forget_place(uuid) is 'Forget one of your places; it can be undone for 30 days.';
revoke all on function public.forget_place(uuid) from public, anon, authenticated, service_role;
grant execute on function public.forget_place(uuid) to authenticated;
create table keepsake.extractions (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  conversation_id uuid not null,
  source_message_id uuid not null,
  status text not null default 'pending'
    constraint extractions_status check (status in ('pending', 'claimed', 'extracted', 'skipped', 'quarantined')),
  reason text,
  generator text constraint extractions_generator check (generator in ('llm', 'rules')),
  claim_token uuid,
  claimed_at timestamptz,
  attempts smallint not null default 0,
  next_attempt_at timestamptz,
  results jsonb not null default '[]' constraint extractions_results check (jsonb_typeof(results) = 'array'),
  dropped jsonb not null default '{}' constraint extractions_dropped check (jsonb_typeof(dropped) = 'object'),
  truncated boolean not null default false,
  operation_id uuid,
  model_failures smallint not null default 0,
  bad_replies smallint not null default 0,
  waiting_since timestamptz,
  not_before timestamptz,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  model text,
  profile_id uuid,
  said_at timestamptz,
  primary key (user_id, id),
  constraint extractions_once unique (user_id, source_message_id),
  constraint extractions_claim check (status <> 'claimed' or (claim_token is not null and claimed_at is not null)),
  constraint extractions_author foreign key (user_id, source_message_id)
    references keepsake_chats.messages (user_id, id) on delete cascade
);
create index extractions_said on keepsake.extractions (user_id, profile_id, said_at) where said_at is not null;
create index extractions_due on keepsake.extractions (next_attempt_at) where status in ('pending', 'claimed');
comment on table keepsake.extractions is 'The state of each turn: pending, claimed, extracted, skipped (with the rule) or quarantined. Ids and counts only.';
comment on column keepsake.extractions.said_at is 'When the message was said; with profile_id where summaries may be written from it.';
comment on index keepsake.extractions_said is 'Finds what a person said in a period.';
comment on column keepsake.extractions.results is '[{"memory_id", "action"}]: returned again when the turn is delivered twice.';
comment on column keepsake.extractions.dropped is 'How many candidates were refused, by reason.';
comment on column keepsake.extractions.claim_token is 'The holder of the claim; a write with another token is rejected.';
comment on column keepsake.extractions.model_failures is 'How often the model was unavailable for this turn.';
comment on column keepsake.extractions.bad_replies is 'How often its reply was invalid, the retry included.';
comment on column keepsake.extractions.waiting_since is 'Since when the turn waits for the model; after a day the rules extract it.';
comment on column keepsake.extractions.not_before is 'The model is not called for this turn before this moment.';
comment on column keepsake.extractions.model is 'The model that read the turn, with the version of its prompt; null where the rules did.';
alter table keepsake.extractions alter column results set statistics 0, alter column dropped set statistics 0;
grant select, insert, update, delete on keepsake.extractions to service_role;
create index extractions_quarantined on keepsake.extractions (id) where status = 'quarantined';
comment on index keepsake.extractions_quarantined is 'Quarantined turns, which metrics count.';
create index extractions_unreadable on keepsake.extractions (finished_at) where reason = 'language';
comment on index keepsake.extractions_unreadable is 'Turns in a language that could not be read, which doctor counts.';
create index extractions_with_drops on keepsake.extractions (finished_at) where dropped - 'erased' <> '{}'::jsonb;
comment on index keepsake.extractions_with_drops is 'Finished extractions that still count what was dropped, oldest first.';
create function keepsake.message_time(created_at timestamptz, now timestamptz) returns timestamptz
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return case when created_at is not null then greatest(least(created_at, now), timestamptz '1900-01-01 00:00:00+00') end;
end
$$;
comment on function keepsake.message_time(timestamptz, timestamptz) is 'When a message counts as sent: its date, but not after now, and not before 1900. In plpgsql, because a session caches its plan.';
grant execute on function keepsake.message_time(timestamptz, timestamptz) to service_role;
create table keepsake.webhook_deliveries (
  webhook_id text primary key,
  status integer not null,
  outcome jsonb not null,
  received_at timestamptz not null default now()
);
create index webhook_deliveries_received on keepsake.webhook_deliveries (received_at);
comment on table keepsake.webhook_deliveries is 'Deliveries that were answered, with the answer: a repeated delivery gets the same one.';
alter table keepsake.webhook_deliveries alter column outcome set statistics 0;
grant select, insert, update, delete on keepsake.webhook_deliveries to service_role;
create table keepsake.unscreened_edits (
  user_id uuid not null,
  memory_id uuid not null,
  operation_id uuid not null,
  rejection text constraint unscreened_edits_rejection
    check (rejection in ('secret', 'instruction', 'financial_amount', 'bad_characters', 'bad_length')),
  edited_at timestamptz not null default clock_timestamp(),
  primary key (user_id, memory_id, operation_id),
  constraint unscreened_edits_memory foreign key (user_id, memory_id)
    references public.user_memory (user_id, id) on delete cascade
);
comment on table keepsake.unscreened_edits is 'Edits of a person that were not screened yet, and rejected ones that no context has mentioned yet; ids only.';
comment on column keepsake.unscreened_edits.rejection is 'Why the edit was undone; null: not screened yet.';
grant select, insert, update, delete on keepsake.unscreened_edits to service_role;
create function keepsake.mark_unscreened() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('keepsake.actor', true) = 'system' then
    return null;  -- a text from before a rejected edit
  end if;
  insert into keepsake.unscreened_edits (user_id, memory_id, operation_id)
  values (new.user_id, new.id, coalesce(nullif(current_setting('keepsake.operation_id', true), ''),
    nullif(current_setting('keepsake.implied_operation_id', true), ''))::uuid)
  on conflict do nothing;
  return null;
end
$$;
comment on function keepsake.mark_unscreened() is 'Lists what a person wrote directly, or brought back; it runs after log_change, which names the operation.';
create trigger keepsake_55_mark_new_unscreened after insert on public.user_memory for each row when (new.source = 'seeded_profile' and new.memory_text !~ '^(Name is|Goes by|Pronouns are) [[:alpha:]/''’.-]{1,30}( [[:alpha:]''’.-]{1,30})?$') execute function keepsake.mark_unscreened();
create trigger keepsake_55_mark_unscreened after update of memory_text, persona_id on public.user_memory for each row when ((new.memory_text, new.persona_id) is distinct from (old.memory_text, old.persona_id)) execute function keepsake.mark_unscreened();
create function keepsake.hidden_secret() returns text
language sql immutable parallel safe set search_path = '' return '[removed, as it held a secret]';
comment on function keepsake.hidden_secret() is 'What stands in the audit log in place of a text that held a secret.';
create function keepsake.hide_secret(edited public.user_memory, rejection uuid) returns void
language plpgsql set search_path = '' as $$
declare
  name text;
  restored public.user_memory;
begin
  select m.* into restored from public.user_memory as m where m.user_id = edited.user_id and m.id = edited.id;
  foreach name in array array['memory_text', 'persona_id', 'source_quote'] loop
    continue when to_jsonb(edited) ->> name is not distinct from to_jsonb(restored) ->> name;
    update keepsake.changes as c set
      before = case when c.before ->> name = to_jsonb(edited) ->> name
        then jsonb_set(c.before, array[name], to_jsonb(keepsake.hidden_secret())) else c.before end,
      after = case when c.after ->> name = to_jsonb(edited) ->> name
        then jsonb_set(c.after, array[name], to_jsonb(keepsake.hidden_secret())) else c.after end
    where c.user_id = edited.user_id and c.table_name = 'user_memory' and c.row_id = edited.id
      and (c.before ->> name = to_jsonb(edited) ->> name or c.after ->> name = to_jsonb(edited) ->> name);
  end loop;
  -- Nobody brings the secret back: there is nothing left to undo to.
  update keepsake.changes as c set undone_at = now()
  where c.user_id = edited.user_id and c.operation_id = rejection and c.undone_at is null;
end
$$;
comment on function keepsake.hide_secret(public.user_memory, uuid) is 'Takes the words of a rejected edit out of the audit log, and marks its rejection as one that is not undone.';
grant execute on function keepsake.hidden_secret(), keepsake.hide_secret(public.user_memory, uuid) to service_role;
create function keepsake.reject_edit(person uuid, edit keepsake.unscreened_edits, rejection text) returns boolean
language plpgsql set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('system', 'the edit was rejected: ' || reject_edit.rejection);
  touched bigint;
  edited public.user_memory;
begin
  select m.* into edited from public.user_memory as m where m.user_id = person and m.id = edit.memory_id;
  -- Where another memory has the key by now, this one does not come back.
  update public.user_memory as m set memory_text = b.memory_text, persona_id = b.persona_id,
    confidence_score = b.confidence_score, source = b.source, source_quote = b.source_quote, memory_key = b.memory_key,
    value = b.value, doubted_at = coalesce(m.doubted_at, b.doubted_at),
    status = case when m.status = 'active' and exists (
      select from public.user_memory as o
      where o.user_id = m.user_id and o.profile_id = m.profile_id and o.persona_id is not distinct from b.persona_id
        and o.memory_key = b.memory_key and o.status = 'active' and o.id <> m.id
    ) then 'deleted' else m.status end
  from (
    select r.* from keepsake.changes as c
    cross join lateral jsonb_populate_record(null::public.user_memory, c.before) as r
    where c.user_id = person and c.table_name = 'user_memory' and c.row_id = edit.memory_id
      and c.operation_id = edit.operation_id and c.before is not null
    order by c.seq limit 1
  ) as b
  where m.user_id = person and m.id = edit.memory_id
    and (m.memory_text, m.persona_id) is distinct from (b.memory_text, b.persona_id);
  get diagnostics touched = row_count;
  if touched = 0 then
    update public.user_memory as m set status = 'deleted',
      memory_text = case when reject_edit.rejection = 'secret' then keepsake.hidden_secret() else m.memory_text end
    where m.user_id = person and m.id = edit.memory_id and m.status <> 'deleted';
  end if;
  perform keepsake.end_operation(operation, 1);
  if reject_edit.rejection = 'secret' then
    perform keepsake.hide_secret(edited, operation);
  end if;
  return touched > 0;
end
$$;
comment on function keepsake.reject_edit(uuid, keepsake.unscreened_edits, text) is 'Writes back what an edit changed, with the reason; a memory whose text before is not known is deleted. Returns whether the text before came back.';
grant execute on function keepsake.reject_edit(uuid, keepsake.unscreened_edits, text) to service_role;
create function keepsake.mark_restored() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into keepsake.unscreened_edits (user_id, memory_id, operation_id)
  select new.user_id, new.id, coalesce(nullif(current_setting('keepsake.operation_id', true), ''),
    nullif(current_setting('keepsake.implied_operation_id', true), ''))::uuid
  where not exists (
    select from keepsake.unscreened_edits as e
    where e.user_id = new.user_id and e.memory_id = new.id and e.rejection is null
  )
  on conflict do nothing;
  return null;
end
$$;
comment on function keepsake.mark_restored() is 'Lists a memory that its person may have written and that came back, unless an edit of it is listed; it runs after log_change, which names the operation.';
create trigger keepsake_55_mark_restored after update of status on public.user_memory for each row when (old.status = 'deleted' and new.status <> 'deleted' and (new.source in ('user', 'seeded_profile') or new.persona_id is not null)) execute function keepsake.mark_restored();
create table keepsake.injections (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  conversation_id uuid not null,
  profile_id uuid,
  message_id uuid,
  answer_message_id uuid,
  memory_ids uuid[] not null default '{}',
  summary_ids uuid[] not null default '{}',
  message_ids uuid[] not null default '{}',
  token_count integer not null default 0,
  memory_count integer not null default 0,
  variant text not null default 'treatment' constraint injections_variant check (variant in ('treatment', 'control')),
  reason text,
  helpfulness numeric(4, 3) constraint injections_helpfulness check (helpfulness between 0 and 1),
  created_at timestamptz not null default now(),
  vector_outcome text
    constraint injections_vector_outcome check (vector_outcome in ('used', 'deadline', 'unavailable')),
  primary key (user_id, id),
  constraint injections_conversation foreign key (user_id, conversation_id)
    references keepsake_chats.conversations_participants (user_id, conversation_id) on delete cascade,
  constraint injections_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete set null (profile_id),
  constraint injections_message foreign key (user_id, message_id)
    references keepsake_chats.messages (user_id, id) on delete set null (message_id),
  constraint injections_answer foreign key (conversation_id, answer_message_id)
    references keepsake_chats.messages (conversation_id, id) on delete set null (answer_message_id)
);
create index injections_newest on keepsake.injections (user_id, created_at desc);
create index injections_conversation on keepsake.injections (user_id, conversation_id, created_at);
create index injections_profile on keepsake.injections (user_id, profile_id);
create index injections_message on keepsake.injections (user_id, message_id);
create index injections_answer on keepsake.injections (conversation_id, answer_message_id);
create index injections_created on keepsake.injections (created_at);
comment on table keepsake.injections is 'Which memories each context contained, its tokens, and how helpful it was.';
comment on column keepsake.injections.summary_ids is 'The summaries of which each context contained something.';
comment on column keepsake.injections.message_ids is 'The messages that these summaries rest on.';
comment on column keepsake.injections.variant is 'The arm of the experiment; control gets no memories, so that uplift can be measured.';
comment on column keepsake.injections.vector_outcome is 'Whether the message was compared by its vector, or why not; null where vectors are off or no memories were searched for.';
grant select, insert, update, delete on keepsake.injections to service_role;
create table keepsake.context_cache (
  user_id uuid not null,
  profile_id uuid not null,
  day date not null,
  context text not null
    constraint context_cache_text check (char_length(context) <= 1000 and keepsake.is_clean_text(context)),
  facts_hash text not null,
  day_hash text not null,
  history_hash text not null,
  fact_ids uuid[] not null default '{}',
  memory_ids uuid[] not null default '{}',
  summary_ids uuid[] not null default '{}',
  message_ids uuid[] not null default '{}',
  prompt_version text,
  created_at timestamptz not null default now(),
  primary key (user_id, profile_id),
  constraint context_cache_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table keepsake.context_cache is 'The merged context of each profile; as long as the three hashes are those of its inputs, it is not made again.';
comment on column keepsake.context_cache.day is 'The local date that was the current day.';
comment on column keepsake.context_cache.fact_ids is 'The memories that held: when one of them does not any more, the context is not shown.';
comment on column keepsake.context_cache.memory_ids is 'Every memory whose words may occur in it, the facts included.';
comment on column keepsake.context_cache.summary_ids is 'The day and the history that it merges.';
comment on column keepsake.context_cache.message_ids is 'The messages that the text rests on.';
alter table keepsake.context_cache alter column context set statistics 0, alter column facts_hash set statistics 0, alter column summary_ids set statistics 0, alter column message_ids set statistics 0, alter column day_hash set statistics 0, alter column history_hash set statistics 0, alter column prompt_version set statistics 0;
grant select, insert, update, delete on keepsake.context_cache to service_role;
create table keepsake.due_contexts (
  user_id uuid not null,
  profile_id uuid not null,
  due_at timestamptz not null,
  not_before timestamptz not null default 'epoch',
  is_changed boolean not null default false,
  model_failures integer not null default 0,
  bad_replies integer not null default 0,
  waiting_since timestamptz,
  primary key (user_id, profile_id),
  constraint due_contexts_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
create index due_contexts_due on keepsake.due_contexts (due_at);
comment on table keepsake.due_contexts is 'The profiles whose current day, history and merged context are to be written again.';
comment on column keepsake.due_contexts.not_before is 'A change makes it due from then on only: an hour after the last time.';
comment on column keepsake.due_contexts.is_changed is 'Whether a memory changed after a job began to write.';
comment on column keepsake.due_contexts.waiting_since is 'Since when it waits for the model; model_failures and bad_replies are its failed calls since then.';
comment on index keepsake.due_contexts_due is 'Finds what is due, whatever the number of profiles.';
grant select, insert, update, delete on keepsake.due_contexts to service_role;
create function keepsake.delete_merged_contexts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
  ids uuid[];
begin
  for person, ids in select d.user_id, array_agg(d.id) from deleted as d group by d.user_id loop
    delete from keepsake.context_cache as c where c.user_id = person and c.memory_ids && ids;
  end loop;
  return null;
end
$$;
create function keepsake.delete_merged_context_of_edit() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from keepsake.context_cache as c where c.user_id = new.user_id and new.id = any (c.memory_ids);
  return null;
end
$$;
comment on function keepsake.delete_merged_contexts() is 'Deletes the merged contexts that rest on deleted memories.';
comment on function keepsake.delete_merged_context_of_edit() is 'Deletes the merged context that has the words of a memory from before it was edited or reserved for a persona.';
create trigger keepsake_61_delete_merged_contexts after delete on public.user_memory referencing old table as deleted for each statement execute function keepsake.delete_merged_contexts();
create trigger keepsake_61_delete_merged_context after update on public.user_memory for each row when (old.memory_text is distinct from new.memory_text or old.persona_id is distinct from new.persona_id) execute function keepsake.delete_merged_context_of_edit();
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
create index commands_requests on keepsake.commands (user_id, created_at) where kind in ('agent_forget', 'agent_deactivate');
comment on table keepsake.commands is 'The chat commands that were run, with their outcome (a message is run once), what a model read as a request to forget, and the requests of agents that only the person may answer.';
comment on column keepsake.commands.conversation_id is 'The conversation of the message; for a request of an agent the one whose context showed it, if any.';
comment on column keepsake.commands.message_id is 'Null until the message is saved; then the message with the same text hash takes over the row.';
comment on column keepsake.commands.text_hash is 'Identifies a message that was not yet saved when its command was run.';
comment on column keepsake.commands.outcome is 'Ids and counts: what was forgotten, remembered or restored.';
comment on column keepsake.commands.shown_in_context is 'Whether a context contained the outcome, or the request.';
comment on column keepsake.commands.said_at is 'When the message was written; it refers to what was said before.';
alter table keepsake.commands alter column text_hash set statistics 0, alter column outcome set statistics 0;
grant select, insert, update, delete on keepsake.commands to service_role;
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
create function keepsake.writable_columns(name text, prefix text) returns text
language sql stable set search_path = '' as $$
  select string_agg(prefix || quote_ident(a.attname), ', ' order by a.attnum)
  from pg_catalog.pg_attribute as a
  where a.attrelid = format('public.%I', name)::regclass
    and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
$$;
comment on function keepsake.writable_columns(text, text) is 'The columns of a public table that can be written, as a list for a statement.';
grant execute on function keepsake.writable_columns(text, text) to service_role;
create function keepsake.row_to_restore(change keepsake.changes, present jsonb) returns jsonb
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
    -- So does the key that was derived since from a text that stays, unless the operation set it.
    if image ->> 'memory_key' is null and change.after ->> 'memory_key' is null
      and image ->> 'memory_text' = present ->> 'memory_text' then
      image := image || jsonb_build_object('memory_key', present -> 'memory_key', 'value', present -> 'value');
    end if;
  end if;
  -- A reference whose target was deleted since becomes null; relink_memories sets those whose target comes back too.
  if image ->> 'conversation_id' is not null and not exists (select from keepsake_chats.conversations_participants as p
    where p.conversation_id = (image ->> 'conversation_id')::uuid and p.user_id = change.user_id) then
    image := image || '{"conversation_id": null}';
  end if;
  if image ->> 'source_message_id' is not null and not exists (select from keepsake_chats.messages as m
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
comment on function keepsake.row_to_restore(keepsake.changes, jsonb) is 'The row that undo writes: the image before, with the uses counted since, and without references to deleted rows.';
grant execute on function keepsake.row_to_restore(keepsake.changes, jsonb) to service_role;
create function keepsake.undo_change(change keepsake.changes) returns void
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
comment on function keepsake.undo_change(keepsake.changes) is 'Reverts one change, if the row was not changed since.';
grant execute on function keepsake.undo_change(keepsake.changes) to service_role;
create function keepsake.undo(person uuid, operation uuid, actor text default 'user') returns jsonb
language plpgsql set search_path = '' as $$
declare
  undo_id uuid := keepsake.begin_undo(person, operation, actor);
  step jsonb := jsonb_build_object('reached', 9223372036854775807);
  changed_table text;
  max_rows integer := 16;
  touched integer := 0;
begin
  for changed_table in
    select distinct c.table_name from keepsake.changes as c
    where c.operation_id = undo.operation and c.user_id = person order by 1
  loop
    perform keepsake.lock_rows_to_undo(person, operation, changed_table, '00000000-0000-0000-0000-000000000000', null);
  end loop;
  loop
    step := keepsake.undo_step(person, operation, (step ->> 'reached')::bigint, max_rows);
    exit when step is null;
    touched := touched + (step ->> 'changes')::integer;
    -- A long run may go on; where the kinds alternate, looking far ahead would be in vain.
    max_rows := case when (step ->> 'changes')::integer = max_rows then least(2 * max_rows, 1000) else 16 end;
  end loop;
  return keepsake.end_operation(undo_id, touched) || jsonb_build_object('undone', operation);
end
$$;
comment on function keepsake.undo(uuid, uuid, text) is 'Undoes one operation of a person, as an operation that can be undone in turn.';
grant execute on function keepsake.undo(uuid, uuid, text) to service_role;
create function keepsake.undo_operation(operation_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  if (select count(*) from (
    select from keepsake.changes as c
    where c.operation_id = undo_operation.operation_id and c.user_id = (select auth.uid()) limit 3001
  ) as c) > 3000 then
    raise exception using errcode = 'PT413', message = 'This operation changed too much to be undone by one statement.',
      hint = 'Call the function undo-operation.';
  end if;
  return keepsake.undo((select auth.uid()), undo_operation.operation_id);
end
$$;
comment on function keepsake.undo_operation(uuid) is 'Undoes an operation of the caller.';
grant execute on function keepsake.undo_operation(uuid) to authenticated;
create function public.undo_operation(operation_id uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.undo_operation(operation_id);
end;
comment on function public.undo_operation(uuid) is 'Undo everything an operation of the last 30 days did to your memories.';
revoke all on function public.undo_operation(uuid) from public, anon, authenticated, service_role;
grant execute on function public.undo_operation(uuid) to authenticated;
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
grant execute on function keepsake.retype_image(text, jsonb) to service_role;
create function keepsake.describe_operation(operation uuid, at timestamptz) returns text
language sql immutable parallel safe set search_path = '' as $$
  select format('operation %s at %s UTC', operation, to_char(at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS'))
$$;
comment on function keepsake.describe_operation(uuid, timestamptz) is 'An operation and its time, as a refusal to undo names them.';
grant execute on function keepsake.describe_operation(uuid, timestamptz) to service_role;
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
grant execute on function keepsake.describe_newer_memory(keepsake.changes) to service_role;
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
grant execute on function keepsake.begin_undo(uuid, uuid, text) to service_role;
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
grant execute on function keepsake.lock_rows_to_undo(uuid, uuid, text, uuid, integer) to service_role;
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
grant execute on function keepsake.next_run(uuid, uuid, bigint, integer) to service_role;
create function keepsake.revert_run(person uuid, operation uuid, table_name text, action text, first_seq bigint, last_seq bigint)
returns void
language plpgsql set search_path = '' set timezone = 'UTC' set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  columns text := keepsake.writable_columns(table_name, '');
  image_columns text := keepsake.writable_columns(table_name, 'r.');
  of_run text := 'c.operation_id = $1 and c.user_id = $2 and c.seq between $3 and $4';
  of_row text := 't.id = c.row_id and t.user_id::text = $2::text';
begin
  if action = 'insert' then
    execute format('delete from public.%I as t using keepsake.changes as c where %s and %s', table_name, of_run, of_row)
      using operation, person, first_seq, last_seq;
  elsif action = 'update' then
    execute format('update public.%1$I as t set (%2$s) = (select %3$s from jsonb_populate_record(null::public.%1$I,
        to_jsonb(t) || keepsake.row_to_restore(c, to_jsonb(t))) as r)
      from keepsake.changes as c where %4$s and %5$s', table_name, columns, image_columns, of_run, of_row)
      using operation, person, first_seq, last_seq;
  else
    execute format('insert into public.%1$I (%2$s) select %3$s from keepsake.changes as c
      cross join lateral jsonb_populate_record(null::public.%1$I, keepsake.row_to_restore(c, null)) as r
      where %4$s order by c.seq desc', table_name, columns, image_columns, of_run)
      using operation, person, first_seq, last_seq;
  end if;
end
$$;
comment on function keepsake.revert_run(uuid, uuid, text, text, bigint, bigint) is 'Reverts a run of changes with one statement.';
grant execute on function keepsake.revert_run(uuid, uuid, text, text, bigint, bigint) to service_role;
create function keepsake.undo_step(person uuid, operation uuid, below bigint, max_rows integer) returns jsonb
language plpgsql set search_path = '' as $$
declare
  change keepsake.changes;
  run record;
begin
  select r.* into run from keepsake.next_run(person, operation, below, max_rows) as r;
  if not found then
    perform keepsake.relink_memories(person, operation);
    return null;
  end if;
  perform set_config('keepsake.raw_write', 'on', true);
  begin
    if run.changes = 1 then
      raise unique_violation;  -- one change alone is reverted below
    end if;
    perform keepsake.revert_run(person, operation, run.table_name, run.action, run.first_seq, run.last_seq);
  exception
    when unique_violation or foreign_key_violation then  -- the order of the changes matters
      for change in
        select c.* from keepsake.changes as c
        where c.operation_id = undo_step.operation and c.user_id = person and c.seq between run.first_seq and run.last_seq
        order by c.seq desc
      loop
        perform keepsake.undo_change(change);
      end loop;
  end;
  perform set_config('keepsake.raw_write', '', true);
  update keepsake.changes as c set undone_at = now()
  where c.operation_id = undo_step.operation and c.user_id = person and c.seq between run.first_seq and run.last_seq;
  return jsonb_build_object('reached', run.first_seq, 'changes', run.changes);
exception
  when unique_violation then
    raise exception using errcode = 'PT409', message = 'Something newer has taken the place of what would come back.',
      detail = coalesce(keepsake.describe_newer_memory(change), ''), hint = 'Forget the newer memory first.';
  when foreign_key_violation then
    raise exception using errcode = 'PT409', message = 'What the operation belonged to is gone.';
end
$$;
comment on function keepsake.undo_step(uuid, uuid, bigint, integer) is 'Reverts the newest changes of an operation below a position, at most so many; returns the position it reached and how many, or null when all is reverted.';
grant execute on function keepsake.undo_step(uuid, uuid, bigint, integer) to service_role;
create function keepsake.memory_operations(max_results integer, memory_id uuid)
returns table (operation_id uuid, happened_at timestamptz, actor text, reasons text[], undone_at timestamptz, memories jsonb)
language sql stable security definer set search_path = '' as $$
  with newest as materialized (
    select c.operation_id, max(c.seq) as seq, case when memory_operations.memory_id is not null then (
      select e.source_message_id from keepsake.extractions as e
      where e.user_id = (select auth.uid()) and e.operation_id = c.operation_id
      union all
      select k.message_id from keepsake.commands as k
      where k.user_id = (select auth.uid()) and k.operation_id = c.operation_id
      union all
      select t.id from keepsake_chats.messages as t  -- of a doubt that a summary brought up
      where t.user_id = (select auth.uid()) and t.id = substring(max(c.reason) from '^M-\d+ may no longer hold .*message ([0-9a-f-]{36})$')::uuid
      limit 1
    ) end as message_id
    from keepsake.changes as c
    where c.user_id = (select auth.uid()) and c.created_at >= now() - interval '30 days'
      and (memory_operations.memory_id is null or (c.table_name = 'user_memory' and c.row_id = memory_operations.memory_id))
    group by c.operation_id
    order by max(c.seq) desc
    limit least(greatest(coalesce(max_results, 50), 1), 200)
  )
  select c.operation_id, min(c.created_at), min(c.actor),
    array_remove(array_agg(distinct c.reason), null), max(c.undone_at),
    coalesce(jsonb_agg(jsonb_build_object(
      'memory_id', c.row_id,
      'ref', 'M-' || coalesce(c.after ->> 'memory_no', c.before ->> 'memory_no'),
      'action', c.action, 'why', c.why, 'message_id', n.message_id,
      'is_doubted', c.before ->> 'doubted_at' is null and c.after ->> 'doubted_at' is not null,
      'text_before', c.before ->> 'memory_text', 'text_after', c.after ->> 'memory_text',
      'status_before', c.before ->> 'status', 'status_after', c.after ->> 'status'
    ) order by c.seq) filter (where c.table_name = 'user_memory' and c.place <= 50), '[]')
  from newest as n
  cross join lateral (
    select o.*, row_number() over (
      partition by o.table_name order by o.row_id is not distinct from memory_operations.memory_id desc, o.seq
    ) as place
    from keepsake.changes as o
    where o.operation_id = n.operation_id and o.user_id = (select auth.uid())
  ) as c
  group by c.operation_id, n.seq, n.message_id
  order by n.seq desc
$$;
comment on function keepsake.memory_operations(integer, uuid) is 'What was done to the caller''s memories in the last 30 days, newest first; of an operation at most 50 changes.';
grant execute on function keepsake.memory_operations(integer, uuid) to authenticated;
create function public.memory_operations(max_results integer default 50, memory_id uuid default null)
returns table (operation_id uuid, happened_at timestamptz, actor text, reasons text[], undone_at timestamptz, memories jsonb)
language sql stable security invoker set search_path = ''
begin atomic
  select o.operation_id, o.happened_at, o.actor, o.reasons, o.undone_at, o.memories
  from keepsake.memory_operations(max_results, memory_id) as o;
end;
comment on function public.memory_operations(integer, uuid) is 'What was done to your memories in the last 30 days, newest first; undo_operation takes the id of one back. Of an operation at most 50 changes are listed.';
revoke all on function public.memory_operations(integer, uuid) from public, anon, authenticated, service_role;
grant execute on function public.memory_operations(integer, uuid) to authenticated;
create table keepsake.consolidations (
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  ran_at timestamptz not null,
  memory_count integer not null,
  primary key (user_id, profile_id),
  constraint consolidations_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table keepsake.consolidations is 'The last consolidation of each profile, and how many active memories it had.';
grant select, insert, update, delete on keepsake.consolidations to service_role;
create function keepsake.open_folds(person uuid, folds uuid[]) returns integer
language plpgsql set search_path = '' as $$
declare
  opened integer;
begin
  perform from public.user_memory as m
  where m.user_id = person and (m.id = any (folds) or m.folded_into = any (folds)) order by m.id for no key update;
  -- A fold that the person edited is their own statement and stays; its members stay archived.
  folds := array(select m.id from public.user_memory as m
    where m.user_id = person and m.id = any (folds) and m.status = 'active' and m.source = 'curated_fold' order by m.id);
  update public.user_memory as m set status = 'archived' where m.user_id = person and m.id = any (folds);
  get diagnostics opened = row_count;
  update public.user_memory as m set status = 'active', archived_at = null, folded_into = null
  where m.user_id = person and m.folded_into = any (folds) and m.status = 'archived'
    and not exists (
      select from public.user_memory as t
      where t.user_id = person and t.profile_id = m.profile_id and t.persona_id is not distinct from m.persona_id
        and t.memory_key = m.memory_key and t.status = 'active'
    );
  update public.user_memory as m set folded_into = null where m.user_id = person and m.folded_into = any (folds);
  delete from public.user_memory as m where m.user_id = person and m.id = any (folds);
  return opened;
end
$$;
comment on function keepsake.open_folds(uuid, uuid[]) is 'Reactivates the members of these folds and deletes the folds; returns how many were opened.';
grant execute on function keepsake.open_folds(uuid, uuid[]) to service_role;
create function keepsake.sync_fold_members() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('keepsake.raw_write', true) = 'on' then
    return null;
  end if;
  if new.status = 'deleted' then
    update public.user_memory as m set status = 'deleted', deleted_at = new.deleted_at
    where m.user_id = new.user_id and m.folded_into = new.id and m.status <> 'deleted';
  else
    update public.user_memory as m set status = 'archived', deleted_at = null
    where m.user_id = new.user_id and m.folded_into = new.id and m.status = 'deleted';
  end if;
  return null;
end
$$;
comment on function keepsake.sync_fold_members() is 'Deletes and restores the members of a fold with it.';
create trigger keepsake_60_sync_fold_members after update of status on public.user_memory for each row when (new.source = 'curated_fold' and (new.status = 'deleted') <> (old.status = 'deleted')) execute function keepsake.sync_fold_members();
create function keepsake.detach_from_fold() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_setting('keepsake.raw_write', true) is distinct from 'on' then
    new.folded_into := null;
  end if;
  return new;
end
$$;
comment on function keepsake.detach_from_fold() is 'Clears folded_into of a memory that becomes active.';
create trigger keepsake_04_detach_from_fold before update of status on public.user_memory for each row when (new.status = 'active' and old.folded_into is not null) execute function keepsake.detach_from_fold();
create table public.user_memory_todos (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  persona_id text,
  kind text not null
    constraint user_memory_todos_kind check (kind in ('commitment', 'habit', 'thread', 'friction')),
  todo_text text not null
    constraint user_memory_todos_text check (char_length(todo_text) between 1 and 500 and todo_text ~ '\S'
      and todo_text !~ '[\t\n]' and keepsake.is_clean_text(todo_text)),
  status text not null default 'open'
    constraint user_memory_todos_status check (status in ('open', 'done', 'dropped')),
  due_date date,
  source text not null default 'rule_extraction'
    constraint user_memory_todos_source check (source in ('llm_extraction', 'rule_extraction', 'user', 'import')),
  source_quote text
    constraint user_memory_todos_quote check (char_length(source_quote) <= 500 and keepsake.is_clean_text(source_quote)),
  conversation_id uuid,
  source_message_id uuid,
  closed_by_message_id uuid,
  opened_at timestamptz not null default now(),
  closed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint user_memory_todos_closed check ((status = 'open') = (closed_at is null)),
  primary key (user_id, id),
  constraint user_memory_todos_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade,
  constraint user_memory_todos_conversation foreign key (user_id, conversation_id)
    references keepsake_chats.conversations_participants (user_id, conversation_id) on delete set null (conversation_id),
  constraint user_memory_todos_message foreign key (user_id, source_message_id)
    references keepsake_chats.messages (user_id, id) on delete set null (source_message_id),
  constraint user_memory_todos_closing_message foreign key (user_id, closed_by_message_id)
    references keepsake_chats.messages (user_id, id) on delete set null (closed_by_message_id)
);
create index user_memory_todos_open on public.user_memory_todos (user_id, profile_id, persona_id, opened_at desc) where status = 'open';
create index user_memory_todos_profile on public.user_memory_todos (user_id, profile_id);
create index user_memory_todos_conversation on public.user_memory_todos (user_id, conversation_id);
create index user_memory_todos_message on public.user_memory_todos (user_id, source_message_id);
create index user_memory_todos_closing_message on public.user_memory_todos (user_id, closed_by_message_id);
comment on table public.user_memory_todos is 'What a person wants to do, keeps doing, waits for or is stuck with.';
comment on column public.user_memory_todos.kind is 'commitment, habit, thread (waits for something or is undecided) or friction.';
comment on column public.user_memory_todos.persona_id is 'The persona that the person said it to; no other one is told.';
comment on column public.user_memory_todos.status is 'open, done, or dropped: no longer wanted.';
comment on column public.user_memory_todos.due_date is 'The last day that the person named for it.';
comment on column public.user_memory_todos.source_quote is 'The words it is based on.';
comment on column public.user_memory_todos.closed_by_message_id is 'The message that said it was done, or no longer wanted.';
comment on index public.user_memory_todos_open is 'The open to-dos of a persona, newest first.';
alter table public.user_memory_todos alter column user_id set statistics 0, alter column profile_id set statistics 0, alter column persona_id set statistics 0, alter column kind set statistics 0, alter column todo_text set statistics 0, alter column status set statistics 0, alter column source set statistics 0, alter column source_quote set statistics 0, alter column conversation_id set statistics 0, alter column source_message_id set statistics 0, alter column closed_by_message_id set statistics 0;
alter table public.user_memory_todos enable row level security, force row level security;
revoke all on public.user_memory_todos from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_todos to service_role;
grant select on public.user_memory_todos to authenticated;
grant update (todo_text, kind, status, due_date) on public.user_memory_todos to authenticated;
create policy "People see their own to-dos" on public.user_memory_todos for select to authenticated using ((select auth.uid()) = user_id);
create policy "People change their own to-dos" on public.user_memory_todos for update to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
create function keepsake.normalize_todo() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_setting('keepsake.raw_write', true) = 'on' and current_user <> 'authenticated' then
    return new;
  end if;
  if current_user = 'authenticated' then
    new.source := 'user';
    new.updated_at := now();
  end if;
  if new.status = 'open' then
    new.closed_at := null;
    new.closed_by_message_id := null;
  elsif old.status = 'open' then
    new.closed_at := greatest(coalesce(new.closed_at, now()), new.opened_at);
  end if;
  return new;
end
$$;
comment on function keepsake.normalize_todo() is 'Sets the time at which a to-do was closed, and the source user on a person''s own edit.';
create trigger keepsake_05_normalize before update on public.user_memory_todos for each row when (old.* is distinct from new.*) execute function keepsake.normalize_todo();
create function keepsake.clean_todo() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.todo_text := keepsake.clean_text(new.todo_text);
  return new;
end
$$;
comment on function keepsake.clean_todo() is 'Cleans the text of a to-do.';
create trigger keepsake_03_clean before update of todo_text on public.user_memory_todos for each row execute function keepsake.clean_todo();
create trigger keepsake_50_log after insert or update or delete on public.user_memory_todos for each row execute function keepsake.log_change('user_memory_todos');
create function keepsake.forget_todo(todo uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', 'forget a to-do');
  touched bigint;
begin
  delete from public.user_memory_todos as t where t.id = forget_todo.todo and t.user_id = (select auth.uid());
  get diagnostics touched = row_count;
  if touched = 0 then
    raise exception using errcode = 'PT404', message = 'There is no such to-do, or it is not yours.';
  end if;
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.forget_todo(uuid) is 'Forgets a to-do of the caller.';
grant execute on function keepsake.forget_todo(uuid) to authenticated;
create function public.forget_todo(todo uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.forget_todo(todo);
end;
comment on function public.forget_todo(uuid) is 'Forget one of your to-dos; it can be undone for 30 days.';
revoke all on function public.forget_todo(uuid) from public, anon, authenticated, service_role;
grant execute on function public.forget_todo(uuid) to authenticated;
create view keepsake.summary_kinds with (security_invoker = true) as select k.kind, k.table_name, k.rank, k.length, k.middle from (values ('day', 'user_memory_daily_summaries', 1, interval '1 day', 0), ('week', 'user_memory_weekly_summaries', 2, interval '7 days', 3), ('month', 'user_memory_monthly_summaries', 3, interval '1 month', 14), ('history', 'user_memory_history_summaries', null, null, null), ('session', 'user_memory_session_summaries', null, null, null), ('spine', 'user_memory_spine', null, null, null) ) as k (kind, table_name, rank, length, middle);
comment on view keepsake.summary_kinds is 'Of what there are summaries, and which table has them.';
grant select on keepsake.summary_kinds to service_role;
create table public.user_memory_daily_summaries (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  summary_date date not null,
  summary text not null
    constraint user_memory_daily_summaries_text check (char_length(summary) <= 4000 and keepsake.is_clean_text(summary)),
  key_themes text[] not null default '{}',
  conversation_count integer not null default 0,
  source_ids uuid[] not null default '{}',
  memory_ids uuid[] not null default '{}',
  generator text not null constraint user_memory_daily_summaries_generator check (generator in ('rules', 'llm')),
  prompt_version text,
  version integer not null default 1,
  previous jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  outlines jsonb not null default '{}',
  message_ids uuid[] not null default '{}',
  sources_hash text,
  primary key (user_id, id),
  constraint user_memory_daily_summaries_period unique (user_id, profile_id, summary_date),
  constraint user_memory_daily_summaries_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_daily_summaries is 'What each local day of a person was about.';
comment on column public.user_memory_daily_summaries.message_ids is 'The messages that the text rests on.';
comment on column public.user_memory_daily_summaries.sources_hash is 'The same for the same words of the same messages: then the text stays.';
comment on column public.user_memory_daily_summaries.source_ids is 'The memories that this version was written from.';
comment on column public.user_memory_daily_summaries.memory_ids is 'Every memory whose words may occur in this version.';
comment on column public.user_memory_daily_summaries.previous is 'The version before, with its memory_ids.';
comment on column public.user_memory_daily_summaries.conversation_count is 'The conversations that its memories come from.';
comment on column public.user_memory_daily_summaries.outlines is 'The sentences of each text, by its column, each item with the statement it makes; empty where a model wrote it.';
alter table public.user_memory_daily_summaries alter column user_id set statistics 0, alter column message_ids set statistics 0, alter column profile_id set statistics 0, alter column summary set statistics 0, alter column key_themes set statistics 0, alter column source_ids set statistics 0, alter column memory_ids set statistics 0, alter column generator set statistics 0, alter column prompt_version set statistics 0, alter column previous set statistics 0, alter column outlines set statistics 0, alter column sources_hash set statistics 0;
alter table public.user_memory_daily_summaries enable row level security, force row level security;
revoke all on public.user_memory_daily_summaries from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_daily_summaries to service_role;
grant select on public.user_memory_daily_summaries to authenticated;
create policy "People see the summaries of their days" on public.user_memory_daily_summaries for select to authenticated using ((select auth.uid()) = user_id);
create table public.user_memory_weekly_summaries (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  year smallint not null,
  week_number smallint not null
    constraint user_memory_weekly_summaries_week check (week_number between 1 and 53),
  week_start_date date not null,
  week_end_date date not null,
  emotional_summary text not null
    constraint user_memory_weekly_summaries_text check (char_length(emotional_summary) <= 4000
      and keepsake.is_clean_text(emotional_summary)),
  summary text not null
    constraint user_memory_weekly_summaries_summary check (char_length(summary) <= 4000
      and keepsake.is_clean_text(summary)),
  key_themes text[] not null default '{}',
  dominant_patterns text[] not null default '{}',
  energy_shifts text[] not null default '{}',
  conversation_count integer not null default 0,
  source_ids uuid[] not null default '{}',
  memory_ids uuid[] not null default '{}',
  generator text not null constraint user_memory_weekly_summaries_generator check (generator in ('rules', 'llm')),
  prompt_version text,
  version integer not null default 1,
  previous jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  outlines jsonb not null default '{}',
  message_ids uuid[] not null default '{}',
  sources_hash text,
  primary key (user_id, id),
  constraint user_memory_weekly_summaries_period unique (user_id, profile_id, year, week_number),
  constraint user_memory_weekly_summaries_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_weekly_summaries is 'What each ISO week of a person was about; it ends on Sunday night, local time.';
comment on column public.user_memory_weekly_summaries.message_ids is 'The messages that the text rests on.';
comment on column public.user_memory_weekly_summaries.sources_hash is 'The same for the same words of the same messages: then the text stays.';
comment on column public.user_memory_weekly_summaries.year is 'The ISO year, which is that of the week''s Thursday.';
comment on column public.user_memory_weekly_summaries.summary is 'What was new, what changed, whom it was about, and what was planned.';
comment on column public.user_memory_weekly_summaries.energy_shifts is 'The feelings in the order of their days.';
comment on column public.user_memory_weekly_summaries.outlines is 'As of a day.';
alter table public.user_memory_weekly_summaries alter column user_id set statistics 0, alter column message_ids set statistics 0, alter column profile_id set statistics 0, alter column emotional_summary set statistics 0, alter column summary set statistics 0, alter column key_themes set statistics 0, alter column dominant_patterns set statistics 0, alter column energy_shifts set statistics 0, alter column source_ids set statistics 0, alter column memory_ids set statistics 0, alter column generator set statistics 0, alter column prompt_version set statistics 0, alter column previous set statistics 0, alter column outlines set statistics 0, alter column sources_hash set statistics 0;
alter table public.user_memory_weekly_summaries enable row level security, force row level security;
revoke all on public.user_memory_weekly_summaries from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_weekly_summaries to service_role;
grant select on public.user_memory_weekly_summaries to authenticated;
create policy "People see the summaries of their weeks" on public.user_memory_weekly_summaries for select to authenticated using ((select auth.uid()) = user_id);
create table public.user_memory_monthly_summaries (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  year smallint not null,
  month smallint not null constraint user_memory_monthly_summaries_month check (month between 1 and 12),
  emotional_summary text not null
    constraint user_memory_monthly_summaries_text check (char_length(emotional_summary) <= 4000
      and keepsake.is_clean_text(emotional_summary)),
  cognitive_summary text
    constraint user_memory_monthly_summaries_cognitive check (char_length(cognitive_summary) <= 4000
      and keepsake.is_clean_text(cognitive_summary)),
  key_themes text[] not null default '{}',
  dominant_transits jsonb,
  planetary_influences jsonb,
  conversation_count integer not null default 0,
  weekly_summaries_used integer not null default 0,
  source_ids uuid[] not null default '{}',
  memory_ids uuid[] not null default '{}',
  generator text not null constraint user_memory_monthly_summaries_generator check (generator in ('rules', 'llm')),
  prompt_version text,
  version integer not null default 1,
  previous jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  outlines jsonb not null default '{}',
  message_ids uuid[] not null default '{}',
  sources_hash text,
  primary key (user_id, id),
  constraint user_memory_monthly_summaries_period unique (user_id, profile_id, year, month),
  constraint user_memory_monthly_summaries_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_monthly_summaries is 'What each month of a person was about; from its weekly summaries and its memories.';
comment on column public.user_memory_monthly_summaries.message_ids is 'The messages that the text rests on.';
comment on column public.user_memory_monthly_summaries.sources_hash is 'The same for the same words of the same messages: then the text stays.';
comment on column public.user_memory_monthly_summaries.source_ids is 'The weekly summaries and the memories that this version was written from.';
comment on column public.user_memory_monthly_summaries.weekly_summaries_used is 'How many of the sources are weekly summaries.';
comment on column public.user_memory_monthly_summaries.outlines is 'As of a day.';
alter table public.user_memory_monthly_summaries alter column user_id set statistics 0, alter column message_ids set statistics 0, alter column profile_id set statistics 0, alter column emotional_summary set statistics 0, alter column cognitive_summary set statistics 0, alter column key_themes set statistics 0, alter column dominant_transits set statistics 0, alter column planetary_influences set statistics 0, alter column source_ids set statistics 0, alter column memory_ids set statistics 0, alter column generator set statistics 0, alter column prompt_version set statistics 0, alter column previous set statistics 0, alter column outlines set statistics 0, alter column sources_hash set statistics 0;
alter table public.user_memory_monthly_summaries enable row level security, force row level security;
revoke all on public.user_memory_monthly_summaries from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_monthly_summaries to service_role;
grant select on public.user_memory_monthly_summaries to authenticated;
create policy "People see the summaries of their months" on public.user_memory_monthly_summaries for select to authenticated using ((select auth.uid()) = user_id);
create view keepsake.period_summaries with (security_invoker = true) as select 'day' as level, s.summary_date as first_date, array[array['summary', s.summary]] as texts, s.id, s.user_id, s.profile_id, s.outlines, s.message_ids, s.memory_ids, s.previous, s.sources_hash, s.generator, s.prompt_version, to_jsonb(s) as summary from public.user_memory_daily_summaries as s union all select 'week', s.week_start_date, array[array['emotional_summary', s.emotional_summary], array['summary', s.summary]], s.id, s.user_id, s.profile_id, s.outlines, s.message_ids, s.memory_ids, s.previous, s.sources_hash, s.generator, s.prompt_version, to_jsonb(s) from public.user_memory_weekly_summaries as s union all select 'month', make_date(s.year, s.month, 1), array[array['emotional_summary', s.emotional_summary], array['cognitive_summary', s.cognitive_summary]], s.id, s.user_id, s.profile_id, s.outlines, s.message_ids, s.memory_ids, s.previous, s.sources_hash, s.generator, s.prompt_version, to_jsonb(s) from public.user_memory_monthly_summaries as s;
comment on view keepsake.period_summaries is 'The summaries of days, weeks and months, their texts by the name of their column.';
grant select on keepsake.period_summaries to service_role;
create function keepsake.delete_period_summary(level text, person uuid, profile uuid, first_date date) returns uuid
language plpgsql set search_path = '' as $$
declare
  deleted uuid;
begin
  execute format('delete from public.%I as s where s.user_id = $2 and s.id = (
      select p.id from keepsake.period_summaries as p
      where p.level = $1 and p.user_id = $2 and p.profile_id = $3 and p.first_date = $4
    ) returning s.id', (select k.table_name from keepsake.summary_kinds as k where k.kind = level and k.rank is not null))
    into deleted using level, person, profile, first_date;
  return deleted;
end
$$;
comment on function keepsake.delete_period_summary(text, uuid, uuid, date) is 'Deletes the summary of a period, and returns its id; null where there was none.';
grant execute on function keepsake.delete_period_summary(text, uuid, uuid, date) to service_role;
create table public.user_memory_history_summaries (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  start_date date not null,
  end_date date not null,
  summary text not null
    constraint user_memory_history_summaries_text check (char_length(summary) <= 1000 and keepsake.is_clean_text(summary)),
  days_hash text not null,
  source_ids uuid[] not null default '{}',
  memory_ids uuid[] not null default '{}',
  generator text not null constraint user_memory_history_summaries_generator check (generator in ('rules', 'llm')),
  prompt_version text,
  version integer not null default 1,
  previous jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  outlines jsonb not null default '{}',
  message_ids uuid[] not null default '{}',
  primary key (user_id, id),
  constraint user_memory_history_summaries_dates check (start_date <= end_date),
  constraint user_memory_history_summaries_end unique (user_id, profile_id, end_date),
  constraint user_memory_history_summaries_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_history_summaries is 'What the six days up to a date were about, from the summaries of these days.';
comment on column public.user_memory_history_summaries.days_hash is 'The hash of the summaries that it was written from: while it is the same, nothing is written again.';
comment on column public.user_memory_history_summaries.source_ids is 'The daily summaries that it was written from.';
comment on column public.user_memory_history_summaries.memory_ids is 'Every memory whose words may occur in this version.';
comment on column public.user_memory_history_summaries.previous is 'The version before, with its memory_ids.';
comment on column public.user_memory_history_summaries.outlines is 'As of a day.';
alter table public.user_memory_history_summaries alter column user_id set statistics 0, alter column message_ids set statistics 0, alter column profile_id set statistics 0, alter column summary set statistics 0, alter column days_hash set statistics 0, alter column source_ids set statistics 0, alter column memory_ids set statistics 0, alter column generator set statistics 0, alter column prompt_version set statistics 0, alter column previous set statistics 0, alter column outlines set statistics 0;
alter table public.user_memory_history_summaries enable row level security, force row level security;
revoke all on public.user_memory_history_summaries from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_history_summaries to service_role;
grant select on public.user_memory_history_summaries to authenticated;
create policy "People see their own history" on public.user_memory_history_summaries for select to authenticated using ((select auth.uid()) = user_id);
create table public.user_memory_yearly_comparisons (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  year smallint not null,
  month smallint not null constraint user_memory_yearly_comparisons_month check (month between 1 and 12),
  growth text not null
    constraint user_memory_yearly_comparisons_text check (char_length(growth) <= 4000 and keepsake.is_clean_text(growth)),
  stayed text[] not null default '{}',
  changed text[] not null default '{}',
  appeared text[] not null default '{}',
  source_ids uuid[] not null,
  memory_ids uuid[] not null default '{}',
  generator text not null constraint user_memory_yearly_comparisons_generator check (generator in ('rules', 'llm')),
  prompt_version text,
  created_at timestamptz not null default now(),
  message_ids uuid[] not null default '{}',
  primary key (user_id, id),
  constraint user_memory_yearly_comparisons_period unique (user_id, profile_id, year, month),
  constraint user_memory_yearly_comparisons_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_yearly_comparisons is 'Months of a person compared with the same month of the year before.';
comment on column public.user_memory_yearly_comparisons.appeared is 'What only the later month has.';
comment on column public.user_memory_yearly_comparisons.source_ids is 'The two monthly summaries.';
comment on column public.user_memory_yearly_comparisons.memory_ids is 'Every memory whose words may occur.';
alter table public.user_memory_yearly_comparisons alter column user_id set statistics 0, alter column message_ids set statistics 0, alter column profile_id set statistics 0, alter column growth set statistics 0, alter column stayed set statistics 0, alter column changed set statistics 0, alter column appeared set statistics 0, alter column source_ids set statistics 0, alter column memory_ids set statistics 0, alter column generator set statistics 0, alter column prompt_version set statistics 0;
alter table public.user_memory_yearly_comparisons enable row level security, force row level security;
revoke all on public.user_memory_yearly_comparisons from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_yearly_comparisons to service_role;
grant select on public.user_memory_yearly_comparisons to authenticated;
create policy "People see the comparisons of their years" on public.user_memory_yearly_comparisons for select to authenticated using ((select auth.uid()) = user_id);
create function keepsake.drop_comparisons() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.user_memory_yearly_comparisons as c
  where c.user_id = old.user_id and c.profile_id = old.profile_id and old.id = any (c.source_ids);
  return null;
end
$$;
comment on function keepsake.drop_comparisons() is 'A monthly summary that changes takes its comparisons along.';
create trigger keepsake_60_drop_comparisons after delete on public.user_memory_monthly_summaries for each row execute function keepsake.drop_comparisons();
create trigger keepsake_60_drop_comparisons_of_changed after update on public.user_memory_monthly_summaries for each row when (old.version is distinct from new.version) execute function keepsake.drop_comparisons();
create function keepsake.drop_comparisons_of_changed_memory() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.user_memory_yearly_comparisons as c where c.user_id = new.user_id and new.id = any (c.memory_ids);
  return null;
end
$$;
create function keepsake.delete_resting_texts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
  ids uuid[];
begin
  for person, ids in select d.user_id, array_agg(d.id) from deleted as d group by d.user_id loop
    delete from public.user_memory_history_summaries as s
    where s.user_id = person and (s.memory_ids && ids or s.previous -> 'memory_ids' ?| ids::text[]);
    delete from public.user_memory_yearly_comparisons as c where c.user_id = person and c.memory_ids && ids;
  end loop;
  return null;
end
$$;
comment on function keepsake.drop_comparisons_of_changed_memory() is 'Deletes the yearly comparisons that rest on a memory that has changed.';
comment on function keepsake.delete_resting_texts() is 'Deletes the histories and yearly comparisons that rest on deleted memories; what is left of a history is written again.';
create trigger keepsake_61_drop_comparisons after update on public.user_memory for each row when (old.memory_text is distinct from new.memory_text or old.status is distinct from new.status or old.valid_from is distinct from new.valid_from or old.valid_to is distinct from new.valid_to or (old.doubted_at is null) is distinct from (new.doubted_at is null)) execute function keepsake.drop_comparisons_of_changed_memory();
create trigger keepsake_61_delete_resting_texts after delete on public.user_memory referencing old table as deleted for each statement execute function keepsake.delete_resting_texts();
create table keepsake.timezone_changes (
  user_id uuid not null,
  profile_id uuid not null,
  since timestamptz not null,
  timezone text,
  primary key (user_id, profile_id, since),
  constraint timezone_changes_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table keepsake.timezone_changes is 'The time zones of profiles that have changed theirs; a profile without rows has always had its present one.';
alter table keepsake.timezone_changes alter column timezone set statistics 0;
grant select, insert, update, delete on keepsake.timezone_changes to service_role;
create table keepsake.summary_periods (
  user_id uuid not null,
  profile_id uuid not null,
  level text not null constraint summary_periods_level check (level in ('day', 'week', 'month')),
  first_date date not null,
  due_at timestamptz not null,
  model_failures integer not null default 0,
  bad_replies integer not null default 0,
  waiting_since timestamptz,
  leased_until timestamptz,
  primary key (user_id, profile_id, level, first_date),
  constraint summary_periods_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
create index summary_periods_due on keepsake.summary_periods (level, due_at);
comment on table keepsake.summary_periods is 'The periods whose summary is to be written, or written again.';
comment on column keepsake.summary_periods.due_at is 'When the period ends in the profile''s time zone, or the next attempt.';
comment on column keepsake.summary_periods.waiting_since is 'Since when it waits for the model; model_failures and bad_replies are its failed calls since then.';
comment on column keepsake.summary_periods.leased_until is 'Until when somebody else''s job asks the model about this period too: it is asked once for everybody who spoke in a shared conversation on a day.';
comment on index keepsake.summary_periods_due is 'Finds what is due, whatever the number of profiles.';
alter table keepsake.summary_periods alter column level set statistics 0;
grant select, insert, update, delete on keepsake.summary_periods to service_role;
create function keepsake.known_timezone(timezone text) returns text
language plpgsql stable set search_path = '' as $$
begin
  perform now() at time zone coalesce(known_timezone.timezone, 'UTC');
  return coalesce(known_timezone.timezone, 'UTC');
exception
  when invalid_parameter_value then
    return 'UTC';
end
$$;
comment on function keepsake.known_timezone(text) is 'The time zone, or UTC where Postgres does not know it.';
grant execute on function keepsake.known_timezone(text) to service_role;
create table keepsake.summary_marks (
  id bigint generated always as identity,
  user_id uuid not null,
  profile_id uuid not null,
  moment timestamptz not null,
  primary key (user_id, profile_id, id),
  constraint summary_marks_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
create index summary_marks_oldest on keepsake.summary_marks (id);
comment on table keepsake.summary_marks is 'Moments of memories that are new, changed or gone, until their periods are marked.';
alter table keepsake.summary_marks alter column moment set statistics 0;
grant select, insert, update, delete on keepsake.summary_marks to service_role;
create function keepsake.mark_summaries(person uuid, profile uuid, moments timestamptz[]) returns void
language plpgsql set search_path = '' as $$
begin
  insert into keepsake.summary_marks (user_id, profile_id, moment)
  select distinct f.user_id, f.id, m.moment
  from keepsake_chats.user_profile_list as f cross join lateral unnest(moments) as m (moment)
  where f.user_id = person and f.id = profile and m.moment is not null and isfinite(m.moment);
end
$$;
comment on function keepsake.mark_summaries(uuid, uuid, timestamptz[]) is 'Marks these moments: the summaries of their day, week and month are due when the period is over.';
grant execute on function keepsake.mark_summaries(uuid, uuid, timestamptz[]) to service_role;
create function keepsake.mark_summaries_of_new() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform keepsake.mark_summaries(n.user_id, n.profile_id, array_agg(distinct m.moment))
  from inserted as n cross join lateral unnest(array[n.valid_from, n.valid_to]) as m (moment)
  where n.status <> 'deleted'
  group by n.user_id, n.profile_id
  order by n.user_id, n.profile_id;
  return null;
end
$$;
comment on function keepsake.mark_summaries_of_new() is 'New memories make the summaries of their periods due.';
create trigger keepsake_60_mark_summaries_of_new after insert on public.user_memory referencing new table as inserted for each statement execute function keepsake.mark_summaries_of_new();
create function keepsake.mark_summaries_of_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform keepsake.mark_summaries(old.user_id, old.profile_id, array[old.valid_from, old.valid_to, new.valid_from, new.valid_to]);
  return null;
end
$$;
comment on function keepsake.mark_summaries_of_changed() is 'A changed memory makes the summaries of its periods due.';
create trigger keepsake_60_mark_summaries after update on public.user_memory for each row when (old.memory_text is distinct from new.memory_text or old.valid_from is distinct from new.valid_from or old.valid_to is distinct from new.valid_to or old.persona_id is distinct from new.persona_id or (old.status = 'deleted') is distinct from (new.status = 'deleted')) execute function keepsake.mark_summaries_of_changed();
create function keepsake.record_timezone() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into keepsake.timezone_changes (user_id, profile_id, since, timezone)
  values (old.user_id, old.id, '-infinity', old.timezone) on conflict do nothing;
  insert into keepsake.timezone_changes as c (user_id, profile_id, since, timezone)
  values (new.user_id, new.id, now(), new.timezone)
  on conflict (user_id, profile_id, since) do update set timezone = excluded.timezone;
  -- What is waiting may be due earlier now; whoever looks at it works out when.
  with waiting as (
    select p.level, p.first_date from keepsake.summary_periods as p join keepsake.summary_kinds as k on k.kind = p.level
    where p.user_id = new.user_id and p.profile_id = new.id
    order by k.rank, p.first_date for update of p
  )
  update keepsake.summary_periods as p set due_at = least(p.due_at, now()) from waiting as w
  where p.user_id = new.user_id and p.profile_id = new.id and p.level = w.level and p.first_date = w.first_date;
  return null;
end
$$;
comment on function keepsake.record_timezone() is 'Notes a change of a profile''s time zone, and lets the due times of its summaries be worked out again.';
create trigger keepsake_60_record_timezone after update of timezone on keepsake_chats.user_profile_list for each row when (old.timezone is distinct from new.timezone) execute function keepsake.record_timezone();
create function keepsake.mark_summaries_of_deleted() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  of_level text;
begin
  perform keepsake.mark_summaries(d.user_id, d.profile_id, array_agg(distinct m.moment))
  from deleted as d cross join lateral unnest(array[d.valid_from, d.valid_to]) as m (moment)
  group by d.user_id, d.profile_id
  order by d.user_id, d.profile_id;
  for of_level in select k.table_name from keepsake.summary_kinds as k where k.rank is not null loop
    execute format('delete from public.%1$I as s where s.id in (
        select w.id from public.%1$I as w
        cross join lateral unnest(w.memory_ids::text[] || array(select p.id from jsonb_array_elements_text(w.previous -> ''memory_ids'') as p (id)))
          as i (memory_id)
        join deleted as d on d.id::text = i.memory_id and d.user_id = w.user_id
        where w.user_id in (select p.user_id from deleted as p)
      )', of_level);
  end loop;
  return null;
end
$$;
comment on function keepsake.mark_summaries_of_deleted() is 'Deleted memories make the summaries of their periods due, and take along those that used them.';
create trigger keepsake_60_mark_summaries_of_deleted after delete on public.user_memory referencing old table as deleted for each statement execute function keepsake.mark_summaries_of_deleted();
create function keepsake.fold_summary_marks(max_marks integer) returns integer
language sql set search_path = '' as $$
  with taken as (
    delete from keepsake.summary_marks as k
    using (
      select o.user_id, o.profile_id, o.id from keepsake.summary_marks as o order by o.id limit max_marks for update skip locked
    ) as o
    where k.user_id = o.user_id and k.profile_id = o.profile_id and k.id = o.id
    returning k.user_id, k.profile_id, k.moment
  ), folded as (
    insert into keepsake.summary_periods as p (user_id, profile_id, level, first_date, due_at)
    select t.user_id, t.profile_id, l.kind, d.first_date,
      min((d.first_date + l.length)::timestamp at time zone z.timezone)
    from taken as t
    join keepsake_chats.user_profile_list as f on f.user_id = t.user_id and f.id = t.profile_id
    cross join lateral (
      select f.timezone as name
      union
      select c.timezone from keepsake.timezone_changes as c where c.user_id = f.user_id and c.profile_id = f.id
    ) as n
    cross join lateral (
      select keepsake.known_timezone(n.name) as timezone
      union
      select e.timezone from (values ('Etc/GMT-14'), ('UTC'), ('Etc/GMT+12')) as e (timezone)
      where n.name !~ '^(UTC|GMT|[A-Z][A-Za-z_]+/[A-Z].*)$'
    ) as z
    join keepsake.summary_kinds as l on l.rank is not null
    cross join lateral (select date_trunc(l.kind, t.moment at time zone z.timezone)::date as first_date) as d
    group by t.user_id, t.profile_id, l.rank, l.kind, d.first_date
    order by t.user_id, t.profile_id, l.rank, d.first_date
    on conflict (user_id, profile_id, level, first_date) do update set due_at = least(p.due_at, excluded.due_at)
    returning p.user_id
  ), contexts as (
    insert into keepsake.due_contexts as x (user_id, profile_id, due_at)
    select distinct f.user_id, f.id, 'epoch'::timestamptz from taken as t
    join keepsake_chats.user_profile_list as f on f.user_id = t.user_id and f.id = t.profile_id
    where (select count(*) from folded) >= 0  -- the periods first, as whoever writes the summary of a day locks them
    order by f.user_id, f.id
    on conflict (user_id, profile_id) do update set due_at = least(x.due_at, x.not_before), is_changed = true
  )
  select count(*)::integer from taken
$$;
comment on function keepsake.fold_summary_marks(integer) is 'Makes periods of the oldest marks, and returns how many marks it took.';
grant execute on function keepsake.fold_summary_marks(integer) to service_role;
create function keepsake.mark_period(person uuid, profile uuid, middle date) returns void
language sql set search_path = '' as $$
  insert into keepsake.summary_marks (user_id, profile_id, moment)
  select f.user_id, f.id, (middle + time '12:00') at time zone keepsake.known_timezone(f.timezone)
  from keepsake_chats.user_profile_list as f where f.user_id = person and f.id = profile
$$;
comment on function keepsake.mark_period(uuid, uuid, date) is 'Has the summaries of a local date written again; of a profile that is deleted nothing.';
grant execute on function keepsake.mark_period(uuid, uuid, date) to service_role;
create function keepsake.mark_resting_summaries() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform keepsake.mark_period(s.user_id, s.profile_id, s.first_date + k.middle)
  from keepsake.period_summaries as s join keepsake.summary_kinds as k on k.kind = s.level
  where s.user_id = old.user_id and old.id = any (s.memory_ids);
  return null;
end
$$;
comment on function keepsake.mark_resting_summaries() is 'A forgotten memory makes the summaries due that rest on it.';
create trigger keepsake_60_mark_resting_summaries after update on public.user_memory for each row when (old.status <> 'deleted' and new.status = 'deleted') execute function keepsake.mark_resting_summaries();
create function keepsake.mark_deleted_summary() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform keepsake.mark_period(old.user_id, old.profile_id, p.first_date + k.middle)
  from keepsake.summary_period(tg_argv[0], to_jsonb(old)) as p join keepsake.summary_kinds as k on k.kind = p.kind;
  return null;
end
$$;
comment on function keepsake.mark_deleted_summary() is 'The summary of a period that is deleted is due again.';
do $$
declare
  of_level text;
begin
  for of_level in select k.table_name from keepsake.summary_kinds as k where k.rank is not null loop
    execute format('create trigger keepsake_60_mark_deleted after delete on public.%1$I
      for each row execute function keepsake.mark_deleted_summary(%1$L)', of_level);
  end loop;
end
$$;
create function keepsake.mark_summaries_of_types() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  allowed_before public.memory_type[] := enum_range(null::public.memory_type);
begin
  if tg_op = 'UPDATE' then
    allowed_before := old.allowed_types;
  end if;
  -- By quarters of an hour, in which a day begins in every time zone: a person may have many memories.
  insert into keepsake.summary_marks (user_id, profile_id, moment)
  select distinct m.user_id, m.profile_id, date_bin('15 minutes', d.moment, 'epoch')
  from public.user_memory as m cross join lateral unnest(array[m.valid_from, m.valid_to]) as d (moment)
  where m.user_id = new.user_id and m.status <> 'deleted'
    and (m.memory_type = any(allowed_before)) <> (m.memory_type = any(new.allowed_types)) and d.moment is not null and isfinite(d.moment)
  union
  -- Messages are read where every type is allowed.
  select e.user_id, e.profile_id, date_bin('15 minutes', e.said_at, 'epoch') from keepsake.extractions as e
  join keepsake_chats.user_profile_list as f on f.user_id = e.user_id and f.id = e.profile_id
  where e.user_id = new.user_id and e.said_at is not null
    and (allowed_before @> enum_range(null::public.memory_type)) <> (new.allowed_types @> enum_range(null::public.memory_type));
  -- Conversations, of whose newest the rolling summary is then written again.
  insert into keepsake.conversation_marks (conversation_id)
  select s.conversation_id from keepsake_chats.conversation_summaries as s
  join keepsake_chats.conversations_participants as p on p.conversation_id = s.conversation_id and p.user_id = new.user_id
  where s.generator is not null;
  update public.user_memory_session_state as s set rolling_summary = '', outlines = '{}', source_ids = '{}', message_ids = '{}'
  where s.user_id = new.user_id and s.rolling_summary <> '';
  return null;
end
$$;
comment on function keepsake.mark_summaries_of_types() is 'Summaries that rest on memories of a type that the person allows or forbids are due, or on messages, which may be read no more or again; so are those of conversations.';
create trigger keepsake_60_mark_summaries_of_new after insert on public.user_memory_settings for each row when (not new.allowed_types @> enum_range(null::public.memory_type)) execute function keepsake.mark_summaries_of_types();
create trigger keepsake_60_mark_summaries after update on public.user_memory_settings for each row when (old.allowed_types is distinct from new.allowed_types) execute function keepsake.mark_summaries_of_types();
create table keepsake.due_conversations (
  conversation_id uuid primary key references keepsake_chats.conversations (id) on delete cascade,
  due_at timestamptz not null,
  model_failures integer not null default 0,
  bad_replies integer not null default 0,
  waiting_since timestamptz
);
create index due_conversations_due on keepsake.due_conversations (due_at);
comment on table keepsake.due_conversations is 'The conversations whose summary is to be written, or written again.';
comment on column keepsake.due_conversations.waiting_since is 'Since when it waits for the model; model_failures and bad_replies are its failed calls since then.';
grant select, insert, update, delete on keepsake.due_conversations to service_role;
create table keepsake.conversation_marks (
  id bigint generated always as identity primary key,
  conversation_id uuid not null references keepsake_chats.conversations (id) on delete cascade
);
create index conversation_marks_conversation on keepsake.conversation_marks (conversation_id);
comment on table keepsake.conversation_marks is 'Conversations of memories that were forgotten, restored or erased: nobody reads their summary until it is written again.';
grant select, insert, update, delete on keepsake.conversation_marks to service_role;
create function keepsake.mark_conversations_of_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into keepsake.conversation_marks (conversation_id)
  select c.id from keepsake_chats.conversations as c
  where c.id = old.conversation_id or (old.reference_count > 0 and c.id in (
    select e.conversation_id from keepsake.extractions as e
    where e.user_id = old.user_id and e.results @> jsonb_build_array(jsonb_build_object('memory_id', old.id::text))
  ));
  return null;
end
$$;
comment on function keepsake.mark_conversations_of_changed() is 'A forgotten, restored or erased memory has the summaries of its conversations written again.';
create trigger keepsake_60_mark_conversations after update on public.user_memory for each row when ((old.status = 'deleted') is distinct from (new.status = 'deleted')) execute function keepsake.mark_conversations_of_changed();
create trigger keepsake_60_mark_conversations_of_deleted after delete on public.user_memory for each row execute function keepsake.mark_conversations_of_changed();
create function keepsake.drop_summary_for_joining() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not exists (
    select from keepsake_chats.conversations as c where c.id = new.conversation_id and c.user_id is distinct from new.user_id
  ) then
    return null;
  end if;
  delete from keepsake_chats.conversation_summaries as s
  where s.conversation_id = new.conversation_id and s.generator is not null;
  -- A job that is writing one has not seen who joins: nobody reads it until run-due-jobs has removed it.
  insert into keepsake.conversation_marks (conversation_id) values (new.conversation_id);
  return null;
end
$$;
comment on function keepsake.drop_summary_for_joining() is 'Deletes the summary of a conversation that somebody else joins, and has it written again for several readers.';
create trigger keepsake_60_drop_summary_for_joining after insert on keepsake_chats.conversations_participants for each row execute function keepsake.drop_summary_for_joining();
create table public.user_memory_sessions (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  persona_id text,
  started_at timestamptz not null,
  last_activity_at timestamptz not null,
  ended_at timestamptz,
  turn_count integer not null default 1 constraint user_memory_sessions_turns check (turn_count > 0),
  summary_due_at timestamptz,
  constraint user_memory_sessions_times check (started_at <= last_activity_at and last_activity_at <= ended_at),
  primary key (user_id, id),
  constraint user_memory_sessions_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
create unique index user_memory_sessions_open on public.user_memory_sessions (user_id, profile_id, persona_id) nulls not distinct where ended_at is null;
create index user_memory_sessions_newest on public.user_memory_sessions (user_id, profile_id, persona_id, last_activity_at desc);
create index user_memory_sessions_due on public.user_memory_sessions (summary_due_at) where summary_due_at is not null;
comment on table public.user_memory_sessions is 'What a person said to one persona without a pause of 30 minutes.';
comment on column public.user_memory_sessions.ended_at is '30 minutes after the last message; null while the session is open.';
comment on column public.user_memory_sessions.turn_count is 'The messages of the person from which something may be remembered.';
comment on column public.user_memory_sessions.summary_due_at is 'When the session is to be closed and summarized; null when it is.';
comment on index public.user_memory_sessions_open is 'At most one session of a persona is open.';
comment on index public.user_memory_sessions_due is 'Finds what is due, whatever the number of sessions.';
alter table public.user_memory_sessions alter column user_id set statistics 0, alter column profile_id set statistics 0, alter column persona_id set statistics 0;
alter table public.user_memory_sessions enable row level security, force row level security;
revoke all on public.user_memory_sessions from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_sessions to service_role;
grant select on public.user_memory_sessions to authenticated;
create policy "People see their own sessions" on public.user_memory_sessions for select to authenticated using ((select auth.uid()) = user_id);
create table public.user_memory_session_summaries (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  session_id uuid not null,
  persona_id text,
  ended_at timestamptz not null,
  one_liner text not null
    constraint user_memory_session_summaries_line check (char_length(one_liner) <= 600 and keepsake.is_clean_text(one_liner)),
  what_mattered text[] not null default '{}',
  open_loops text[] not null default '{}',
  commitments text[] not null default '{}',
  people text[] not null default '{}',
  tone text not null default ''
    constraint user_memory_session_summaries_tone check (char_length(tone) <= 600 and keepsake.is_clean_text(tone)),
  source_ids uuid[] not null default '{}',
  generator text not null constraint user_memory_session_summaries_generator check (generator in ('rules', 'llm')),
  prompt_version text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  message_ids uuid[] not null default '{}',
  primary key (user_id, id),
  constraint user_memory_session_summaries_session unique (user_id, session_id),
  constraint user_memory_session_summaries_of_session foreign key (user_id, session_id)
    references public.user_memory_sessions (user_id, id) on delete cascade,
  constraint user_memory_session_summaries_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
create index user_memory_session_summaries_newest on public.user_memory_session_summaries (user_id, profile_id, persona_id, ended_at desc);
comment on table public.user_memory_session_summaries is 'What each session of a person was about.';
comment on column public.user_memory_session_summaries.source_ids is 'The memories and to-dos that it was written from.';
alter table public.user_memory_session_summaries alter column user_id set statistics 0, alter column message_ids set statistics 0, alter column profile_id set statistics 0, alter column session_id set statistics 0, alter column persona_id set statistics 0, alter column one_liner set statistics 0, alter column what_mattered set statistics 0, alter column open_loops set statistics 0, alter column commitments set statistics 0, alter column people set statistics 0, alter column tone set statistics 0, alter column source_ids set statistics 0, alter column generator set statistics 0, alter column prompt_version set statistics 0;
alter table public.user_memory_session_summaries enable row level security, force row level security;
revoke all on public.user_memory_session_summaries from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_session_summaries to service_role;
grant select on public.user_memory_session_summaries to authenticated;
create policy "People see the summaries of their sessions" on public.user_memory_session_summaries for select to authenticated using ((select auth.uid()) = user_id);
create table public.user_memory_session_state (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  persona_id text,
  message_count integer not null default 0,
  last_interaction timestamptz not null,
  rolling_summary text not null default ''
    constraint user_memory_session_state_text check (char_length(rolling_summary) <= 600
      and keepsake.is_clean_text(rolling_summary)),
  source_ids uuid[] not null default '{}',
  last_rolling_success_at timestamptz,
  refresh_due_at timestamptz,
  generator text constraint user_memory_session_state_generator check (generator in ('rules', 'llm')),
  prompt_version text,
  outlines jsonb not null default '{}',
  message_ids uuid[] not null default '{}',
  primary key (user_id, id),
  constraint user_memory_session_state_persona unique nulls not distinct (user_id, profile_id, persona_id),
  constraint user_memory_session_state_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade,
  constraint user_memory_session_state_owner unique (user_id, id)
);
create index user_memory_session_state_due on public.user_memory_session_state (refresh_due_at) where refresh_due_at is not null;
comment on table public.user_memory_session_state is 'How things stand between a person and a persona, across sessions.';
comment on column public.user_memory_session_state.rolling_summary is 'What was said of late, in at most 600 characters.';
comment on column public.user_memory_session_state.source_ids is 'The memories and to-dos that the rolling summary was written from.';
comment on column public.user_memory_session_state.refresh_due_at is 'When the rolling summary is to be written again; null when it is.';
comment on column public.user_memory_session_state.generator is 'What wrote the rolling summary; null before the first.';
comment on column public.user_memory_session_state.outlines is 'As of a day.';
comment on index public.user_memory_session_state_due is 'Finds what is due, whatever the number of people.';
alter table public.user_memory_session_state alter column user_id set statistics 0, alter column message_ids set statistics 0, alter column profile_id set statistics 0, alter column persona_id set statistics 0, alter column rolling_summary set statistics 0, alter column source_ids set statistics 0, alter column generator set statistics 0, alter column prompt_version set statistics 0, alter column outlines set statistics 0;
alter table public.user_memory_session_state enable row level security, force row level security;
revoke all on public.user_memory_session_state from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_session_state to service_role;
grant select on public.user_memory_session_state to authenticated;
create policy "People see how things stand with a persona" on public.user_memory_session_state for select to authenticated using ((select auth.uid()) = user_id);
create function keepsake.note_turn(person uuid, profile uuid, persona text, said_at timestamptz,
  pause interval, refresh_every integer, now timestamptz) returns table (state_id uuid, is_refresh_due boolean)
language plpgsql set search_path = '' as $$
declare
  current_session uuid;
  rest constant interval := '1 minute';
begin
  insert into public.user_memory_session_state as s (user_id, profile_id, persona_id, message_count, last_interaction)
  values (person, profile, persona, 1, note_turn.said_at)
  on conflict (user_id, profile_id, persona_id) do update set message_count = s.message_count + 1,
    last_interaction = greatest(s.last_interaction, excluded.last_interaction),
    refresh_due_at = case
      when (s.message_count + 1) % refresh_every > 0 then s.refresh_due_at
      when s.last_rolling_success_at + rest > note_turn.said_at
        then least(s.refresh_due_at, s.last_rolling_success_at + rest)
      else note_turn.now
    end
  returning s.id, s.message_count % refresh_every = 0
    and coalesce(s.last_rolling_success_at + rest <= note_turn.said_at, true) into state_id, is_refresh_due;

  select s.id into current_session from public.user_memory_sessions as s
  where s.user_id = person and s.profile_id = profile and s.persona_id is not distinct from persona
    and s.last_activity_at >= note_turn.said_at - pause and s.started_at <= note_turn.said_at + pause
  order by s.last_activity_at desc limit 1;
  if found then
    update public.user_memory_sessions as s
    set turn_count = s.turn_count + 1, started_at = least(s.started_at, note_turn.said_at),
      last_activity_at = greatest(s.last_activity_at, note_turn.said_at),
      ended_at = case when s.ended_at is not null then greatest(s.ended_at, note_turn.said_at + pause) end,
      summary_due_at = greatest(s.last_activity_at, note_turn.said_at) + pause
    where s.user_id = person and s.id = current_session;
  else
    update public.user_memory_sessions as s set ended_at = s.last_activity_at + pause
    where s.user_id = person and s.profile_id = profile and s.persona_id is not distinct from persona
      and s.ended_at is null and s.last_activity_at < note_turn.said_at;
    insert into public.user_memory_sessions (user_id, profile_id, persona_id, started_at, last_activity_at, ended_at,
      summary_due_at)
    select person, profile, persona, note_turn.said_at, note_turn.said_at,
      case when exists (
        select from public.user_memory_sessions as o
        where o.user_id = person and o.profile_id = profile and o.persona_id is not distinct from persona
          and o.ended_at is null
      ) then note_turn.said_at + pause end, note_turn.said_at + pause;
  end if;
  return next;
end
$$;
comment on function keepsake.note_turn(uuid, uuid, text, timestamptz, interval, integer, timestamptz) is 'Counts a message of a person to a persona: in the open session, in a new one, or in an earlier one if it arrives late.';
grant execute on function keepsake.note_turn(uuid, uuid, text, timestamptz, interval, integer, timestamptz) to service_role;
create table keepsake.waiting_sessions (
  user_id uuid not null,
  session_id uuid not null,
  model_failures integer not null default 0,
  bad_replies integer not null default 0,
  waiting_since timestamptz not null,
  primary key (user_id, session_id),
  constraint waiting_sessions_session foreign key (user_id, session_id)
    references public.user_memory_sessions (user_id, id) on delete cascade
);
comment on table keepsake.waiting_sessions is 'Since when the summary of a session waits for the model, and its failed calls since then.';
grant select, insert, update, delete on keepsake.waiting_sessions to service_role;
create table keepsake.waiting_states (
  user_id uuid not null,
  state_id uuid not null,
  model_failures integer not null default 0,
  bad_replies integer not null default 0,
  waiting_since timestamptz not null,
  primary key (user_id, state_id),
  constraint waiting_states_state foreign key (user_id, state_id)
    references public.user_memory_session_state (user_id, id) on delete cascade
);
comment on table keepsake.waiting_states is 'Since when the rolling summary of a persona waits for the model, and its failed calls since then.';
grant select, insert, update, delete on keepsake.waiting_states to service_role;
create table public.user_memory_spine (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  version integer not null constraint user_memory_spine_version check (version > 0),
  content jsonb not null constraint user_memory_spine_content check (jsonb_typeof(content) = 'object'),
  message_count bigint not null,
  source_ids uuid[] not null default '{}',
  generator text not null constraint user_memory_spine_generator check (generator in ('rules', 'llm')),
  prompt_version text,
  created_at timestamptz not null default now(),
  message_ids uuid[] not null default '{}',
  primary key (user_id, id),
  constraint user_memory_spine_versions unique (user_id, profile_id, version),
  constraint user_memory_spine_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_spine is 'What holds of a person over the long term; every version is kept.';
comment on column public.user_memory_spine.content is 'PROFILE, PROJECTS, PEOPLE and OPEN_LOOPS: lists of {"id", "text"}, the id of the memory or to-do.';
comment on column public.user_memory_spine.message_count is 'How many messages the person had written when it was made.';
comment on column public.user_memory_spine.source_ids is 'The memories and to-dos that it was written from.';
alter table public.user_memory_spine alter column user_id set statistics 0, alter column message_ids set statistics 0, alter column profile_id set statistics 0, alter column content set statistics 0, alter column source_ids set statistics 0, alter column generator set statistics 0, alter column prompt_version set statistics 0;
alter table public.user_memory_spine enable row level security, force row level security;
revoke all on public.user_memory_spine from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_spine to service_role;
grant select on public.user_memory_spine to authenticated;
create policy "People see their own spine" on public.user_memory_spine for select to authenticated using ((select auth.uid()) = user_id);
create function keepsake.delete_spine() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
  ids uuid[];
begin
  for person, ids in select d.user_id, array_agg(d.id) from deleted as d group by d.user_id loop
    delete from public.user_memory_spine as s where s.user_id = person and s.source_ids && ids;
  end loop;
  return null;
end
$$;
comment on function keepsake.delete_spine() is 'Deletes the versions of the spine that rest on deleted rows.';
create trigger keepsake_61_delete_spine after delete on public.user_memory referencing old table as deleted for each statement execute function keepsake.delete_spine();
create trigger keepsake_61_delete_spine after delete on public.user_memory_todos referencing old table as deleted for each statement execute function keepsake.delete_spine();
create function keepsake.rewrite_session_texts(person uuid, ids uuid[], newest_only boolean default false) returns void
language plpgsql set search_path = '' set enable_nestloop = off as $$
declare
  found_ids uuid[];
begin
  -- The states first, as note_turn takes them.
  select array_agg(distinct w.id) into found_ids from public.user_memory_session_state as w
  cross join lateral unnest(w.source_ids) as i (id) join unnest(ids) as g (id) on g.id = i.id
  where w.user_id = person;
  update public.user_memory_session_state as s
  set rolling_summary = '', outlines = '{}', source_ids = '{}', refresh_due_at = now()
  where s.user_id = person and s.id = any(found_ids);
  select array_agg(distinct w.session_id) into found_ids from public.user_memory_session_summaries as w
  cross join lateral unnest(w.source_ids) as i (id) join unnest(ids) as g (id) on g.id = i.id
  where w.user_id = person and not (newest_only and exists (
    select from public.user_memory_session_summaries as n
    where n.user_id = w.user_id and n.profile_id = w.profile_id and n.persona_id is not distinct from w.persona_id
      and n.ended_at > w.ended_at
  ));
  delete from public.user_memory_session_summaries as s where s.user_id = person and s.session_id = any(found_ids);
  update public.user_memory_sessions as s set summary_due_at = now() where s.user_id = person and s.id = any(found_ids);
end
$$;
comment on function keepsake.rewrite_session_texts(uuid, uuid[], boolean) is 'Deletes the texts about sessions that rest on these memories or to-dos, or of each persona the newest, and lets them be written again.';
create function keepsake.rewrite_session_texts_of_changed() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  says_the_same boolean := new.todo_text = old.todo_text;
begin
  perform keepsake.rewrite_session_texts(new.user_id, array[new.id], newest_only => says_the_same);
  if says_the_same and new.status <> 'open' then  -- what was said in an earlier session stays as it was written
    update public.user_memory_session_summaries as s
    set commitments = array_remove(s.commitments, new.todo_text), open_loops = array_remove(s.open_loops, new.todo_text)
    where s.user_id = new.user_id and s.source_ids @> array[new.id];
  end if;
  return null;
end
$$;
comment on function keepsake.rewrite_session_texts_of_changed() is 'Lets the texts about sessions be written again that rest on a to-do that says something else now; where it is only done or dropped, the newest, and earlier sessions list it no more.';
create trigger keepsake_60_rewrite_session_texts after update on public.user_memory_todos for each row when (old.todo_text is distinct from new.todo_text or old.status is distinct from new.status) execute function keepsake.rewrite_session_texts_of_changed();
create function keepsake.delete_session_texts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
  ids uuid[];
begin
  for person, ids in select d.user_id, array_agg(d.id) from deleted as d group by d.user_id loop
    perform keepsake.rewrite_session_texts(person, ids);
  end loop;
  return null;
end
$$;
comment on function keepsake.delete_session_texts() is 'Deletes the texts about sessions that rest on deleted rows, and lets them be written again.';
create trigger keepsake_60_delete_session_texts after delete on public.user_memory referencing old table as deleted for each statement execute function keepsake.delete_session_texts();
create trigger keepsake_60_delete_session_texts after delete on public.user_memory_todos referencing old table as deleted for each statement execute function keepsake.delete_session_texts();
create function keepsake.drop_texts_of_forgotten(person uuid, ids uuid[]) returns void
language plpgsql set search_path = '' set enable_nestloop = off as $$
declare
  found_ids uuid[];
begin
  select array_agg(distinct w.id) into found_ids from public.user_memory_history_summaries as w
  cross join lateral unnest(w.memory_ids::text[] || array(select p.id from jsonb_array_elements_text(w.previous -> 'memory_ids') as p (id))) as i (id)
  join unnest(ids::text[]) as g (id) on g.id = i.id
  where w.user_id = person;
  delete from public.user_memory_history_summaries as s where s.user_id = person and s.id = any(found_ids);
  select array_agg(distinct w.id) into found_ids from public.user_memory_spine as w
  cross join lateral unnest(w.source_ids) as i (id) join unnest(ids) as g (id) on g.id = i.id
  where w.user_id = person;
  -- The job that writes the rolling summary of a persona also writes the spine.
  update public.user_memory_session_state as s set refresh_due_at = now()
  where s.user_id = person and s.id in (
    select distinct on (n.profile_id) n.id from public.user_memory_session_state as n
    where n.user_id = person and n.profile_id in (select d.profile_id from public.user_memory_spine as d where d.user_id = person and d.id = any(found_ids))
    order by n.profile_id, n.last_interaction desc
  );
  delete from public.user_memory_spine as s where s.user_id = person and s.id = any(found_ids);
end
$$;
comment on function keepsake.drop_texts_of_forgotten(uuid, uuid[]) is 'Deletes the histories and the versions of the spine that rest on memories that are forgotten, and lets the spine be written again.';
create function keepsake.follow_changed_memories() returns trigger
language plpgsql security definer set search_path = '' set enable_hashjoin = on as $$
declare
  person uuid;
  changed uuid[];
  forgotten uuid[];
  restored uuid[];
begin
  for person, changed, forgotten, restored in
    select a.user_id, array_agg(a.id) filter (where not (b.status = 'deleted' and a.status <> 'deleted')),
      array_agg(a.id) filter (where b.status <> 'deleted' and a.status = 'deleted'),
      array_agg(a.id) filter (where b.status = 'deleted' and a.status <> 'deleted')
    from before as b join after as a on a.id = b.id
    where b.memory_text is distinct from a.memory_text or (b.status = 'deleted') <> (a.status = 'deleted')
    group by a.user_id
  loop
    if changed is not null then
      perform keepsake.rewrite_session_texts(person, changed);
    end if;
    if forgotten is not null then
      perform keepsake.drop_texts_of_forgotten(person, forgotten);
    end if;
    if restored is not null then  -- a restored memory is in no text: the session in which it was said is summarized again
      update public.user_memory_session_state as s set refresh_due_at = now()
      where s.user_id = person and s.generator is not null
        and s.profile_id in (select r.profile_id from after as r where r.id = any(restored));
      update public.user_memory_sessions as s set summary_due_at = now()
      where s.user_id = person and s.ended_at is not null and exists (
        select from after as r where r.id = any(restored) and r.profile_id = s.profile_id
          and coalesce(r.restated_at, r.valid_from) between s.started_at and s.last_activity_at
      );
    end if;
  end loop;
  return null;
end
$$;
comment on function keepsake.follow_changed_memories() is 'Lets the texts be written again that rest on memories that were edited, forgotten or restored.';
create trigger keepsake_60_follow_changed after update on public.user_memory referencing old table as before new table as after for each statement execute function keepsake.follow_changed_memories();
create table public.user_memory_forgotten_summaries (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  kind text not null constraint user_memory_forgotten_summaries_kind
    check (kind in ('day', 'history', 'week', 'month', 'session', 'spine')),
  first_date date,
  session_id uuid,
  created_at timestamptz not null default now(),
  primary key (user_id, id),
  constraint user_memory_forgotten_summaries_period check ((kind in ('session', 'spine')) = (first_date is null)
    and (kind = 'session') = (session_id is not null)),
  constraint user_memory_forgotten_summaries_of unique nulls not distinct
    (user_id, profile_id, kind, first_date, session_id),
  constraint user_memory_forgotten_summaries_session foreign key (user_id, session_id)
    references public.user_memory_sessions (user_id, id) on delete cascade,
  constraint user_memory_forgotten_summaries_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
create index user_memory_forgotten_summaries_by_session on public.user_memory_forgotten_summaries (user_id, session_id) where session_id is not null;
comment on table public.user_memory_forgotten_summaries is 'The summaries that a person forgot: they are not written again.';
comment on column public.user_memory_forgotten_summaries.first_date is 'The first date of the period, and of a history the last one; null of a session and the spine.';
alter table public.user_memory_forgotten_summaries alter column user_id set statistics 0, alter column profile_id set statistics 0, alter column kind set statistics 0, alter column session_id set statistics 0;
alter table public.user_memory_forgotten_summaries enable row level security, force row level security;
revoke all on public.user_memory_forgotten_summaries from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_forgotten_summaries to service_role;
grant select on public.user_memory_forgotten_summaries to authenticated;
create policy "People see which summaries they forgot" on public.user_memory_forgotten_summaries for select to authenticated using ((select auth.uid()) = user_id);
create trigger keepsake_50_log after insert or delete on public.user_memory_forgotten_summaries for each row execute function keepsake.log_change('user_memory_forgotten_summaries');
create function keepsake.summary_period(table_name text, summary jsonb, out kind text, out first_date date, out session_id uuid)
language sql stable set search_path = '' as $$
  select (select k.kind from keepsake.summary_kinds as k where k.table_name = summary_period.table_name),
    coalesce(coalesce(summary ->> 'summary_date', summary ->> 'end_date', summary ->> 'week_start_date')::date,
      make_date((summary ->> 'year')::integer, (summary ->> 'month')::integer, 1)),
    (summary ->> 'session_id')::uuid
$$;
comment on function keepsake.summary_period(text, jsonb) is 'The kind and the first date of a summary, or its session, as user_memory_forgotten_summaries has them; a spine has neither.';
grant execute on function keepsake.summary_period(text, jsonb) to service_role;
create function keepsake.skip_forgotten_summary() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.user_memory_forgotten_summaries as f
    join keepsake.summary_period(tg_argv[0], to_jsonb(new)) as p
      on p.kind = f.kind and p.first_date is not distinct from f.first_date and p.session_id is not distinct from f.session_id
    where f.user_id = new.user_id and f.profile_id = new.profile_id
  ) then
    return null;
  end if;
  return new;
end
$$;
comment on function keepsake.skip_forgotten_summary() is 'Writes no summary that its person forgot.';
do $$
declare
  of_summaries text;
begin
  for of_summaries in select k.table_name from keepsake.summary_kinds as k loop
    execute format('create trigger keepsake_05_skip_forgotten before insert on public.%1$I
      for each row execute function keepsake.skip_forgotten_summary(%1$L)', of_summaries);
    execute format('create trigger keepsake_50_log after insert or delete on public.%1$I
      for each row when (pg_trigger_depth() = 0 and nullif(current_setting(''keepsake.operation_id'', true), '''') is not null)
      execute function keepsake.log_change(%1$L)', of_summaries);
  end loop;
end
$$;
create function keepsake.delete_forgotten_texts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
  ids text[];
begin
  for person, ids in select d.user_id, array_agg(d.id::text) from deleted as d group by d.user_id loop
    delete from keepsake.changes as c
    where c.user_id = person and c.table_name in (select k.table_name from keepsake.summary_kinds as k)
      and exists (
        select from unnest(array[c.before, c.after]) as i (image)
        where i.image -> 'memory_ids' ?| ids or i.image -> 'source_ids' ?| ids or i.image -> 'previous' -> 'memory_ids' ?| ids
      );
  end loop;
  return null;
end
$$;
comment on function keepsake.delete_forgotten_texts() is 'Deletes the logged summaries that rest on deleted memories or to-dos.';
create trigger keepsake_61_delete_forgotten_texts after delete on public.user_memory referencing old table as deleted for each statement execute function keepsake.delete_forgotten_texts();
create trigger keepsake_61_delete_forgotten_texts after delete on public.user_memory_todos referencing old table as deleted for each statement execute function keepsake.delete_forgotten_texts();
create function keepsake.forget_summary(summary uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', 'forget a summary');
  person uuid := (select auth.uid());
  of_table text;
  forgotten jsonb;
  touched bigint := 1;
begin
  for of_table in select k.table_name from keepsake.summary_kinds as k where k.kind <> 'spine' loop
    execute format('delete from public.%I as s where s.id = $1 and s.user_id = $2 returning to_jsonb(s)', of_table)
      into forgotten using forget_summary.summary, person;
    exit when forgotten is not null;
  end loop;
  if forgotten is null then
    of_table := 'user_memory_spine';
    select to_jsonb(s) into forgotten from public.user_memory_spine as s
    where s.id = forget_summary.summary and s.user_id = person;
    delete from public.user_memory_spine as s
    where s.user_id = person and s.profile_id = (forgotten ->> 'profile_id')::uuid;
    get diagnostics touched = row_count;
    if touched = 0 then
      raise exception using errcode = 'PT404', message = 'There is no such summary, or it is not yours.';
    end if;
  end if;
  -- After the summary, so that undo removes it first.
  insert into public.user_memory_forgotten_summaries (user_id, profile_id, kind, first_date, session_id)
  select person, (forgotten ->> 'profile_id')::uuid, p.kind, p.first_date, p.session_id
  from keepsake.summary_period(of_table, forgotten) as p
  on conflict do nothing;
  -- What was merged from it is made again without it.
  delete from keepsake.context_cache as c
  where c.user_id = person and c.profile_id = (forgotten ->> 'profile_id')::uuid;
  insert into keepsake.due_contexts as d (user_id, profile_id, due_at)
  values (person, (forgotten ->> 'profile_id')::uuid, now())
  on conflict (user_id, profile_id) do update set due_at = least(d.due_at, greatest(excluded.due_at, d.not_before)), is_changed = true;
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.forget_summary(uuid) is 'Forgets a summary of the caller; of the spine all versions.';
grant execute on function keepsake.forget_summary(uuid) to authenticated;
create function public.forget_summary(summary uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.forget_summary(summary);
end;
comment on function public.forget_summary(uuid) is 'Forget one of your summaries (of a session, a day, six days, a week, a month, or your spine); it is not written again, and can be undone for 30 days.';
revoke all on function public.forget_summary(uuid) from public, anon, authenticated, service_role;
grant execute on function public.forget_summary(uuid) to authenticated;
create table keepsake.forgotten_statements (
  id bigint generated always as identity,
  user_id uuid not null references auth.users (id) on delete cascade,
  words text[] not null,
  names text[] not null,
  forgotten_at timestamptz not null,
  primary key (user_id, id)
);
comment on table keepsake.forgotten_statements is 'What was forgotten for good, as hashes of the first letters of its words: sentences that state it are no source of a summary.';
alter table keepsake.forgotten_statements alter column words set statistics 0, alter column names set statistics 0;
grant select, insert, delete on keepsake.forgotten_statements to service_role;
create function keepsake.word_hashes(person uuid, txt text) returns text[]
language sql immutable set search_path = '' as $$
  select coalesce(array_agg(distinct md5(person::text || left(w.word, 5))), '{}')
  from regexp_split_to_table(
    translate(coalesce(txt, ''), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ“”‘’«»…–—', 'abcdefghijklmnopqrstuvwxyz         '),
    '[^0-9a-z\u0080-\U0010ffff]+') as w (word)
  where length(w.word) > 2
$$;
comment on function keepsake.word_hashes(uuid, text) is 'The words of a text as hashes that say nothing without the person: domain/summaries/left_out.py makes the same.';
grant execute on function keepsake.word_hashes(uuid, text) to service_role;
create function keepsake.keep_forgotten_statements() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into keepsake.forgotten_statements (user_id, words, names, forgotten_at)
  select d.user_id, keepsake.word_hashes(d.user_id, d.memory_text), keepsake.word_hashes(d.user_id, d.entity_label),
    coalesce(d.deleted_at, now())
  from deleted as d join auth.users as u on u.id = d.user_id
  where d.source_message_id is not null;
  return null;
end
$$;
comment on function keepsake.keep_forgotten_statements() is 'Notes what a memory that is deleted for good stated, as hashes.';
create trigger keepsake_62_keep_forgotten_statements after delete on public.user_memory referencing old table as deleted for each statement execute function keepsake.keep_forgotten_statements();
create table keepsake.embedding_models (
  model text primary key,
  dimensions integer not null constraint embedding_models_dimensions check (dimensions between 1 and 2000),
  since timestamptz not null default now(),
  unrelated_mean real,
  unrelated_deviation real constraint embedding_models_deviation check (unrelated_deviation > 0)
);
comment on table keepsake.embedding_models is 'The vector length of each embedding model; a reply with another length is rejected.';
comment on column keepsake.embedding_models.unrelated_mean is 'The mean similarity of unrelated texts; null until measured: then words alone decide what is relevant.';
comment on column keepsake.embedding_models.unrelated_deviation is 'Its standard deviation.';
grant select, insert, update, delete on keepsake.embedding_models to service_role;
create table keepsake.memories_to_embed (
  user_id uuid not null,
  memory_id uuid not null,
  due_at timestamptz default '-infinity',
  attempts smallint not null default 0,
  model text,
  reason text,
  primary key (user_id, memory_id),
  constraint memories_to_embed_memory foreign key (user_id, memory_id)
    references public.user_memory (user_id, id) on delete cascade
);
create index memories_to_embed_due on keepsake.memories_to_embed (due_at) where due_at is not null;
create index memories_to_embed_given_up on keepsake.memories_to_embed (model) where due_at is null;
comment on table keepsake.memories_to_embed is 'The queue of active memories without a vector.';
comment on column keepsake.memories_to_embed.due_at is 'When the next attempt is due, which is also the end of a lease; null: given up.';
comment on column keepsake.memories_to_embed.model is 'The model of the attempts; another model starts at zero.';
comment on column keepsake.memories_to_embed.reason is 'Why the last attempt failed, as a code.';
comment on index keepsake.memories_to_embed_due is 'Due entries, oldest first.';
grant select, insert, update, delete on keepsake.memories_to_embed to service_role;
create function keepsake.enqueue_embedding() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.status = 'active' then
    insert into keepsake.memories_to_embed as e (user_id, memory_id) values (new.user_id, new.id)
    on conflict (user_id, memory_id) do update set due_at = '-infinity', attempts = 0, model = null, reason = null;
  else
    delete from keepsake.memories_to_embed as e where e.user_id = new.user_id and e.memory_id = new.id;
  end if;
  return null;
end
$$;
comment on function keepsake.enqueue_embedding() is 'Queues a memory for embedding, or removes it from the queue when it is no longer active.';
create trigger keepsake_30_embed_new after insert on public.user_memory for each row when (new.status = 'active') execute function keepsake.enqueue_embedding();
create trigger keepsake_30_embed after update of memory_text, status, profile_id on public.user_memory for each row when ((old.memory_text, old.status, old.profile_id) is distinct from (new.memory_text, new.status, new.profile_id)) execute function keepsake.enqueue_embedding();
create function keepsake.similar_memories(person uuid, profile uuid, vector_model text, query_vector real[])
returns table (memory_id uuid, similarity float8)
language plpgsql stable security definer rows 1000 set search_path = '' as $$
begin
  return;
end
$$;
comment on function keepsake.similar_memories(uuid, uuid, text, real[]) is 'The cosine similarity of each embedded memory of a profile to the query vector (exact, no approximate index).';
grant execute on function keepsake.similar_memories(uuid, uuid, text, real[]) to service_role;
create function keepsake.create_memory_vectors() returns text
language plpgsql set search_path = '' as $enable$
declare
  vector_schema text;
begin
  if to_regclass('keepsake.memory_vectors') is not null then
    return 'on';
  end if;
  select n.nspname into vector_schema
  from pg_catalog.pg_extension as x join pg_catalog.pg_namespace as n on n.oid = x.extnamespace
  where x.extname = 'vector';
  if vector_schema is null then
    if not exists (select from pg_catalog.pg_available_extensions as a where a.name = 'vector') then
      return 'the server has no pgvector';
    elsif to_regnamespace('extensions') is null then
      return 'pgvector is not created in this database: create extension vector;';
    end if;
    begin
      create extension vector with schema extensions;
    exception when insufficient_privilege then
      return 'only a superuser may create pgvector here: create extension vector with schema extensions;';
    end;
    vector_schema := 'extensions';
  end if;

  execute format($ddl$
    create table keepsake.memory_vectors (
      user_id uuid not null,
      memory_id uuid not null,
      profile_id uuid not null,
      model text not null,
      vector %1$I.vector not null,
      primary key (user_id, memory_id),
      constraint memory_vectors_memory foreign key (user_id, memory_id)
        references public.user_memory (user_id, id) on delete cascade
    );
    -- No statistics: the planner needs none of a vector, and pg_statistic must not keep any.
    alter table keepsake.memory_vectors alter column vector set storage plain, alter column vector set statistics 0;
    create index memory_vectors_of_profile on keepsake.memory_vectors (user_id, profile_id, model);
    create index memory_vectors_by_model on keepsake.memory_vectors (model);
    comment on table keepsake.memory_vectors is 'The vector of each active memory; deleted when its text changes.';
    comment on column keepsake.memory_vectors.vector is 'Of any length, stored inline and not in TOAST: all vectors of a person are read for a message.';
    revoke all on keepsake.memory_vectors from public, anon, authenticated;
    grant select, insert, update, delete on keepsake.memory_vectors to service_role;

    -- The name makes it run after enqueue_embedding: store_vectors locks the row of the queue while it writes.
    create function keepsake.drop_vector() returns trigger
    language plpgsql security definer set search_path = '' as $$
    begin
      delete from keepsake.memory_vectors as v where v.user_id = new.user_id and v.memory_id = new.id;
      return null;
    end
    $$;
    comment on function keepsake.drop_vector() is 'Deletes the vector of a memory whose text changed or that is no longer active.';
    revoke all on function keepsake.drop_vector() from public, anon, authenticated;
    create trigger keepsake_31_drop_vector after update of memory_text, status, profile_id on public.user_memory
      for each row when ((old.memory_text, old.status, old.profile_id) is distinct from (new.memory_text, new.status, new.profile_id))
      execute function keepsake.drop_vector();

    -- Skips rows that are locked, and memories whose text changed since it was embedded; these are tried again.
    create function keepsake.store_vectors(vector_model text, people uuid[], memories uuid[], texts text[], vectors text[])
    returns setof uuid
    language sql security definer set search_path = '' as $$
      with locked as materialized (
        select m.user_id, m.id, m.profile_id, g.vector::%1$I.vector as vector
        from unnest(people, memories, texts, vectors) as g (user_id, memory_id, content, vector)
        join public.user_memory as m on m.user_id = g.user_id and m.id = g.memory_id
        join keepsake.memories_to_embed as e on e.user_id = m.user_id and e.memory_id = m.id
        join keepsake.embedding_models as o on o.model = vector_model and o.dimensions = %1$I.vector_dims(g.vector::%1$I.vector)
        where m.status = 'active' and m.memory_text = g.content
        for key share of m skip locked for update of e skip locked
      ), dequeued as (
        delete from keepsake.memories_to_embed as e using locked as h where e.user_id = h.user_id and e.memory_id = h.id
      )
      insert into keepsake.memory_vectors as v (user_id, memory_id, profile_id, model, vector)
      select h.user_id, h.id, h.profile_id, vector_model, h.vector
      from locked as h
      on conflict (user_id, memory_id) do update
        set profile_id = excluded.profile_id, model = excluded.model, vector = excluded.vector
      returning v.memory_id
    $$;
    comment on function keepsake.store_vectors(text, uuid[], uuid[], text[], text[]) is 'Stores the vectors of memories whose text is unchanged, and removes these from the queue.';
    revoke all on function keepsake.store_vectors(text, uuid[], uuid[], text[], text[]) from public, anon, authenticated;
    grant execute on function keepsake.store_vectors(text, uuid[], uuid[], text[], text[]) to service_role;

    create or replace function keepsake.similar_memories(person uuid, profile uuid, vector_model text, query_vector real[])
    returns table (memory_id uuid, similarity float8)
    language plpgsql stable security definer rows 1000 set search_path = '' as $$
    declare
      query %1$I.vector := query_vector::%1$I.vector;
    begin
      return query
        select v.memory_id, 1 - (v.vector operator(%1$I.<=>) query)
        from keepsake.memory_vectors as v
        where v.user_id = person and v.profile_id = profile and v.model = vector_model
          and %1$I.vector_dims(v.vector) = %1$I.vector_dims(query);
    end
    $$;
  $ddl$, vector_schema);
  return 'on';
end
$enable$;
comment on function keepsake.create_memory_vectors() is 'Creates the vector table and its functions once the server has pgvector; the first step of enable_vectors.';
create function keepsake.enable_vectors() returns text
language plpgsql set search_path = '' as $enable$
declare
  status text := keepsake.create_memory_vectors();
  vector_schema text;
begin
  select n.nspname into vector_schema
  from pg_catalog.pg_extension as x join pg_catalog.pg_namespace as n on n.oid = x.extnamespace
  where x.extname = 'vector';
  if status <> 'on' or to_regclass('keepsake.memory_vector_halves') is not null
    or to_regtype(format('%I.halfvec', vector_schema)) is null then
    return status;
  end if;

  execute format($ddl$
    create table keepsake.memory_vector_halves (
      user_id uuid not null,
      memory_id uuid not null,
      profile_id uuid not null,
      model text not null,
      half %1$I.halfvec not null,
      constraint memory_vector_halves_vector foreign key (user_id, memory_id)
        references keepsake.memory_vectors (user_id, memory_id) on delete cascade
    );
    alter table keepsake.memory_vector_halves alter column half set storage plain, alter column half set statistics 0;
    -- What was vacuumed since it was written is read from the index alone.
    alter table keepsake.memory_vector_halves set (autovacuum_vacuum_insert_scale_factor = 0.02);
    comment on table keepsake.memory_vector_halves is 'The vectors of memory_vectors that fit an index, as unit vectors in half precision.';
    revoke all on keepsake.memory_vector_halves from public, anon, authenticated;
    grant select, insert, update, delete on keepsake.memory_vector_halves to service_role;

    create function keepsake.keep_half() returns trigger
    language plpgsql security definer set search_path = '' as $$
    begin
      if %1$I.vector_dims(new.vector) <= 1200 and octet_length(new.model) <= 200 then  -- an entry of an index has 2,700 bytes at most
        insert into keepsake.memory_vector_halves as h (user_id, memory_id, profile_id, model, half)
        values (new.user_id, new.memory_id, new.profile_id, new.model, %1$I.l2_normalize(new.vector)::%1$I.halfvec)
        on conflict (user_id, memory_id) do update
          set profile_id = excluded.profile_id, model = excluded.model, half = excluded.half;
      else
        delete from keepsake.memory_vector_halves as h where h.user_id = new.user_id and h.memory_id = new.memory_id;
      end if;
      return null;
    end
    $$;
    comment on function keepsake.keep_half() is 'Stores a vector that fits an index in half precision too.';
    revoke all on function keepsake.keep_half() from public, anon, authenticated;
    create trigger keepsake_half after insert or update on keepsake.memory_vectors
      for each row execute function keepsake.keep_half();

    insert into keepsake.memory_vector_halves (user_id, memory_id, profile_id, model, half)
    select v.user_id, v.memory_id, v.profile_id, v.model, %1$I.l2_normalize(v.vector)::%1$I.halfvec
    from keepsake.memory_vectors as v
    where %1$I.vector_dims(v.vector) <= 1200 and octet_length(v.model) <= 200;
    alter table keepsake.memory_vector_halves
      add primary key (user_id, memory_id) include (profile_id, model, half);
    comment on index keepsake.memory_vector_halves_pkey is 'With all columns, so that the vectors of a person are read from it alone.';

    create or replace function keepsake.similar_memories(person uuid, profile uuid, vector_model text, query_vector real[])
    returns table (memory_id uuid, similarity float8)
    language plpgsql stable security definer rows 1000
    set search_path = '' set enable_seqscan = off set enable_bitmapscan = off as $$  -- from the index alone, vacuumed or not
    declare
      query %1$I.vector := query_vector::%1$I.vector;
      half_query %1$I.halfvec;
    begin
      if cardinality(query_vector) <= 1200 and octet_length(vector_model) <= 200 then
        half_query := %1$I.l2_normalize(query)::%1$I.halfvec;
        return query
          select h.memory_id, 1 - (h.half operator(%1$I.<=>) half_query)
          from keepsake.memory_vector_halves as h
          where h.user_id = person and h.profile_id = profile and h.model = vector_model
            and %1$I.vector_dims(h.half) = %1$I.vector_dims(half_query);
      else
        return query
          select v.memory_id, 1 - (v.vector operator(%1$I.<=>) query)
          from keepsake.memory_vectors as v
          where v.user_id = person and v.profile_id = profile and v.model = vector_model
            and %1$I.vector_dims(v.vector) = %1$I.vector_dims(query);
      end if;
    end
    $$;
  $ddl$, vector_schema);
  return status;
end
$enable$;
comment on function keepsake.enable_vectors() is 'Creates the vector tables and their functions once the server has pgvector; returns on, or what is missing. Idempotent.';
do $$
declare
  status text := keepsake.enable_vectors();
begin
  if status <> 'on' then
    raise notice 'vectors are not available: %', status;
  end if;
end
$$;
create function keepsake.text_mentions(content text, subject text, language text) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  config regconfig := keepsake.text_search_config(language);
begin
  return coalesce(to_tsvector(config, content) @@ plainto_tsquery(config, subject)
    or to_tsvector('pg_catalog.simple', content) @@ plainto_tsquery('pg_catalog.simple', subject), false);
end
$$;
comment on function keepsake.text_mentions(text, text, text) is 'Whether the text contains all words of the subject, in any form (stemmed); false for a subject without words.';
grant execute on function keepsake.text_mentions(text, text, text) to service_role;
create function keepsake.row_text(image jsonb) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  words text := concat_ws(' ', image ->> 'memory_text', image ->> 'source_quote', image ->> 'entity_label',
    image ->> 'label', image ->> 'aliases', image ->> 'name', image ->> 'notes', split_part(image ->> 'key', ':', 2),
    split_part(image ->> 'variant', ':', 2), image ->> 'value', nullif(split_part(image ->> 'memory_key', '|', 3), 'self'),
    split_part(image ->> 'memory_key', '|', 5), image ->> 'todo_text');
begin
  if image -> 'entity_refs' not in ('[]', '["person:self"]', 'null') then
    words := words || ' ' || coalesce((
      select string_agg(nullif(split_part(r.ref, ':', 2), 'self'), ' ')
      from jsonb_array_elements_text(image -> 'entity_refs') as r (ref)), '');
  end if;
  return translate(words, '_', ' ');
end
$$;
comment on function keepsake.row_text(jsonb) is 'All text of a row image, from a table or from the audit log.';
grant execute on function keepsake.row_text(jsonb) to service_role;
create function keepsake.row_references(image jsonb, entities text[]) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return entities <> '{}' and coalesce(image -> 'entity_refs' ?| entities, false)
    or coalesce(split_part(image ->> 'memory_key', '|', 2) || ':' || split_part(image ->> 'memory_key', '|', 3) = any (entities), false)
    or coalesce(image ->> 'key' = any (entities), false) or coalesce(image ->> 'variant' = any (entities), false);
end
$$;
comment on function keepsake.row_references(jsonb, text[]) is 'Whether a row image refers to one of these entities.';
grant execute on function keepsake.row_references(jsonb, text[]) to service_role;
create function keepsake.row_mentions(image jsonb, subject text, entities text[]) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return keepsake.row_references(image, entities)
    or (subject is not null and keepsake.text_mentions(keepsake.row_text(image), subject, coalesce(image ->> 'language', 'en')));
end
$$;
comment on function keepsake.row_mentions(jsonb, text, text[]) is 'Whether a row image mentions the subject or refers to one of these entities.';
grant execute on function keepsake.row_mentions(jsonb, text, text[]) to service_role;
create function keepsake.delete_jobs_of_turn() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from keepsake.procrastinate_jobs as j
  where j.status <> 'doing' and j.args ->> 'message_id' = old.source_message_id::text;
  return null;
end
$$;
comment on function keepsake.delete_jobs_of_turn() is 'Deletes the waiting jobs of a deleted turn.';
create trigger keepsake_50_drop_jobs after delete on keepsake.extractions for each row when (old.status in ('pending', 'claimed')) execute function keepsake.delete_jobs_of_turn();
create function keepsake.summary_mentions(summary jsonb, subject text) returns boolean
language plpgsql stable parallel safe set search_path = '' as $$
declare
  english regconfig := keepsake.text_search_config('en');
  own constant text[] := array['generator', 'prompt_version', 'outlines', 'previous'];
begin
  if subject is null then
    return false;
  end if;
  return exists (
    select from (values (summary - own), (nullif(summary -> 'previous', 'null') - own)) as i (image)
    where jsonb_to_tsvector(english, i.image, '["string"]') @@ plainto_tsquery(english, subject)
      or jsonb_to_tsvector('pg_catalog.simple', i.image, '["string"]') @@ plainto_tsquery('pg_catalog.simple', subject)
  );
end
$$;
comment on function keepsake.summary_mentions(jsonb, text) is 'Whether a row of a summary, or its version before, contains all words of the subject, in any form; false without a subject.';
grant execute on function keepsake.summary_mentions(jsonb, text) to service_role;
set local search_path = keepsake, pg_temp;
DO $$
BEGIN
    CREATE EXTENSION IF NOT EXISTS plpgsql WITH SCHEMA pg_catalog;
EXCEPTION
    WHEN OTHERS THEN
        -- On managed PostgreSQL services (e.g. Azure Database for PostgreSQL, Amazon RDS,
        -- Google Cloud SQL), CREATE EXTENSION may fail with various error codes:
        -- insufficient_privilege, feature_not_supported, or provider-specific errors.
        -- Before ignoring, verify the extension actually exists — if it does not exist
        -- and cannot be created, re-raise so the failure is explicit.
        IF EXISTS (SELECT 1 FROM pg_extension WHERE extname = 'plpgsql') THEN
            RAISE NOTICE 'plpgsql extension already exists, skipping creation.';
        ELSE
            RAISE;
        END IF;
END;
$$;
CREATE TYPE procrastinate_job_status AS ENUM (
    'todo',  -- The job is queued
    'doing',  -- The job has been fetched by a worker
    'succeeded',  -- The job ended successfully
    'failed',  -- The job ended with an error
    'cancelled', -- The job was cancelled
    'aborting',  -- legacy, not used anymore since v3.0.0
    'aborted'  -- The job was aborted
);
CREATE TYPE procrastinate_job_event_type AS ENUM (
    'deferred',  -- Job created, in todo
    'started',  -- todo -> doing
    'deferred_for_retry',  -- doing -> todo
    'failed',  -- doing -> failed
    'succeeded',  -- doing -> succeeded
    'cancelled', -- todo -> cancelled
    'abort_requested', -- not a state transition, but set in a separate field
    'aborted', -- doing -> aborted (only allowed when abort_requested field is set)
    'scheduled', -- not a state transition, but recording when a task is scheduled for
    'retried' -- Manually retried failed job
);
CREATE TYPE procrastinate_job_to_defer_v1 AS (
    queue_name character varying,
    task_name character varying,
    priority integer,
    lock text,
    queueing_lock text,
    args jsonb,
    scheduled_at timestamp with time zone
);
CREATE TABLE procrastinate_workers(
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    last_heartbeat timestamp with time zone NOT NULL DEFAULT NOW()
);
CREATE TABLE procrastinate_jobs (
    id bigserial PRIMARY KEY,
    queue_name character varying(128) NOT NULL,
    task_name character varying(128) NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    lock text,
    queueing_lock text,
    args jsonb DEFAULT '{}' NOT NULL,
    status procrastinate_job_status DEFAULT 'todo'::procrastinate_job_status NOT NULL,
    scheduled_at timestamp with time zone NULL,
    attempts integer DEFAULT 0 NOT NULL,
    abort_requested boolean DEFAULT false NOT NULL,
    worker_id bigint REFERENCES procrastinate_workers(id) ON DELETE SET NULL,
    CONSTRAINT check_not_todo_abort_requested CHECK (NOT (status = 'todo' AND abort_requested = true))
);
CREATE TABLE procrastinate_periodic_defers (
    id bigserial PRIMARY KEY,
    task_name character varying(128) NOT NULL,
    defer_timestamp bigint,
    job_id bigint REFERENCES procrastinate_jobs(id) NULL,
    periodic_id character varying(128) NOT NULL DEFAULT '',
    CONSTRAINT procrastinate_periodic_defers_unique UNIQUE (task_name, periodic_id, defer_timestamp)
);
CREATE TABLE procrastinate_events (
    id bigserial PRIMARY KEY,
    job_id bigint NOT NULL REFERENCES procrastinate_jobs ON DELETE CASCADE,
    type procrastinate_job_event_type,
    at timestamp with time zone DEFAULT NOW() NULL
);
CREATE UNIQUE INDEX procrastinate_jobs_queueing_lock_idx_v1 ON procrastinate_jobs (queueing_lock) WHERE status = 'todo';
CREATE UNIQUE INDEX procrastinate_jobs_lock_idx_v1 ON procrastinate_jobs (lock) WHERE status = 'doing';
CREATE INDEX idx_procrastinate_jobs_worker_not_null ON procrastinate_jobs(worker_id) WHERE worker_id IS NOT NULL AND status = 'doing'::procrastinate_job_status;
CREATE INDEX procrastinate_jobs_queue_name_idx_v1 ON procrastinate_jobs(queue_name);
CREATE INDEX procrastinate_jobs_id_lock_idx_v1 ON procrastinate_jobs (id, lock) WHERE status = ANY (ARRAY['todo'::procrastinate_job_status, 'doing'::procrastinate_job_status]);
CREATE INDEX procrastinate_jobs_priority_idx_v1 ON procrastinate_jobs(priority desc, id asc) WHERE (status = 'todo'::procrastinate_job_status);
CREATE INDEX procrastinate_events_job_id_fkey_v1 ON procrastinate_events(job_id);
CREATE INDEX procrastinate_periodic_defers_job_id_fkey_v1 ON procrastinate_periodic_defers(job_id);
CREATE INDEX idx_procrastinate_workers_last_heartbeat ON procrastinate_workers(last_heartbeat);
CREATE FUNCTION procrastinate_defer_jobs_v1(
    jobs procrastinate_job_to_defer_v1[]
)
    RETURNS bigint[]
    LANGUAGE plpgsql
AS $$
DECLARE
    job_ids bigint[];
BEGIN
    WITH inserted_jobs AS (
        INSERT INTO procrastinate_jobs (queue_name, task_name, priority, lock, queueing_lock, args, scheduled_at)
        SELECT (job).queue_name,
               (job).task_name,
               (job).priority,
               (job).lock,
               (job).queueing_lock,
               (job).args,
               (job).scheduled_at
        FROM unnest(jobs) AS job
        RETURNING id
    )
    SELECT array_agg(id) FROM inserted_jobs INTO job_ids;

    RETURN job_ids;
END;
$$;
CREATE FUNCTION procrastinate_defer_periodic_job_v2(
    _queue_name character varying,
    _lock character varying,
    _queueing_lock character varying,
    _task_name character varying,
    _priority integer,
    _periodic_id character varying,
    _defer_timestamp bigint,
    _args jsonb
)
    RETURNS bigint
    LANGUAGE plpgsql
AS $$
DECLARE
	_job_id bigint;
	_defer_id bigint;
BEGIN
    INSERT
        INTO procrastinate_periodic_defers (task_name, periodic_id, defer_timestamp)
        VALUES (_task_name, _periodic_id, _defer_timestamp)
        ON CONFLICT DO NOTHING
        RETURNING id into _defer_id;

    IF _defer_id IS NULL THEN
        RETURN NULL;
    END IF;

    UPDATE procrastinate_periodic_defers
        SET job_id = (
            SELECT COALESCE((
                SELECT unnest(procrastinate_defer_jobs_v1(
                    ARRAY[
                        ROW(
                            _queue_name,
                            _task_name,
                            _priority,
                            _lock,
                            _queueing_lock,
                            _args,
                            NULL::timestamptz
                        )
                    ]::procrastinate_job_to_defer_v1[]
                ))
            ), NULL)
        )
        WHERE id = _defer_id
        RETURNING job_id INTO _job_id;

    DELETE
        FROM procrastinate_periodic_defers
        USING (
            SELECT id
            FROM procrastinate_periodic_defers
            WHERE procrastinate_periodic_defers.task_name = _task_name
            AND procrastinate_periodic_defers.periodic_id = _periodic_id
            AND procrastinate_periodic_defers.defer_timestamp < _defer_timestamp
            ORDER BY id
            FOR UPDATE
        ) to_delete
        WHERE procrastinate_periodic_defers.id = to_delete.id;

    RETURN _job_id;
END;
$$;
CREATE FUNCTION procrastinate_fetch_job_v2(
    target_queue_names character varying[],
    p_worker_id bigint
)
    RETURNS procrastinate_jobs
    LANGUAGE plpgsql
AS $$
DECLARE
	found_jobs procrastinate_jobs;
BEGIN
    WITH candidate AS (
        SELECT jobs.*
            FROM procrastinate_jobs AS jobs
            WHERE
                -- reject the job if its lock has earlier or higher priority jobs
                NOT EXISTS (
                    SELECT 1
                        FROM procrastinate_jobs AS other_jobs
                        WHERE
                            jobs.lock IS NOT NULL
                            AND other_jobs.lock = jobs.lock
                            AND (
                                -- job with same lock is already running
                                other_jobs.status = 'doing'
                                OR
                                -- job with same lock is waiting and has higher priority (or same priority but was queued first)
                                (
                                    other_jobs.status = 'todo'
                                    AND (
                                        other_jobs.priority > jobs.priority
                                        OR (
                                        other_jobs.priority = jobs.priority
                                        AND other_jobs.id < jobs.id
                                        )
                                    )
                                )
                            )
                )
                AND jobs.status = 'todo'
                AND (target_queue_names IS NULL OR jobs.queue_name = ANY( target_queue_names ))
                AND (jobs.scheduled_at IS NULL OR jobs.scheduled_at <= now())
            ORDER BY jobs.priority DESC, jobs.id ASC LIMIT 1
            FOR UPDATE OF jobs SKIP LOCKED
    )
    UPDATE procrastinate_jobs
        SET status = 'doing', worker_id = p_worker_id
        FROM candidate
        WHERE procrastinate_jobs.id = candidate.id
        RETURNING procrastinate_jobs.* INTO found_jobs;

 RETURN found_jobs;
END;
$$;
CREATE FUNCTION procrastinate_finish_job_v1(job_id bigint, end_status procrastinate_job_status, delete_job boolean)
    RETURNS void
    LANGUAGE plpgsql
AS $$
DECLARE
    _job_id bigint;
BEGIN
    IF end_status NOT IN ('succeeded', 'failed', 'aborted') THEN
        RAISE 'End status should be either "succeeded", "failed" or "aborted" (job id: %)', job_id;
    END IF;
    IF delete_job THEN
        DELETE FROM procrastinate_jobs
        WHERE id = job_id AND status IN ('todo', 'doing')
        RETURNING id INTO _job_id;
    ELSE
        UPDATE procrastinate_jobs
        SET status = end_status,
            abort_requested = false,
            attempts = CASE status
                WHEN 'doing' THEN attempts + 1 ELSE attempts
            END
        WHERE id = job_id AND status IN ('todo', 'doing')
        RETURNING id INTO _job_id;
    END IF;
    IF _job_id IS NULL THEN
        RAISE 'Job was not found or not in "doing" or "todo" status (job id: %)', job_id;
    END IF;
END;
$$;
CREATE FUNCTION procrastinate_cancel_job_v1(job_id bigint, abort boolean, delete_job boolean)
    RETURNS bigint
    LANGUAGE plpgsql
AS $$
DECLARE
    _job_id bigint;
BEGIN
    IF delete_job THEN
        DELETE FROM procrastinate_jobs
        WHERE id = job_id AND status = 'todo'
        RETURNING id INTO _job_id;
    END IF;
    IF _job_id IS NULL THEN
        IF abort THEN
            UPDATE procrastinate_jobs
            SET abort_requested = true,
                status = CASE status
                    WHEN 'todo' THEN 'cancelled'::procrastinate_job_status ELSE status
                END
            WHERE id = job_id AND status IN ('todo', 'doing')
            RETURNING id INTO _job_id;
        ELSE
            UPDATE procrastinate_jobs
            SET status = 'cancelled'::procrastinate_job_status
            WHERE id = job_id AND status = 'todo'
            RETURNING id INTO _job_id;
        END IF;
    END IF;
    RETURN _job_id;
END;
$$;
CREATE FUNCTION procrastinate_retry_job_v1(
    job_id bigint,
    retry_at timestamp with time zone,
    new_priority integer,
    new_queue_name character varying,
    new_lock character varying
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    _job_id bigint;
    _abort_requested boolean;
BEGIN
    SELECT abort_requested FROM procrastinate_jobs
    WHERE id = job_id AND status = 'doing'
    FOR UPDATE
    INTO _abort_requested;
    IF _abort_requested THEN
        UPDATE procrastinate_jobs
        SET status = 'failed'::procrastinate_job_status
        WHERE id = job_id AND status = 'doing'
        RETURNING id INTO _job_id;
    ELSE
        UPDATE procrastinate_jobs
        SET status = 'todo'::procrastinate_job_status,
            attempts = attempts + 1,
            scheduled_at = retry_at,
            priority = COALESCE(new_priority, priority),
            queue_name = COALESCE(new_queue_name, queue_name),
            lock = COALESCE(new_lock, lock)
        WHERE id = job_id AND status = 'doing'
        RETURNING id INTO _job_id;
    END IF;

    IF _job_id IS NULL THEN
        RAISE 'Job was not found or not in "doing" status (job id: %)', job_id;
    END IF;
END;
$$;
CREATE FUNCTION procrastinate_retry_job_v2(
    job_id bigint,
    retry_at timestamp with time zone,
    new_priority integer,
    new_queue_name character varying,
    new_lock character varying
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    _job_id bigint;
    _abort_requested boolean;
    _current_status procrastinate_job_status;
BEGIN
    SELECT status, abort_requested FROM procrastinate_jobs
    WHERE id = job_id AND status IN ('doing', 'failed')
    FOR UPDATE
    INTO _current_status, _abort_requested;
    IF _current_status = 'doing' AND _abort_requested THEN
        UPDATE procrastinate_jobs
        SET status = 'failed'::procrastinate_job_status
        WHERE id = job_id AND status = 'doing'
        RETURNING id INTO _job_id;
    ELSE
        UPDATE procrastinate_jobs
        SET status = 'todo'::procrastinate_job_status,
            attempts = attempts + 1,
            scheduled_at = retry_at,
            priority = COALESCE(new_priority, priority),
            queue_name = COALESCE(new_queue_name, queue_name),
            lock = COALESCE(new_lock, lock)
        WHERE id = job_id AND status IN ('doing', 'failed')
        RETURNING id INTO _job_id;
    END IF;

    IF _job_id IS NULL THEN
        RAISE 'Job was not found or has an invalid status to retry (job id: %)', job_id;
    END IF;

END;
$$;
CREATE FUNCTION procrastinate_notify_queue_job_inserted_v1()
    RETURNS trigger
    LANGUAGE plpgsql
AS $$
DECLARE
    payload TEXT;
BEGIN
    SELECT json_build_object('type', 'job_inserted', 'job_id', NEW.id)::text INTO payload;
	PERFORM pg_notify('procrastinate_queue_v1#' || NEW.queue_name, payload);
	PERFORM pg_notify('procrastinate_any_queue_v1', payload);
	RETURN NEW;
END;
$$;
CREATE FUNCTION procrastinate_notify_queue_abort_job_v1()
RETURNS trigger
    LANGUAGE plpgsql
AS $$
DECLARE
    payload TEXT;
BEGIN
    SELECT json_build_object('type', 'abort_job_requested', 'job_id', NEW.id)::text INTO payload;
	PERFORM pg_notify('procrastinate_queue_v1#' || NEW.queue_name, payload);
	PERFORM pg_notify('procrastinate_any_queue_v1', payload);
	RETURN NEW;
END;
$$;
CREATE FUNCTION procrastinate_trigger_function_status_events_insert_v1()
    RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO procrastinate_events(job_id, type)
        VALUES (NEW.id, 'deferred'::procrastinate_job_event_type);
	RETURN NEW;
END;
$$;
CREATE FUNCTION procrastinate_trigger_function_status_events_update_v1()
    RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    WITH t AS (
        SELECT CASE
            WHEN OLD.status = 'todo'::procrastinate_job_status
                AND NEW.status = 'doing'::procrastinate_job_status
                THEN 'started'::procrastinate_job_event_type
            WHEN OLD.status = 'doing'::procrastinate_job_status
                AND NEW.status = 'todo'::procrastinate_job_status
                THEN 'deferred_for_retry'::procrastinate_job_event_type
            WHEN OLD.status = 'doing'::procrastinate_job_status
                AND NEW.status = 'failed'::procrastinate_job_status
                THEN 'failed'::procrastinate_job_event_type
            WHEN OLD.status = 'doing'::procrastinate_job_status
                AND NEW.status = 'succeeded'::procrastinate_job_status
                THEN 'succeeded'::procrastinate_job_event_type
            WHEN OLD.status = 'todo'::procrastinate_job_status
                AND (
                    NEW.status = 'cancelled'::procrastinate_job_status
                    OR NEW.status = 'failed'::procrastinate_job_status
                    OR NEW.status = 'succeeded'::procrastinate_job_status
                )
                THEN 'cancelled'::procrastinate_job_event_type
            WHEN OLD.status = 'doing'::procrastinate_job_status
                AND NEW.status = 'aborted'::procrastinate_job_status
                THEN 'aborted'::procrastinate_job_event_type
            WHEN OLD.status = 'failed'::procrastinate_job_status
                AND NEW.status = 'todo'::procrastinate_job_status
                THEN 'retried'::procrastinate_job_event_type
            ELSE NULL
        END as event_type
    )
    INSERT INTO procrastinate_events(job_id, type)
        SELECT NEW.id, t.event_type
        FROM t
        WHERE t.event_type IS NOT NULL;
	RETURN NEW;
END;
$$;
CREATE FUNCTION procrastinate_trigger_function_scheduled_events_v1()
    RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO procrastinate_events(job_id, type, at)
        VALUES (NEW.id, 'scheduled'::procrastinate_job_event_type, NEW.scheduled_at);

	RETURN NEW;
END;
$$;
CREATE FUNCTION procrastinate_trigger_abort_requested_events_procedure_v1()
    RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    INSERT INTO procrastinate_events(job_id, type)
        VALUES (NEW.id, 'abort_requested'::procrastinate_job_event_type);
    RETURN NEW;
END;
$$;
CREATE FUNCTION procrastinate_unlink_periodic_defers_v1()
    RETURNS trigger
    LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE procrastinate_periodic_defers
    SET job_id = NULL
    WHERE job_id = OLD.id;
    RETURN OLD;
END;
$$;
CREATE FUNCTION procrastinate_register_worker_v1()
    RETURNS TABLE(worker_id bigint)
    LANGUAGE plpgsql
AS $$
BEGIN
    RETURN QUERY
    INSERT INTO procrastinate_workers DEFAULT VALUES
    RETURNING procrastinate_workers.id;
END;
$$;
CREATE FUNCTION procrastinate_unregister_worker_v1(worker_id bigint)
    RETURNS void
    LANGUAGE plpgsql
AS $$
BEGIN
    DELETE FROM procrastinate_workers
    WHERE id = worker_id;
END;
$$;
CREATE FUNCTION procrastinate_update_heartbeat_v1(worker_id bigint)
    RETURNS void
    LANGUAGE plpgsql
AS $$
BEGIN
    UPDATE procrastinate_workers
    SET last_heartbeat = NOW()
    WHERE id = worker_id;
END;
$$;
CREATE FUNCTION procrastinate_prune_stalled_workers_v1(seconds_since_heartbeat float)
    RETURNS TABLE(worker_id bigint)
    LANGUAGE plpgsql
AS $$
BEGIN
    RETURN QUERY
    DELETE FROM procrastinate_workers
    WHERE last_heartbeat < NOW() - (seconds_since_heartbeat || 'SECOND')::INTERVAL
    RETURNING procrastinate_workers.id;
END;
$$;
CREATE TRIGGER procrastinate_jobs_notify_queue_job_inserted_v1 AFTER INSERT ON procrastinate_jobs FOR EACH ROW WHEN ((new.status = 'todo'::procrastinate_job_status)) EXECUTE PROCEDURE procrastinate_notify_queue_job_inserted_v1();
CREATE TRIGGER procrastinate_jobs_notify_queue_job_aborted_v1 AFTER UPDATE OF abort_requested ON procrastinate_jobs FOR EACH ROW WHEN ((old.abort_requested = false AND new.abort_requested = true AND new.status = 'doing'::procrastinate_job_status)) EXECUTE PROCEDURE procrastinate_notify_queue_abort_job_v1();
CREATE TRIGGER procrastinate_trigger_status_events_update_v1 AFTER UPDATE OF status ON procrastinate_jobs FOR EACH ROW EXECUTE PROCEDURE procrastinate_trigger_function_status_events_update_v1();
CREATE TRIGGER procrastinate_trigger_status_events_insert_v1 AFTER INSERT ON procrastinate_jobs FOR EACH ROW WHEN ((new.status = 'todo'::procrastinate_job_status)) EXECUTE PROCEDURE procrastinate_trigger_function_status_events_insert_v1();
CREATE TRIGGER procrastinate_trigger_scheduled_events_v1 AFTER UPDATE OR INSERT ON procrastinate_jobs FOR EACH ROW WHEN ((new.scheduled_at IS NOT NULL AND new.status = 'todo'::procrastinate_job_status)) EXECUTE PROCEDURE procrastinate_trigger_function_scheduled_events_v1();
CREATE TRIGGER procrastinate_trigger_abort_requested_events_v1 AFTER UPDATE OF abort_requested ON procrastinate_jobs FOR EACH ROW WHEN ((new.abort_requested = true)) EXECUTE PROCEDURE procrastinate_trigger_abort_requested_events_procedure_v1();
CREATE TRIGGER procrastinate_trigger_delete_jobs_v1 BEFORE DELETE ON procrastinate_jobs FOR EACH ROW EXECUTE PROCEDURE procrastinate_unlink_periodic_defers_v1();
set local search_path = '';
do $$
declare
  found record;
begin
  for found in
    select p.oid::regprocedure as signature from pg_catalog.pg_proc as p
    where p.pronamespace = 'keepsake'::regnamespace and p.proname like 'procrastinate\_%'
  loop
    execute format('alter function %s set search_path = keepsake, pg_temp', found.signature);
    execute format('revoke all on function %s from public, anon, authenticated', found.signature);
    execute format('grant execute on function %s to keepsake_api', found.signature);
  end loop;
  for found in
    select c.oid::regclass as name, c.relkind from pg_catalog.pg_class as c
    where c.relnamespace = 'keepsake'::regnamespace and c.relname like 'procrastinate\_%' and c.relkind in ('r', 'S')
  loop
    execute format('revoke all on %s %s from public, anon, authenticated', case found.relkind when 'S' then 'sequence' else 'table' end, found.name);
    execute format('grant %s on %s %s to keepsake_api', case found.relkind when 'S' then 'usage, select' else 'select, insert, update, delete' end,
      case found.relkind when 'S' then 'sequence' else 'table' end, found.name);
  end loop;
end
$$;
alter table keepsake.procrastinate_jobs alter column lock set statistics 0, alter column queueing_lock set statistics 0, alter column args set statistics 0;
comment on table keepsake.procrastinate_jobs is 'Jobs; their arguments are ids only.';
comment on table keepsake.procrastinate_events is 'What happened to each job.';
comment on table keepsake.procrastinate_periodic_defers is 'Which periodic jobs were queued for which moment.';
comment on table keepsake.procrastinate_workers is 'Workers alive, by their last heartbeat.';
grant select, delete, update (args, lock, queueing_lock) on keepsake.procrastinate_jobs to service_role;
grant select, update (job_id) on keepsake.procrastinate_periodic_defers to service_role;
create index procrastinate_jobs_doing on keepsake.procrastinate_jobs (id) where status = 'doing';
comment on index keepsake.procrastinate_jobs_doing is 'Running jobs, which are few.';
create table keepsake.model_circuits (
  model text primary key,
  opened_at timestamptz,
  reason text,
  next_probe_at timestamptz,
  paused_until timestamptz,
  next_call_at timestamptz,
  failures integer not null default 0,
  unusable_replies integer not null default 0,
  constraint model_circuits_probe check ((opened_at is null) = (next_probe_at is null))
);
comment on table keepsake.model_circuits is 'Circuit breaker and rate limit, shared by all processes: one row a model and endpoint.';
comment on column keepsake.model_circuits.opened_at is 'Since when the circuit is open; while it is, one call a minute probes the endpoint.';
comment on column keepsake.model_circuits.paused_until is 'Until when no call is made, as the endpoint asked (Retry-After).';
comment on column keepsake.model_circuits.next_call_at is 'The next free time slot, where calls a minute are limited.';
comment on column keepsake.model_circuits.failures is 'Calls that failed one after another; any answer sets it to zero.';
comment on column keepsake.model_circuits.unusable_replies is 'Replies in a row that could not be used; several open the circuit, a usable one sets it to zero.';
grant select, insert, update, delete on keepsake.model_circuits to service_role;
create table keepsake.model_profiles (
  model text primary key,
  refused text[] not null default '{}',
  schema_mode text not null constraint model_profiles_mode check (schema_mode in ('json_schema', 'json_object', 'prompt')),
  learnt_at timestamptz not null
);
comment on table keepsake.model_profiles is 'What an endpoint takes in a request for a model, as its answers showed; it is tried again after a day.';
comment on column keepsake.model_profiles.model is 'The model and its endpoint, as in model_circuits.';
comment on column keepsake.model_profiles.refused is 'The options that are left out.';
grant select, insert, update, delete on keepsake.model_profiles to service_role;
create table keepsake.model_verdicts (
  model text primary key,
  verdict text not null constraint model_verdicts_verdict check (verdict in ('good', 'usable', 'rules')),
  prompt_version text not null,
  checked_at timestamptz not null,
  figures jsonb not null default '{}' constraint model_verdicts_figures check (jsonb_typeof(figures) = 'object')
);
comment on table keepsake.model_verdicts is 'What a trial found out about a model at an endpoint, for one version of the prompt.';
comment on column keepsake.model_verdicts.model is 'The model and its endpoint, as in model_circuits.';
comment on column keepsake.model_verdicts.figures is 'The figures behind the verdict; no text of a message.';
grant select, insert, update, delete on keepsake.model_verdicts to service_role;
create table keepsake.model_trials (
  model text not null,
  prompt_version text not null,
  began_at timestamptz,
  results jsonb not null default '[]' constraint model_trials_results check (jsonb_typeof(results) = 'array'),
  failures integer not null default 0,
  failure text,
  free_at timestamptz not null,
  queue_at timestamptz not null,
  primary key (model, prompt_version)
);
comment on table keepsake.model_trials is 'The trial of a model with a version of the prompt that goes on in the background, turn by turn; its end is a row of model_verdicts.';
comment on column keepsake.model_trials.model is 'The model and its endpoint, as in model_circuits.';
comment on column keepsake.model_trials.results is 'What was made of each fixed turn so far, with its message; no text of a person.';
comment on column keepsake.model_trials.failures is 'Attempts that failed, or have not ended, one after another; the lease and the wait grow with them.';
comment on column keepsake.model_trials.failure is 'Why the last attempt failed; null if it did not.';
comment on column keepsake.model_trials.free_at is 'When the next turn may be asked: the end of the lease of a worker, or of a wait.';
comment on column keepsake.model_trials.queue_at is 'When a job is queued again, if none has come this far.';
grant select, insert, update, delete on keepsake.model_trials to service_role;
create table keepsake.model_days (
  day date not null,
  model text not null,
  calls bigint not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  purpose text not null default 'chat' constraint model_days_purpose check (purpose in ('chat', 'embedding')),
  primary key (day, model)
);
comment on table keepsake.model_days is 'Token usage of a model by day (UTC), all people together; usage by person is in counters.';
comment on column keepsake.model_days.purpose is 'chat or embedding: each has its own budget.';
grant select, insert, update, delete on keepsake.model_days to service_role;
create view keepsake.volume_by_day with (security_invoker = true) as select v.user_id, v.day, sum(v.turns)::bigint as turns, sum(v.extracted)::bigint as extracted, sum(v.memories)::bigint as memories, sum(v.contexts)::bigint as contexts, sum(v.tokens)::bigint as tokens from ( select e.user_id, (e.finished_at at time zone 'UTC')::date as day, 1 as turns, (e.status = 'extracted')::integer as extracted, 0 as memories, 0 as contexts, 0 as tokens from keepsake.extractions as e where e.finished_at is not null union all select m.user_id, (m.created_at at time zone 'UTC')::date, 0, 0, 1, 0, 0 from public.user_memory as m union all select i.user_id, (i.created_at at time zone 'UTC')::date, 0, 0, 0, 1, coalesce(i.token_count, 0) from keepsake.injections as i ) as v group by v.user_id, v.day;
comment on view keepsake.volume_by_day is 'Messages, memories and contexts by person and day.';
grant select on keepsake.volume_by_day to service_role;
create function keepsake.is_own_live_topic(topic text) returns boolean
language sql stable set search_path = '' as $$
  select topic = 'keepsake:' || (select auth.uid())
$$;
comment on function keepsake.is_own_live_topic(text) is 'Whether a topic of Realtime is that of the person who asks.';
create function keepsake.send_live_update() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  counted constant text[] := array['reference_count', 'last_referenced_at'];
  people uuid[];
begin
  if to_regprocedure('realtime.send(jsonb, text, text, boolean)') is null then
    return null;
  elsif tg_op = 'UPDATE' then
    select array_agg(distinct n.user_id) into people from changed as n
    join before_change as o on o.user_id = n.user_id and o.id = n.id
    where to_jsonb(n) - counted is distinct from to_jsonb(o) - counted;
  else
    select array_agg(distinct c.user_id) into people from changed as c;
  end if;
  perform realtime.send(jsonb_build_object('table', tg_table_name), 'changed', 'keepsake:' || person, true) from unnest(people) as person;
  return null;
end
$$;
comment on function keepsake.send_live_update() is 'Tells each person whose rows a statement has changed that something changed.';
create trigger keepsake_90_live_insert after insert on public.user_memory referencing new table as changed for each statement execute function keepsake.send_live_update();
create trigger keepsake_90_live_delete after delete on public.user_memory referencing old table as changed for each statement execute function keepsake.send_live_update();
create trigger keepsake_90_live_update after update on public.user_memory referencing new table as changed old table as before_change for each statement execute function keepsake.send_live_update();
create trigger keepsake_90_live_insert after insert on public.user_memory_todos referencing new table as changed for each statement execute function keepsake.send_live_update();
create trigger keepsake_90_live_update after update on public.user_memory_todos referencing new table as changed old table as before_change for each statement execute function keepsake.send_live_update();
create trigger keepsake_90_live_delete after delete on public.user_memory_todos referencing old table as changed for each statement execute function keepsake.send_live_update();
create function keepsake.enable_live_updates() returns text
language plpgsql set search_path = '' as $$
begin
  if to_regclass('realtime.messages') is null or to_regprocedure('realtime.topic()') is null then
    return 'no Realtime';
  end if;
  grant execute on function keepsake.is_own_live_topic(text) to authenticated;
  execute 'drop policy if exists "People hear of their own changes" on realtime.messages';
  execute 'create policy "People hear of their own changes" on realtime.messages for select to authenticated '
    'using (realtime.messages.extension = ''broadcast'' and keepsake.is_own_live_topic((select realtime.topic())))';
  return 'enabled';
exception when insufficient_privilege then
  return 'not permitted';
end
$$;
comment on function keepsake.enable_live_updates() is 'Lets people join their private topic of Realtime; call it again, as the owner, where Realtime comes later.';
revoke all on function keepsake.is_own_live_topic(text), keepsake.send_live_update(), keepsake.enable_live_updates() from public, anon, authenticated;
do $$ begin perform keepsake.enable_live_updates(); end $$;
do $$
declare
  chat_table text;
  chats constant text[] := array['conversations', 'messages', 'conversation_summaries'];
  -- Tables whose name, or that of one of their indexes, a relation in public has.
  taken constant text[] := array(
    select distinct coalesce(t.relname, k.relname)::text from pg_catalog.pg_class as k
    left join pg_catalog.pg_index as i on i.indexrelid = k.oid
    left join pg_catalog.pg_class as t on t.oid = i.indrelid
    where k.relnamespace = 'keepsake_chats'::regnamespace and pg_catalog.to_regclass('public.' || k.relname) is not null
  );
  is_taken constant boolean := taken && chats;
begin
  if is_taken then
    raise warning 'The application has tables of chats, with names of Keepsake''s. They stay as they are, and no chat in them is read: run `keepsake adopt`, whose migration copies them.';
  end if;
  foreach chat_table in array chats || array['user_profile_list', 'conversations_participants'] loop
    continue when chat_table = any (taken) or (is_taken and chat_table = any (chats));
    execute format('alter table keepsake_chats.%1$I set schema public;
      create view keepsake_chats.%1$I with (security_invoker = true) as select * from public.%1$I;
      revoke all on keepsake_chats.%1$I from public, anon, authenticated, service_role;
      grant select, insert, update, delete on keepsake_chats.%1$I to service_role;
      grant select on keepsake_chats.%1$I to authenticated', chat_table);
  end loop;
end
$$;
revoke all on all tables in schema keepsake from public, anon, authenticated;
revoke all on all functions in schema keepsake from public, anon;
