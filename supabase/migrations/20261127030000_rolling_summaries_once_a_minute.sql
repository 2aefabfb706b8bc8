-- A rolling summary is written again once a minute at most, however fast somebody writes. Until then it is only noted that
-- it is due: `run-due-jobs` queues it. What was said decides, not the clock, so a backlog is joined in the same way.
create or replace function keepsake.note_turn(person uuid, profile uuid, persona text, said_at timestamptz,
  pause interval, refresh_every integer, now timestamptz) returns table (state_id uuid, is_refresh_due boolean)
language plpgsql set search_path = '' as $$
declare
  current_session uuid;
  rest constant interval := '1 minute';
begin
  insert into public.user_memory_session_state as s (user_id, profile_id, persona_id, message_count, last_interaction)
  values (person, profile, persona, 1, note_turn.said_at)
  on conflict (user_id, profile_id, persona_id) do update set message_count = s.message_count + 1,
    last_interaction = greatest(s.last_interaction, excluded.last_interaction),
    refresh_due_at = case
      when (s.message_count + 1) % refresh_every > 0 then s.refresh_due_at
      when s.last_rolling_success_at + rest > note_turn.said_at
        then least(s.refresh_due_at, s.last_rolling_success_at + rest)
      else note_turn.now
    end
  returning s.id, s.message_count % refresh_every = 0
    and coalesce(s.last_rolling_success_at + rest <= note_turn.said_at, true) into state_id, is_refresh_due;

  select s.id into current_session from public.user_memory_sessions as s
  where s.user_id = person and s.profile_id = profile and s.persona_id is not distinct from persona
    and s.last_activity_at >= note_turn.said_at - pause and s.started_at <= note_turn.said_at + pause
  order by s.last_activity_at desc limit 1;
  if found then
    update public.user_memory_sessions as s
    set turn_count = s.turn_count + 1, started_at = least(s.started_at, note_turn.said_at),
      last_activity_at = greatest(s.last_activity_at, note_turn.said_at),
      ended_at = case when s.ended_at is not null then greatest(s.ended_at, note_turn.said_at + pause) end,
      summary_due_at = greatest(s.last_activity_at, note_turn.said_at) + pause
    where s.user_id = person and s.id = current_session;
  else
    update public.user_memory_sessions as s set ended_at = s.last_activity_at + pause
    where s.user_id = person and s.profile_id = profile and s.persona_id is not distinct from persona
      and s.ended_at is null and s.last_activity_at < note_turn.said_at;
    insert into public.user_memory_sessions (user_id, profile_id, persona_id, started_at, last_activity_at, ended_at,
      summary_due_at)
    select person, profile, persona, note_turn.said_at, note_turn.said_at,
      case when exists (
        select from public.user_memory_sessions as o
        where o.user_id = person and o.profile_id = profile and o.persona_id is not distinct from persona
          and o.ended_at is null
      ) then note_turn.said_at + pause end, note_turn.said_at + pause;
  end if;
  return next;
end
$$;
