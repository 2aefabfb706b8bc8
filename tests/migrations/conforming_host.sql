-- A chat application that was there before Keepsake: its own columns, policies and grants, and people in it.

create type public.speaker as enum ('user', 'assistant');

create table public.user_profile_list (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  name varchar(80),
  is_primary boolean,
  star_sign text
);
create unique index my_one_primary on public.user_profile_list (user_id) where is_primary = true;
create table public.conversations (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  topic text
);
create table public.conversations_participants (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  nickname text not null default 'guest'
);
create table public.messages (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  user_id uuid references auth.users (id) on delete set null,
  role public.speaker not null,
  content text not null,
  created_at timestamptz not null default now()
);

alter table public.conversations enable row level security;
create policy "host: everybody reads" on public.conversations for select to anon, authenticated using (true);
grant select on public.conversations to anon, authenticated;
grant all on public.user_profile_list, public.conversations, public.conversations_participants, public.messages
  to service_role;

insert into auth.users (id, email) values
  ('00000000-0000-4000-8000-00000000000a', 'ada@example.com'),
  ('00000000-0000-4000-8000-00000000000b', 'ben@example.com');
insert into public.user_profile_list (id, user_id, name, is_primary) values
  ('00000000-0000-4000-8000-0000000000a1', '00000000-0000-4000-8000-00000000000a', 'Ada', true),
  ('00000000-0000-4000-8000-0000000000a2', '00000000-0000-4000-8000-00000000000a', 'Work', false),
  ('00000000-0000-4000-8000-0000000000a3', '00000000-0000-4000-8000-00000000000a', 'Old', null);
insert into public.conversations (id, user_id, topic) values
  ('00000000-0000-4000-8000-0000000000c1', '00000000-0000-4000-8000-00000000000a', 'alone'),
  ('00000000-0000-4000-8000-0000000000c2', '00000000-0000-4000-8000-00000000000a', 'together');
insert into public.conversations_participants (conversation_id, user_id, nickname) values
  ('00000000-0000-4000-8000-0000000000c2', '00000000-0000-4000-8000-00000000000a', 'ada'),
  ('00000000-0000-4000-8000-0000000000c2', '00000000-0000-4000-8000-00000000000b', 'ben');
insert into public.messages (conversation_id, user_id, role, content) values
  ('00000000-0000-4000-8000-0000000000c1', '00000000-0000-4000-8000-00000000000a', 'user', 'Hello'),
  ('00000000-0000-4000-8000-0000000000c1', null, 'assistant', 'Hello, Ada');
