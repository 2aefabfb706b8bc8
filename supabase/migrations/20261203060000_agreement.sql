-- A person who agrees to memory has what it needs: the yes in their settings makes a primary profile where there is none,
-- and uses it in the chats they have begun.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create function keepsake.complete_agreement() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  profile uuid;
begin
  if exists (select from public.user_profile_list as f where f.user_id = new.user_id and f.is_primary) then
    return null;
  end if;
  begin
    insert into public.user_profile_list (user_id, is_primary) values (new.user_id, true) returning id into profile;
  exception when not_null_violation or check_violation or foreign_key_violation then
    return null;  -- a host's own table asks for more: its application makes the profile
  end;
  update public.conversations as c set profile_id = profile
  where c.user_id = new.user_id and c.profile_id is null and c.mode::text is distinct from 'swiss';
  return null;
end
$$;
comment on function keepsake.complete_agreement() is 'Makes the primary profile of a person who has agreed to memory and has none, and chooses it in their chats.';
revoke all on function keepsake.complete_agreement() from public, anon, authenticated;
create trigger keepsake_30_complete_first_agreement after insert on public.user_memory_settings
  for each row when (new.onboarding_seen_at is not null and new.building and new.enabled)
  execute function keepsake.complete_agreement();
create trigger keepsake_30_complete_agreement
  after update of onboarding_seen_at, building, enabled on public.user_memory_settings
  for each row when (new.onboarding_seen_at is not null and new.building and new.enabled)
  execute function keepsake.complete_agreement();
