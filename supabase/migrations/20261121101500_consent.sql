-- From when on a person's words may be read: the owner's row kept in step, and remember_since moved when memory starts.
-- These triggers stand on the host's own tables, and are the only thing that existing ones get besides columns and indexes.

set local lock_timeout = '10s';  -- rather fail than queue the host's traffic behind us

create function keepsake.remembers(mode text, choice boolean) returns boolean
language sql immutable parallel safe set search_path = '' as $$ select coalesce(choice, mode is distinct from 'swiss') $$;
comment on function keepsake.remembers(text, boolean) is 'Whether a chat remembers: as the person chose, else as the mode has it.';
revoke all on function keepsake.remembers(text, boolean) from public, anon, authenticated;
grant execute on function keepsake.remembers(text, boolean) to service_role;

create function keepsake.start_memory() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  mode text := (select c.mode::text from public.conversations as c where c.id = new.conversation_id);
begin
  if new.profile_id is null or not keepsake.remembers(mode, new.memory_enabled) then
    return new;
  end if;
  if tg_op = 'INSERT' then
    new.remember_since := coalesce(new.remember_since, now());
  elsif new.remember_since is not distinct from old.remember_since
    and (old.profile_id is distinct from new.profile_id or not keepsake.remembers(mode, old.memory_enabled)) then
    new.remember_since := now();
  end if;
  return new;
end
$$;
comment on function keepsake.start_memory() is 'Memory starts now where a profile is chosen or memory is turned on, unless the writer says since when.';
revoke all on function keepsake.start_memory() from public, anon, authenticated;
create trigger keepsake_10_start_memory before insert or update of profile_id, memory_enabled
  on public.conversations_participants for each row execute function keepsake.start_memory();

create function keepsake.keep_owner_in_step() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if new.user_id is null then
    return null;  -- a host may have chats that belong to nobody
  end if;
  insert into public.conversations_participants as p (conversation_id, user_id, profile_id, memory_enabled)
  values (new.id, new.user_id, new.profile_id, new.memory_enabled)
  on conflict (conversation_id, user_id) do update
    set profile_id = excluded.profile_id, memory_enabled = excluded.memory_enabled
    where (p.profile_id, p.memory_enabled) is distinct from (excluded.profile_id, excluded.memory_enabled);
  if tg_op = 'UPDATE' then
    update public.conversations_participants as p set remember_since = now()
    where p.conversation_id = new.id and p.profile_id is not null
      and keepsake.remembers(new.mode::text, p.memory_enabled)
      and not keepsake.remembers(old.mode::text, p.memory_enabled);
  end if;
  return null;
end
$$;
comment on function keepsake.keep_owner_in_step() is 'The owner takes part in their own chat, with the choice that stands on the chat; a new mode may start memory.';
revoke all on function keepsake.keep_owner_in_step() from public, anon, authenticated;
create trigger keepsake_20_keep_owner_in_step after insert or update of user_id, profile_id, memory_enabled, mode
  on public.conversations for each row execute function keepsake.keep_owner_in_step();

create function keepsake.keep_conversation_in_step() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.conversations as c set profile_id = new.profile_id, memory_enabled = new.memory_enabled
  where c.id = new.conversation_id and c.user_id = new.user_id
    and (c.profile_id, c.memory_enabled) is distinct from (new.profile_id, new.memory_enabled);
  return null;
end
$$;
comment on function keepsake.keep_conversation_in_step() is 'What the owner chose as a participant stands on the chat as well.';
revoke all on function keepsake.keep_conversation_in_step() from public, anon, authenticated;
create trigger keepsake_20_keep_conversation_in_step after update of profile_id, memory_enabled
  on public.conversations_participants for each row execute function keepsake.keep_conversation_in_step();

create function keepsake.let_host_seat_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  seat public.conversations_participants;
begin
  delete from public.conversations_participants as p using public.conversations as c
  where c.id = new.conversation_id and c.user_id = new.user_id
    and p.conversation_id = new.conversation_id and p.user_id = new.user_id
    and not exists (select from public.user_memory as m where m.conversation_id = p.conversation_id and m.user_id = p.user_id)
    and not exists (select from keepsake.injections as i where i.conversation_id = p.conversation_id and i.user_id = p.user_id)
  returning p.* into seat;
  new.profile_id := coalesce(new.profile_id, seat.profile_id);
  new.memory_enabled := coalesce(new.memory_enabled, seat.memory_enabled);
  new.remember_since := coalesce(new.remember_since, seat.remember_since);
  return new;
end
$$;
comment on function keepsake.let_host_seat_owner() is 'A host that adds a new chat''s owner itself puts its own row in the place of ours.';
revoke all on function keepsake.let_host_seat_owner() from public, anon, authenticated;

create function keepsake.resume_memory() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.conversations_participants as p set remember_since = now()
  where p.user_id = new.user_id and p.profile_id is not null;
  return null;
end
$$;
comment on function keepsake.resume_memory() is 'After a pause nothing said during it is ever read.';
revoke all on function keepsake.resume_memory() from public, anon, authenticated;
create trigger keepsake_20_resume_memory after update of building, enabled on public.user_memory_settings
  for each row when (new.building and new.enabled and not (old.building and old.enabled))
  execute function keepsake.resume_memory();

-- The first pause of a person waits, as every later one does, for the turn that is just being written. They have no row
-- of settings yet that could be held, so their parts in conversations are, which a writer of memories holds as well.
create function keepsake.wait_for_writers() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform from public.conversations_participants as p
  where p.user_id = new.user_id order by p.conversation_id for no key update;
  return new;
end
$$;
comment on function keepsake.wait_for_writers() is 'Waits until no memory of the person is being written; those that come after see what is chosen here.';
revoke all on function keepsake.wait_for_writers() from public, anon, authenticated;
create trigger keepsake_10_wait_for_writers before insert on public.user_memory_settings
  for each row execute function keepsake.wait_for_writers();

-- Chats that were there before: their owners take part, and memory starts now.
insert into public.conversations_participants (conversation_id, user_id, profile_id, memory_enabled)
select c.id, c.user_id, c.profile_id, c.memory_enabled from public.conversations as c where c.user_id is not null
on conflict (conversation_id, user_id) do nothing;
update public.conversations_participants set remember_since = now()
where profile_id is not null and remember_since is null;

do $$
begin
  if pg_catalog.obj_description('public.conversations_participants'::regclass)
    is distinct from 'Who takes part in a chat, and what each chose about memory there.' then
    create trigger keepsake_05_let_host_seat_owner before insert on public.conversations_participants
      for each row when (pg_catalog.pg_trigger_depth() = 0) execute function keepsake.let_host_seat_owner();
  end if;
end
$$;
