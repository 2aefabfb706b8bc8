-- Places of interest (POIs) of a person, and the turns that mention them.

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

alter table public.user_memory_places
  alter column user_id set statistics 0, alter column profile_id set statistics 0,
  alter column place_id set statistics 0, alter column name set statistics 0, alter column notes set statistics 0;
alter table public.user_memory_places enable row level security, force row level security;
revoke all on public.user_memory_places from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_places to service_role;
grant select on public.user_memory_places to authenticated;
grant update (name, notes) on public.user_memory_places to authenticated;
create policy "People see their own places" on public.user_memory_places
  for select to authenticated using ((select auth.uid()) = user_id);
create policy "People rename their own places" on public.user_memory_places
  for update to authenticated using ((select auth.uid()) = user_id) with check ((select auth.uid()) = user_id);

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
create index user_memory_place_mentions_conversation
  on public.user_memory_place_mentions (user_id, conversation_id);
create index user_memory_place_mentions_message on public.user_memory_place_mentions (user_id, source_message_id);
comment on table public.user_memory_place_mentions is 'Each turn in which a person spoke of a place of theirs.';

alter table public.user_memory_place_mentions
  alter column user_id set statistics 0, alter column profile_id set statistics 0,
  alter column place set statistics 0, alter column conversation_id set statistics 0,
  alter column source_message_id set statistics 0;
alter table public.user_memory_place_mentions enable row level security, force row level security;
revoke all on public.user_memory_place_mentions from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_place_mentions to service_role;
grant select on public.user_memory_place_mentions to authenticated;
create policy "People see where they spoke of their places" on public.user_memory_place_mentions
  for select to authenticated using ((select auth.uid()) = user_id);

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
create trigger keepsake_05_normalize before update on public.user_memory_places
  for each row when (old.* is distinct from new.*) execute function keepsake.normalize_place();
create function keepsake.clean_place() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.name := keepsake.clean_text(new.name);
  new.notes := keepsake.clean_text(new.notes);
  return new;
end
$$;
comment on function keepsake.clean_place() is 'Cleans the name and the notes of a place.';
create trigger keepsake_03_clean before update of name, notes on public.user_memory_places
  for each row execute function keepsake.clean_place();
create trigger keepsake_50_log after insert or update or delete on public.user_memory_places
  for each row execute function keepsake.log_change('user_memory_places');
create trigger keepsake_50_log after insert or update or delete on public.user_memory_place_mentions
  for each row execute function keepsake.log_change('user_memory_place_mentions');

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
