-- Sessions: what a person says to one persona without a pause of half an hour; a summary of each, and how things stand
-- between the person and the persona. All of it is written by the functions and readable by the person.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create table public.user_memory_sessions (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  persona_id text,
  started_at timestamptz not null,
  last_activity_at timestamptz not null,
  ended_at timestamptz,
  turn_count integer not null default 1 constraint user_memory_sessions_turns check (turn_count > 0),
  summary_due_at timestamptz,
  constraint user_memory_sessions_times check (started_at <= last_activity_at and last_activity_at <= ended_at),
  constraint user_memory_sessions_owner unique (user_id, id),
  constraint user_memory_sessions_profile foreign key (user_id, profile_id)
    references public.user_profile_list (user_id, id) on delete cascade
);
create unique index user_memory_sessions_open on public.user_memory_sessions (user_id, profile_id, persona_id)
  nulls not distinct where ended_at is null;
create index user_memory_sessions_newest on public.user_memory_sessions
  (user_id, profile_id, persona_id, last_activity_at desc);
create index user_memory_sessions_due on public.user_memory_sessions (summary_due_at) where summary_due_at is not null;
comment on table public.user_memory_sessions is 'What a person said to one persona without a pause of 30 minutes.';
comment on column public.user_memory_sessions.ended_at is '30 minutes after the last message; null while the session is open.';
comment on column public.user_memory_sessions.turn_count is 'The messages of the person from which something may be remembered.';
comment on column public.user_memory_sessions.summary_due_at is 'When the session is to be closed and summarized; null when it is.';
comment on index public.user_memory_sessions_open is 'At most one session of a persona is open.';
comment on index public.user_memory_sessions_due is 'Finds what is due, whatever the number of sessions.';

create table public.user_memory_session_summaries (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  session_id uuid not null,
  persona_id text,
  ended_at timestamptz not null,
  one_liner text not null
    constraint user_memory_session_summaries_line check (char_length(one_liner) <= 600 and keepsake.is_clean_text(one_liner)),
  what_mattered text[] not null default '{}',
  open_loops text[] not null default '{}',
  commitments text[] not null default '{}',
  people text[] not null default '{}',
  tone text not null default ''
    constraint user_memory_session_summaries_tone check (char_length(tone) <= 600 and keepsake.is_clean_text(tone)),
  source_ids uuid[] not null default '{}',
  generator text not null constraint user_memory_session_summaries_generator check (generator in ('rules', 'llm')),
  prompt_version text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint user_memory_session_summaries_session unique (user_id, session_id),
  constraint user_memory_session_summaries_of_session foreign key (user_id, session_id)
    references public.user_memory_sessions (user_id, id) on delete cascade,
  constraint user_memory_session_summaries_profile foreign key (user_id, profile_id)
    references public.user_profile_list (user_id, id) on delete cascade
);
create index user_memory_session_summaries_newest on public.user_memory_session_summaries
  (user_id, profile_id, persona_id, ended_at desc);
comment on table public.user_memory_session_summaries is 'What each session of a person was about.';
comment on column public.user_memory_session_summaries.source_ids is 'The memories and to-dos that it was written from.';

create table public.user_memory_session_state (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  persona_id text,
  message_count integer not null default 0,
  last_interaction timestamptz not null,
  rolling_summary text not null default ''
    constraint user_memory_session_state_text check (char_length(rolling_summary) <= 600
      and keepsake.is_clean_text(rolling_summary)),
  source_ids uuid[] not null default '{}',
  last_rolling_success_at timestamptz,
  refresh_due_at timestamptz,
  constraint user_memory_session_state_persona unique nulls not distinct (user_id, profile_id, persona_id),
  constraint user_memory_session_state_profile foreign key (user_id, profile_id)
    references public.user_profile_list (user_id, id) on delete cascade
);
create index user_memory_session_state_due on public.user_memory_session_state (refresh_due_at)
  where refresh_due_at is not null;
comment on table public.user_memory_session_state is 'How things stand between a person and a persona, across sessions.';
comment on column public.user_memory_session_state.rolling_summary is 'What was said of late, in at most 600 characters.';
comment on column public.user_memory_session_state.source_ids is 'The memories and to-dos that the rolling summary was written from.';
comment on column public.user_memory_session_state.refresh_due_at is 'When the rolling summary is to be written again; null when it is.';
comment on index public.user_memory_session_state_due is 'Finds what is due, whatever the number of people.';

