-- A conversation in the mode "profile" uses its owner's primary profile: both are linked as soon as both exist, and
-- memory starts at that moment. Where memory had started before, the person's choice stays.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create function keepsake.link_profile_conversation() returns trigger
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
comment on function keepsake.link_profile_conversation() is 'Sets the primary profile of the owner on a conversation in the mode profile.';
revoke all on function keepsake.link_profile_conversation() from public, anon, authenticated;
create trigger keepsake_05_link_new_profile_conversation before insert on public.conversations
  for each row when (new.mode::text = 'profile' and new.profile_id is null)
  execute function keepsake.link_profile_conversation();
create trigger keepsake_05_link_profile_conversation before update of mode on public.conversations
  for each row when (new.mode::text = 'profile' and old.mode::text is distinct from 'profile' and new.profile_id is null)
  execute function keepsake.link_profile_conversation();

create function keepsake.link_unlinked_conversations() returns trigger
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
comment on function keepsake.link_unlinked_conversations() is 'Sets a new primary profile on the conversations in the mode profile that have none.';
revoke all on function keepsake.link_unlinked_conversations() from public, anon, authenticated;
create trigger keepsake_30_link_new_profile after insert on public.user_profile_list
  for each row when (new.is_primary) execute function keepsake.link_unlinked_conversations();
create trigger keepsake_30_link_profile after update of is_primary on public.user_profile_list
  for each row when (new.is_primary and old.is_primary is distinct from true)
  execute function keepsake.link_unlinked_conversations();
