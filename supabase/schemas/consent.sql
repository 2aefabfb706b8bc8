-- Since when a person's messages may be read: triggers keep the owner's participant row in sync with the conversation,
-- and set remember_since when memory starts. An existing host table gets these triggers, columns and indexes, nothing
-- else.

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
create trigger keepsake_10_set_remember_since before insert or update of profile_id, memory_enabled
  on keepsake_chats.conversations_participants for each row execute function keepsake.set_remember_since();

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
create trigger keepsake_20_sync_owner_participant after insert or update of user_id, profile_id, memory_enabled, mode
  on keepsake_chats.conversations for each row execute function keepsake.sync_owner_participant();

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
create trigger keepsake_20_sync_owner_conversation after update of profile_id, memory_enabled
  on keepsake_chats.conversations_participants for each row execute function keepsake.sync_owner_conversation();

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
create trigger keepsake_20_reset_remember_since after update of building, enabled on public.user_memory_settings
  for each row when (new.building and new.enabled and not (old.building and old.enabled))
  execute function keepsake.reset_remember_since();

-- A writer of memories locks the settings row; a person's first pause has none to wait for. So the insert locks the
-- participant rows instead, which a writer locks as well.
create function keepsake.lock_participations() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from keepsake_chats.conversations_participants as p
  where p.user_id = new.user_id order by p.conversation_id for no key update;
  return new;
end
$$;
comment on function keepsake.lock_participations() is 'Locks the person''s participant rows: waits for a writer of memories; a later writer reads the new settings.';
create trigger keepsake_10_lock_participations before insert on public.user_memory_settings
  for each row execute function keepsake.lock_participations();

-- Existing conversations: their owners become participants, and memory starts now.
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
create trigger keepsake_30_complete_first_agreement after insert on public.user_memory_settings
  for each row when (new.onboarding_seen_at is not null and new.building and new.enabled)
  execute function keepsake.complete_agreement();
create trigger keepsake_30_complete_agreement
  after update of onboarding_seen_at, building, enabled on public.user_memory_settings
  for each row when (new.onboarding_seen_at is not null and new.building and new.enabled)
  execute function keepsake.complete_agreement();
