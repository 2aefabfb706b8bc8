-- Since when a message may be read, where a clock or the order of two statements says otherwise: an application often saves
-- the row of a new conversation after the message has got its time, and the database's own clock may be set back.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create or replace function keepsake.set_remember_since() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  mode text := (select c.mode::text from public.conversations as c where c.id = new.conversation_id);
begin
  if new.profile_id is null or not keepsake.is_memory_enabled(mode, new.memory_enabled) then
    return new;
  end if;
  if tg_op = 'INSERT' then
    -- Memory is on from the beginning: a message of up to five minutes before is one of this conversation, unless it was
    -- said in a pause. What was erased is kept apart by erased_before.
    new.remember_since := coalesce(new.remember_since, greatest(now() - interval '5 minutes', (
      select to_timestamp(r.value / 1000.0) from keepsake.counters as r
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

create or replace function keepsake.reset_remember_since() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into keepsake.counters (user_id, name, value)
  values (new.user_id, 'memory_resumed_at', (extract(epoch from now()) * 1000)::bigint)
  on conflict (user_id, name, period_start) do update set value = excluded.value;
  update public.conversations_participants as p set remember_since = now()
  where p.user_id = new.user_id and p.profile_id is not null;
  return null;
end
$$;
comment on function keepsake.reset_remember_since() is 'When memory is switched on again, remember_since becomes now, and no conversation begins earlier: what was said during the pause is never read.';

create function keepsake.remembered_from(remember_since timestamptz, said_at timestamptz) returns timestamptz
language sql stable parallel safe set search_path = '' as $$
  select case
    when remember_since > now() + interval '1 minute' and said_at > now() - interval '5 minutes' then said_at
    else remember_since
  end
$$;
comment on function keepsake.remembered_from(timestamptz, timestamptz) is 'Since when a message may be read. A choice cannot be made in the future: where it seems so, the clock was set back, and what is said now was said after the choice.';
revoke all on function keepsake.remembered_from(timestamptz, timestamptz) from public, anon, authenticated;
grant execute on function keepsake.remembered_from(timestamptz, timestamptz) to service_role;
