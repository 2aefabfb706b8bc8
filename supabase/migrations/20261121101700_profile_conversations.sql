-- A chat in the mode "profile" is about its owner's primary profile: it is linked as soon as there is one, whichever of
-- the two comes first. Memory starts at that moment. Where memory had started before, a choice was made, and it stands.

set local lock_timeout = '10s';  -- rather fail than queue the host's traffic behind us

create function keepsake.link_profile_chat() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' or not exists (
    select from public.conversations_participants as p
    where p.conversation_id = new.id and p.user_id = new.user_id and p.remember_since is not null
  ) then
    new.profile_id := (select f.id from public.user_profile_list as f where f.user_id = new.user_id and f.is_primary);
  end if;
  return new;
end
$$;
comment on function keepsake.link_profile_chat() is 'A chat in the mode profile begins with the primary profile its owner has.';
revoke all on function keepsake.link_profile_chat() from public, anon, authenticated;
create trigger keepsake_05_link_new_profile_chat before insert on public.conversations
  for each row when (new.mode::text = 'profile' and new.profile_id is null)
  execute function keepsake.link_profile_chat();
create trigger keepsake_05_link_profile_chat before update of mode on public.conversations
  for each row when (new.mode::text = 'profile' and old.mode::text is distinct from 'profile' and new.profile_id is null)
  execute function keepsake.link_profile_chat();

create function keepsake.link_waiting_chats() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.conversations as c set profile_id = new.id
  where c.user_id = new.user_id and c.mode::text = 'profile' and c.profile_id is null
    and not exists (
      select from public.conversations_participants as p
      where p.conversation_id = c.id and p.user_id = c.user_id and p.remember_since is not null
    );
  return null;
end
$$;
comment on function keepsake.link_waiting_chats() is 'The chats in the mode profile that waited for a primary profile get it.';
revoke all on function keepsake.link_waiting_chats() from public, anon, authenticated;
create trigger keepsake_30_link_new_profile after insert on public.user_profile_list
  for each row when (new.is_primary) execute function keepsake.link_waiting_chats();
create trigger keepsake_30_link_profile after update of is_primary on public.user_profile_list
  for each row when (new.is_primary and old.is_primary is distinct from true)
  execute function keepsake.link_waiting_chats();
