-- The host's conversations and their participants: created when missing, otherwise completed.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

do $$
begin
  if to_regclass('public.conversations') is not null then
    alter table public.conversations
      add column if not exists mode text default 'chat',
      add column if not exists persona_id text,
      add column if not exists memory_enabled boolean,
      add column if not exists title text;
    if not exists (
      select from pg_catalog.pg_attribute
      where attrelid = 'public.conversations'::regclass and attname = 'profile_id' and not attisdropped
    ) then
      alter table public.conversations
        add column profile_id uuid,
        add constraint conversations_profile foreign key (user_id, profile_id)
          references public.user_profile_list (user_id, id) on delete set null (profile_id);
      create index conversations_user_profile on public.conversations (user_id, profile_id);
    end if;
    return;
  end if;

  create table public.conversations (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null default auth.uid() references auth.users (id) on delete cascade,
    profile_id uuid,
    mode text not null default 'chat'
      constraint conversations_mode check (mode in ('chat', 'astro', 'profile', 'together', 'swiss')),
    persona_id text,
    memory_enabled boolean,
    title text,
    created_at timestamptz not null default now(),
    constraint conversations_profile foreign key (user_id, profile_id)
      references public.user_profile_list (user_id, id) on delete set null (profile_id)
  );
  create index conversations_user_profile on public.conversations (user_id, profile_id);
  comment on table public.conversations is 'Chats; user_id owns one, others may take part in it.';
  comment on column public.conversations.profile_id is 'The profile the owner chose for this chat; null means no memory.';
  comment on column public.conversations.memory_enabled is 'The owner''s toggle; null means what the mode does by itself.';

  alter table public.conversations enable row level security;
  alter table public.conversations force row level security;
  revoke all on public.conversations from public, anon, authenticated, service_role;
  grant select, insert, update, delete on public.conversations to service_role;
  grant select on public.conversations to authenticated;
  grant insert (id, user_id, mode, persona_id, title) on public.conversations to authenticated;
  grant update (title) on public.conversations to authenticated;
end
$$;

do $$
begin
  if to_regclass('public.conversations_participants') is not null then
    alter table public.conversations_participants
      add column if not exists profile_id uuid,
      add column if not exists memory_enabled boolean,
      add column if not exists remember_since timestamptz;
    if not keepsake.has_unique_key('public.conversations_participants', array['conversation_id', 'user_id']) then
      create unique index conversations_participants_key
        on public.conversations_participants (conversation_id, user_id);
    end if;
    return;
  end if;

  create table public.conversations_participants (
    conversation_id uuid not null references public.conversations (id) on delete cascade,
    user_id uuid not null references auth.users (id) on delete cascade,
    profile_id uuid,
    memory_enabled boolean,
    remember_since timestamptz,
    joined_at timestamptz not null default now(),
    primary key (conversation_id, user_id),
    constraint conversations_participants_profile foreign key (user_id, profile_id)
      references public.user_profile_list (user_id, id) on delete set null (profile_id)
  );
  create index conversations_participants_user_profile on public.conversations_participants (user_id, profile_id);
  comment on table public.conversations_participants is 'Who takes part in a chat, and what each chose about memory there.';
  comment on column public.conversations_participants.remember_since is 'Nothing said before this is ever read for memories of this person.';

  alter table public.conversations_participants enable row level security;
  alter table public.conversations_participants force row level security;
  revoke all on public.conversations_participants from public, anon, authenticated, service_role;
  grant select, insert, update, delete on public.conversations_participants to service_role;
  grant select on public.conversations_participants to authenticated;
  create policy "People see their own part in conversations" on public.conversations_participants
    for select to authenticated using ((select auth.uid()) = user_id);
end
$$;

create function keepsake.conversations_of_caller() returns setof uuid
language sql stable security definer rows 20 set search_path = '' as $$
  select p.conversation_id from public.conversations_participants as p where p.user_id = (select auth.uid())
$$;
comment on function keepsake.conversations_of_caller() is 'The conversations the caller takes part in. The policies of both tables use it: queried directly, each would invoke the other without end.';
revoke all on function keepsake.conversations_of_caller() from public, anon, authenticated;
grant execute on function keepsake.conversations_of_caller() to authenticated;

do $$
begin
  if pg_catalog.obj_description('public.conversations'::regclass) is distinct from 'Chats; user_id owns one, others may take part in it.' then
    return;  -- the host's own table keeps its own policies
  end if;
  create policy "People see the conversations they take part in" on public.conversations
    for select to authenticated
    using ((select auth.uid()) = user_id or id = any (array(select keepsake.conversations_of_caller())));
  create policy "People start conversations of their own" on public.conversations
    for insert to authenticated with check ((select auth.uid()) = user_id);
  create policy "Owners rename their conversations" on public.conversations
    for update to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);
end
$$;