alter table public.user_memory_sessions enable row level security;
alter table public.user_memory_sessions force row level security;
revoke all on public.user_memory_sessions from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_sessions to service_role;
grant select on public.user_memory_sessions to authenticated;
alter table public.user_memory_session_summaries enable row level security;
alter table public.user_memory_session_summaries force row level security;
revoke all on public.user_memory_session_summaries from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_session_summaries to service_role;
grant select on public.user_memory_session_summaries to authenticated;
alter table public.user_memory_session_state enable row level security;
alter table public.user_memory_session_state force row level security;
revoke all on public.user_memory_session_state from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_session_state to service_role;
grant select on public.user_memory_session_state to authenticated;
create policy "People see their own sessions" on public.user_memory_sessions
  for select to authenticated using ((select auth.uid()) = user_id);
create policy "People see the summaries of their sessions" on public.user_memory_session_summaries
  for select to authenticated using ((select auth.uid()) = user_id);
create policy "People see how things stand with a persona" on public.user_memory_session_state
  for select to authenticated using ((select auth.uid()) = user_id);

-- The row of the state serializes the messages of a person to a persona. A message may arrive late: then it belongs to
-- the session that was going on when it was said.
create function keepsake.note_turn(person uuid, profile uuid, persona text, said_at timestamptz,
  pause interval, refresh_every integer, now timestamptz) returns table (state_id uuid, is_refresh_due boolean)
language plpgsql set search_path = '' as $$
declare
  current_session uuid;
begin
  insert into public.user_memory_session_state as s (user_id, profile_id, persona_id, message_count, last_interaction)
  values (person, profile, persona, 1, note_turn.said_at)
  on conflict (user_id, profile_id, persona_id) do update set message_count = s.message_count + 1,
    last_interaction = greatest(s.last_interaction, excluded.last_interaction),
    refresh_due_at = case when (s.message_count + 1) % refresh_every = 0 then note_turn.now else s.refresh_due_at end
  returning s.id, s.message_count % refresh_every = 0 into state_id, is_refresh_due;

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
comment on function keepsake.note_turn(uuid, uuid, text, timestamptz, interval, integer, timestamptz) is 'Counts a message of a person to a persona: in the open session, in a new one, or in an earlier one if it arrives late.';
revoke all on function keepsake.note_turn(uuid, uuid, text, timestamptz, interval, integer, timestamptz) from public, anon, authenticated;
grant execute on function keepsake.note_turn(uuid, uuid, text, timestamptz, interval, integer, timestamptz) to service_role;

-- What rests on a deleted memory or to-do goes with it, and is written again without it.
create function keepsake.delete_session_texts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
  ids uuid[];
  sessions uuid[];
begin
  -- The states first, as note_turn takes them.
  for person, ids in select d.user_id, array_agg(d.id) from deleted as d group by d.user_id loop
    update public.user_memory_session_state as s set rolling_summary = '', source_ids = '{}', refresh_due_at = now()
    where s.user_id = person and s.source_ids && ids;
    with summaries as (
      delete from public.user_memory_session_summaries as s
      where s.user_id = person and s.source_ids && ids returning s.session_id
    )
    select array_agg(n.session_id) into sessions from summaries as n;
    update public.user_memory_sessions as s set summary_due_at = now()
    where s.user_id = person and s.id = any(sessions);
  end loop;
  return null;
end
$$;
comment on function keepsake.delete_session_texts() is 'Deletes the texts about sessions that rest on deleted rows, and lets them be written again.';
revoke all on function keepsake.delete_session_texts() from public, anon, authenticated;
create trigger keepsake_60_delete_session_texts after delete on public.user_memory
  referencing old table as deleted for each statement execute function keepsake.delete_session_texts();
create trigger keepsake_60_delete_session_texts after delete on public.user_memory_todos
  referencing old table as deleted for each statement execute function keepsake.delete_session_texts();

select keepsake.disable_statistics(c.of_table::regclass, c.column_name)
from (values
  ('public.user_memory_sessions', 'persona_id'), ('public.user_memory_session_summaries', 'persona_id'),
  ('public.user_memory_session_summaries', 'one_liner'), ('public.user_memory_session_summaries', 'what_mattered'),
  ('public.user_memory_session_summaries', 'open_loops'), ('public.user_memory_session_summaries', 'commitments'),
  ('public.user_memory_session_summaries', 'people'), ('public.user_memory_session_summaries', 'tone'),
  ('public.user_memory_session_summaries', 'generator'), ('public.user_memory_session_summaries', 'prompt_version'),
  ('public.user_memory_session_state', 'persona_id'), ('public.user_memory_session_state', 'rolling_summary')
) as c (of_table, column_name);
select keepsake.disable_owner_statistics(to_regclass(t.name))
from unnest(array['public.user_memory_sessions', 'public.user_memory_session_summaries',
  'public.user_memory_session_state']) as t (name);
