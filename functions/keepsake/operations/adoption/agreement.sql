
create function chat_copies.agree(person uuid, since timestamptz) returns void language plpgsql security definer set search_path = '' as $$
declare
  profile uuid := (select p.id from keepsake_chats.user_profile_list as p where p.user_id = person and p.is_primary);
begin
  if person is null then
    raise exception 'nobody is signed in' using errcode = '42501';
  end if;
  if profile is null then{add_agreed}
    insert into keepsake_chats.user_profile_list (user_id, name, is_primary, timezone) values (person, {name}, true, {timezone})
    returning id into profile;
  end if;
  insert into public.user_memory_settings as s (user_id, building, enabled, every_chat, onboarding_seen_at) values (person, true, true, true, now())
  on conflict (user_id) do update
    set building = true, enabled = true, every_chat = true, onboarding_seen_at = coalesce(s.onboarding_seen_at, excluded.onboarding_seen_at)
    where (s.building, s.enabled, s.every_chat, s.onboarding_seen_at is not null) is distinct from (true, true, true, true);
  update keepsake_chats.conversations as c set profile_id = profile where c.user_id = person and c.profile_id is distinct from profile;
  if since is not null then{old_messages}
    update keepsake_chats.conversations_participants as p set remember_since = since
    where p.user_id = person and p.profile_id is not null and p.remember_since > since;
  end if;
end $$;
revoke all on function chat_copies.agree(uuid, timestamptz) from public, anon;
grant execute on function chat_copies.agree(uuid, timestamptz) to authenticated, service_role;

create function public.agree_to_memory(since timestamptz default null) returns void language sql set search_path = '' begin atomic
  select chat_copies.agree((select auth.uid()), since);
end;
comment on function public.agree_to_memory(timestamptz) is 'The caller''s yes to memory in all their chats; with a date, also to what they said since then.';
revoke all on function public.agree_to_memory(timestamptz) from public, anon;
grant execute on function public.agree_to_memory(timestamptz) to authenticated;

create function public.agree_to_memory_for(person uuid, since timestamptz default null) returns void language sql set search_path = '' begin atomic
  select chat_copies.agree(person, since);
end;
comment on function public.agree_to_memory_for(uuid, timestamptz) is 'The same, told by the application''s backend for a person.';
revoke all on function public.agree_to_memory_for(uuid, timestamptz) from public, anon, authenticated;
grant execute on function public.agree_to_memory_for(uuid, timestamptz) to service_role;
