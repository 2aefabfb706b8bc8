-- Sessions: what a person says to one persona without a pause of half an hour; a summary of each, and how things stand
-- between the person and the persona. All of it is written by the functions and readable by the person.

create table public.user_memory_sessions (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  persona_id text,
  started_at timestamptz not null,
  last_activity_at timestamptz not null,
  ended_at timestamptz,
  turn_count integer not null default 1 constraint user_memory_sessions_turns check (turn_count > 0),
  summary_due_at timestamptz,
  constraint user_memory_sessions_times check (started_at <= last_activity_at and last_activity_at <= ended_at),
  primary key (user_id, id),
  constraint user_memory_sessions_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
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

alter table public.user_memory_sessions
  alter column user_id set statistics 0, alter column profile_id set statistics 0,
  alter column persona_id set statistics 0;
alter table public.user_memory_sessions enable row level security, force row level security;
revoke all on public.user_memory_sessions from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_sessions to service_role;
grant select on public.user_memory_sessions to authenticated;
create policy "People see their own sessions" on public.user_memory_sessions
  for select to authenticated using ((select auth.uid()) = user_id);

create table public.user_memory_session_summaries (
  id uuid not null default gen_random_uuid(),
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
  message_ids uuid[] not null default '{}',
  primary key (user_id, id),
  constraint user_memory_session_summaries_session unique (user_id, session_id),
  constraint user_memory_session_summaries_of_session foreign key (user_id, session_id)
    references public.user_memory_sessions (user_id, id) on delete cascade,
  constraint user_memory_session_summaries_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
create index user_memory_session_summaries_newest on public.user_memory_session_summaries
  (user_id, profile_id, persona_id, ended_at desc);
comment on table public.user_memory_session_summaries is 'What each session of a person was about.';
comment on column public.user_memory_session_summaries.source_ids is 'The memories and to-dos that it was written from.';

alter table public.user_memory_session_summaries
  alter column user_id set statistics 0, alter column message_ids set statistics 0, alter column profile_id set statistics 0,
  alter column session_id set statistics 0, alter column persona_id set statistics 0,
  alter column one_liner set statistics 0, alter column what_mattered set statistics 0,
  alter column open_loops set statistics 0, alter column commitments set statistics 0,
  alter column people set statistics 0, alter column tone set statistics 0, alter column source_ids set statistics 0,
  alter column generator set statistics 0, alter column prompt_version set statistics 0;
alter table public.user_memory_session_summaries enable row level security, force row level security;
revoke all on public.user_memory_session_summaries from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_session_summaries to service_role;
grant select on public.user_memory_session_summaries to authenticated;
create policy "People see the summaries of their sessions" on public.user_memory_session_summaries
  for select to authenticated using ((select auth.uid()) = user_id);

create table public.user_memory_session_state (
  id uuid not null default gen_random_uuid(),
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
  generator text constraint user_memory_session_state_generator check (generator in ('rules', 'llm')),
  prompt_version text,
  outlines jsonb not null default '{}',
  message_ids uuid[] not null default '{}',
  primary key (user_id, id),
  constraint user_memory_session_state_persona unique nulls not distinct (user_id, profile_id, persona_id),
  constraint user_memory_session_state_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade,
  constraint user_memory_session_state_owner unique (user_id, id)
);
create index user_memory_session_state_due on public.user_memory_session_state (refresh_due_at)
  where refresh_due_at is not null;
comment on table public.user_memory_session_state is 'How things stand between a person and a persona, across sessions.';
comment on column public.user_memory_session_state.rolling_summary is 'What was said of late, in at most 600 characters.';
comment on column public.user_memory_session_state.source_ids is 'The memories and to-dos that the rolling summary was written from.';
comment on column public.user_memory_session_state.refresh_due_at is 'When the rolling summary is to be written again; null when it is.';
comment on column public.user_memory_session_state.generator is 'What wrote the rolling summary; null before the first.';
comment on column public.user_memory_session_state.outlines is 'As of a day.';
comment on index public.user_memory_session_state_due is 'Finds what is due, whatever the number of people.';

alter table public.user_memory_session_state
  alter column user_id set statistics 0, alter column message_ids set statistics 0, alter column profile_id set statistics 0,
  alter column persona_id set statistics 0, alter column rolling_summary set statistics 0,
  alter column source_ids set statistics 0, alter column generator set statistics 0,
  alter column prompt_version set statistics 0, alter column outlines set statistics 0;
alter table public.user_memory_session_state enable row level security, force row level security;
revoke all on public.user_memory_session_state from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_session_state to service_role;
grant select on public.user_memory_session_state to authenticated;
create policy "People see how things stand with a persona" on public.user_memory_session_state
  for select to authenticated using ((select auth.uid()) = user_id);

-- A rolling summary is written again once a minute at most, however fast somebody writes. Until then it is only noted that
-- it is due: `run-due-jobs` queues it. What was said decides, not the clock, so a backlog is joined in the same way.
--
-- The row of the state serializes the messages of a person to a persona. A message may arrive late: then it belongs to
-- the session that was going on when it was said.
create function keepsake.note_turn(person uuid, profile uuid, persona text, said_at timestamptz,
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
comment on function keepsake.note_turn(uuid, uuid, text, timestamptz, interval, integer, timestamptz) is 'Counts a message of a person to a persona: in the open session, in a new one, or in an earlier one if it arrives late.';
grant execute on function keepsake.note_turn(uuid, uuid, text, timestamptz, interval, integer, timestamptz) to service_role;

-- Sessions whose summary was written by rules and waits for the model.

create table keepsake.waiting_sessions (
  user_id uuid not null,
  session_id uuid not null,
  model_failures integer not null default 0,
  bad_replies integer not null default 0,
  waiting_since timestamptz not null,
  primary key (user_id, session_id),
  constraint waiting_sessions_session foreign key (user_id, session_id)
    references public.user_memory_sessions (user_id, id) on delete cascade
);
comment on table keepsake.waiting_sessions is 'Since when the summary of a session waits for the model, and its failed calls since then.';

grant select, insert, update, delete on keepsake.waiting_sessions to service_role;

-- Rolling summaries and spines may be written by a model: what wrote them, and which wait for the model.

create table keepsake.waiting_states (
  user_id uuid not null,
  state_id uuid not null,
  model_failures integer not null default 0,
  bad_replies integer not null default 0,
  waiting_since timestamptz not null,
  primary key (user_id, state_id),
  constraint waiting_states_state foreign key (user_id, state_id)
    references public.user_memory_session_state (user_id, id) on delete cascade
);
comment on table keepsake.waiting_states is 'Since when the rolling summary of a persona waits for the model, and its failed calls since then.';

grant select, insert, update, delete on keepsake.waiting_states to service_role;

-- The spine: what holds of a person over the long term, in four sections; a new version every twenty messages.

create table public.user_memory_spine (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  version integer not null constraint user_memory_spine_version check (version > 0),
  content jsonb not null constraint user_memory_spine_content check (jsonb_typeof(content) = 'object'),
  message_count bigint not null,
  source_ids uuid[] not null default '{}',
  generator text not null constraint user_memory_spine_generator check (generator in ('rules', 'llm')),
  prompt_version text,
  created_at timestamptz not null default now(),
  message_ids uuid[] not null default '{}',
  primary key (user_id, id),
  constraint user_memory_spine_versions unique (user_id, profile_id, version),
  constraint user_memory_spine_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_spine is 'What holds of a person over the long term; every version is kept.';
comment on column public.user_memory_spine.content is 'PROFILE, PROJECTS, PEOPLE and OPEN_LOOPS: lists of {"id", "text"}, the id of the memory or to-do.';
comment on column public.user_memory_spine.message_count is 'How many messages the person had written when it was made.';
comment on column public.user_memory_spine.source_ids is 'The memories and to-dos that it was written from.';

alter table public.user_memory_spine
  alter column user_id set statistics 0, alter column message_ids set statistics 0, alter column profile_id set statistics 0,
  alter column content set statistics 0, alter column source_ids set statistics 0,
  alter column generator set statistics 0, alter column prompt_version set statistics 0;
alter table public.user_memory_spine enable row level security, force row level security;
revoke all on public.user_memory_spine from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_spine to service_role;
grant select on public.user_memory_spine to authenticated;
create policy "People see their own spine" on public.user_memory_spine
  for select to authenticated using ((select auth.uid()) = user_id);

create function keepsake.delete_spine() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
  ids uuid[];
begin
  for person, ids in select d.user_id, array_agg(d.id) from deleted as d group by d.user_id loop
    delete from public.user_memory_spine as s where s.user_id = person and s.source_ids && ids;
  end loop;
  return null;
end
$$;
comment on function keepsake.delete_spine() is 'Deletes the versions of the spine that rest on deleted rows.';
create trigger keepsake_61_delete_spine after delete on public.user_memory
  referencing old table as deleted for each statement execute function keepsake.delete_spine();
create trigger keepsake_61_delete_spine after delete on public.user_memory_todos
  referencing old table as deleted for each statement execute function keepsake.delete_spine();
