-- Summaries of a person's days, weeks and months: one row a period, written by the functions and readable by the person.
-- A new version keeps the one before in the row. A summary that rests on a memory is deleted with it.

-- Of what there are summaries. Those with a length are the levels: each is written from the messages of a period of this
-- length, lower ranks first, and locked in this order; `middle` is the number of a day that says which period it is. Functions
-- and queries read the levels from here.
create view keepsake.summary_kinds with (security_invoker = true) as
select k.kind, k.table_name, k.rank, k.length, k.middle
from (values
  ('day', 'user_memory_daily_summaries', 1, interval '1 day', 0),
  ('week', 'user_memory_weekly_summaries', 2, interval '7 days', 3),
  ('month', 'user_memory_monthly_summaries', 3, interval '1 month', 14),
  ('history', 'user_memory_history_summaries', null, null, null),
  ('session', 'user_memory_session_summaries', null, null, null),
  ('spine', 'user_memory_spine', null, null, null)
) as k (kind, table_name, rank, length, middle);
comment on view keepsake.summary_kinds is 'Of what there are summaries, and which table has them.';
grant select on keepsake.summary_kinds to service_role;

create table public.user_memory_daily_summaries (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  summary_date date not null,
  summary text not null
    constraint user_memory_daily_summaries_text check (char_length(summary) <= 4000 and keepsake.is_clean_text(summary)),
  key_themes text[] not null default '{}',
  conversation_count integer not null default 0,
  source_ids uuid[] not null default '{}',
  memory_ids uuid[] not null default '{}',
  generator text not null constraint user_memory_daily_summaries_generator check (generator in ('rules', 'llm')),
  prompt_version text,
  version integer not null default 1,
  previous jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  outlines jsonb not null default '{}',
  message_ids uuid[] not null default '{}',
  sources_hash text,
  primary key (user_id, id),
  constraint user_memory_daily_summaries_period unique (user_id, profile_id, summary_date),
  constraint user_memory_daily_summaries_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_daily_summaries is 'What each local day of a person was about.';
comment on column public.user_memory_daily_summaries.message_ids is 'The messages that the text rests on.';
comment on column public.user_memory_daily_summaries.sources_hash is 'The same for the same words of the same messages: then the text stays.';
comment on column public.user_memory_daily_summaries.source_ids is 'The memories that this version was written from.';
comment on column public.user_memory_daily_summaries.memory_ids is 'Every memory whose words may occur in this version.';
comment on column public.user_memory_daily_summaries.previous is 'The version before, with its memory_ids.';
comment on column public.user_memory_daily_summaries.conversation_count is 'The conversations that its memories come from.';
comment on column public.user_memory_daily_summaries.outlines is 'The sentences of each text, by its column, each item with the statement it makes; empty where a model wrote it.';

alter table public.user_memory_daily_summaries
  alter column user_id set statistics 0, alter column message_ids set statistics 0, alter column profile_id set statistics 0,
  alter column summary set statistics 0, alter column key_themes set statistics 0,
  alter column source_ids set statistics 0, alter column memory_ids set statistics 0,
  alter column generator set statistics 0, alter column prompt_version set statistics 0,
  alter column previous set statistics 0, alter column outlines set statistics 0,
  alter column sources_hash set statistics 0;
alter table public.user_memory_daily_summaries enable row level security, force row level security;
revoke all on public.user_memory_daily_summaries from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_daily_summaries to service_role;
grant select on public.user_memory_daily_summaries to authenticated;
create policy "People see the summaries of their days" on public.user_memory_daily_summaries
  for select to authenticated using ((select auth.uid()) = user_id);

create table public.user_memory_weekly_summaries (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  year smallint not null,
  week_number smallint not null
    constraint user_memory_weekly_summaries_week check (week_number between 1 and 53),
  week_start_date date not null,
  week_end_date date not null,
  emotional_summary text not null
    constraint user_memory_weekly_summaries_text check (char_length(emotional_summary) <= 4000
      and keepsake.is_clean_text(emotional_summary)),
  summary text not null
    constraint user_memory_weekly_summaries_summary check (char_length(summary) <= 4000
      and keepsake.is_clean_text(summary)),
  key_themes text[] not null default '{}',
  dominant_patterns text[] not null default '{}',
  energy_shifts text[] not null default '{}',
  conversation_count integer not null default 0,
  source_ids uuid[] not null default '{}',
  memory_ids uuid[] not null default '{}',
  generator text not null constraint user_memory_weekly_summaries_generator check (generator in ('rules', 'llm')),
  prompt_version text,
  version integer not null default 1,
  previous jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  outlines jsonb not null default '{}',
  message_ids uuid[] not null default '{}',
  sources_hash text,
  primary key (user_id, id),
  constraint user_memory_weekly_summaries_period unique (user_id, profile_id, year, week_number),
  constraint user_memory_weekly_summaries_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_weekly_summaries is 'What each ISO week of a person was about; it ends on Sunday night, local time.';
comment on column public.user_memory_weekly_summaries.message_ids is 'The messages that the text rests on.';
comment on column public.user_memory_weekly_summaries.sources_hash is 'The same for the same words of the same messages: then the text stays.';
comment on column public.user_memory_weekly_summaries.year is 'The ISO year, which is that of the week''s Thursday.';
comment on column public.user_memory_weekly_summaries.summary is 'What was new, what changed, whom it was about, and what was planned.';
comment on column public.user_memory_weekly_summaries.energy_shifts is 'The feelings in the order of their days.';
comment on column public.user_memory_weekly_summaries.outlines is 'As of a day.';

alter table public.user_memory_weekly_summaries
  alter column user_id set statistics 0, alter column message_ids set statistics 0, alter column profile_id set statistics 0,
  alter column emotional_summary set statistics 0, alter column summary set statistics 0,
  alter column key_themes set statistics 0, alter column dominant_patterns set statistics 0,
  alter column energy_shifts set statistics 0, alter column source_ids set statistics 0,
  alter column memory_ids set statistics 0, alter column generator set statistics 0,
  alter column prompt_version set statistics 0, alter column previous set statistics 0,
  alter column outlines set statistics 0,
  alter column sources_hash set statistics 0;
alter table public.user_memory_weekly_summaries enable row level security, force row level security;
revoke all on public.user_memory_weekly_summaries from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_weekly_summaries to service_role;
grant select on public.user_memory_weekly_summaries to authenticated;
create policy "People see the summaries of their weeks" on public.user_memory_weekly_summaries
  for select to authenticated using ((select auth.uid()) = user_id);

create table public.user_memory_monthly_summaries (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  year smallint not null,
  month smallint not null constraint user_memory_monthly_summaries_month check (month between 1 and 12),
  emotional_summary text not null
    constraint user_memory_monthly_summaries_text check (char_length(emotional_summary) <= 4000
      and keepsake.is_clean_text(emotional_summary)),
  cognitive_summary text
    constraint user_memory_monthly_summaries_cognitive check (char_length(cognitive_summary) <= 4000
      and keepsake.is_clean_text(cognitive_summary)),
  key_themes text[] not null default '{}',
  dominant_transits jsonb,
  planetary_influences jsonb,
  conversation_count integer not null default 0,
  weekly_summaries_used integer not null default 0,
  source_ids uuid[] not null default '{}',
  memory_ids uuid[] not null default '{}',
  generator text not null constraint user_memory_monthly_summaries_generator check (generator in ('rules', 'llm')),
  prompt_version text,
  version integer not null default 1,
  previous jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  outlines jsonb not null default '{}',
  message_ids uuid[] not null default '{}',
  sources_hash text,
  primary key (user_id, id),
  constraint user_memory_monthly_summaries_period unique (user_id, profile_id, year, month),
  constraint user_memory_monthly_summaries_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_monthly_summaries is 'What each month of a person was about; from its weekly summaries and its memories.';
comment on column public.user_memory_monthly_summaries.message_ids is 'The messages that the text rests on.';
comment on column public.user_memory_monthly_summaries.sources_hash is 'The same for the same words of the same messages: then the text stays.';
comment on column public.user_memory_monthly_summaries.source_ids is 'The weekly summaries and the memories that this version was written from.';
comment on column public.user_memory_monthly_summaries.weekly_summaries_used is 'How many of the sources are weekly summaries.';
comment on column public.user_memory_monthly_summaries.outlines is 'As of a day.';

alter table public.user_memory_monthly_summaries
  alter column user_id set statistics 0, alter column message_ids set statistics 0, alter column profile_id set statistics 0,
  alter column emotional_summary set statistics 0, alter column cognitive_summary set statistics 0,
  alter column key_themes set statistics 0, alter column dominant_transits set statistics 0,
  alter column planetary_influences set statistics 0, alter column source_ids set statistics 0,
  alter column memory_ids set statistics 0, alter column generator set statistics 0,
  alter column prompt_version set statistics 0, alter column previous set statistics 0,
  alter column outlines set statistics 0,
  alter column sources_hash set statistics 0;
alter table public.user_memory_monthly_summaries enable row level security, force row level security;
revoke all on public.user_memory_monthly_summaries from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_monthly_summaries to service_role;
grant select on public.user_memory_monthly_summaries to authenticated;
create policy "People see the summaries of their months" on public.user_memory_monthly_summaries
  for select to authenticated using ((select auth.uid()) = user_id);

-- The summaries of all levels in one form. Where a level is given, only its table is read.
create view keepsake.period_summaries with (security_invoker = true) as
select 'day' as level, s.summary_date as first_date, array[array['summary', s.summary]] as texts, s.id, s.user_id, s.profile_id,
  s.outlines, s.message_ids, s.memory_ids, s.previous, s.sources_hash, s.generator, s.prompt_version, to_jsonb(s) as summary
from public.user_memory_daily_summaries as s
union all
select 'week', s.week_start_date, array[array['emotional_summary', s.emotional_summary], array['summary', s.summary]], s.id, s.user_id,
  s.profile_id, s.outlines, s.message_ids, s.memory_ids, s.previous, s.sources_hash, s.generator, s.prompt_version, to_jsonb(s)
from public.user_memory_weekly_summaries as s
union all
select 'month', make_date(s.year, s.month, 1), array[array['emotional_summary', s.emotional_summary],
    array['cognitive_summary', s.cognitive_summary]], s.id, s.user_id,
  s.profile_id, s.outlines, s.message_ids, s.memory_ids, s.previous, s.sources_hash, s.generator, s.prompt_version, to_jsonb(s)
from public.user_memory_monthly_summaries as s;
comment on view keepsake.period_summaries is 'The summaries of days, weeks and months, their texts by the name of their column.';
grant select on keepsake.period_summaries to service_role;

create function keepsake.delete_period_summary(level text, person uuid, profile uuid, first_date date) returns uuid
language plpgsql set search_path = '' as $$
declare
  deleted uuid;
begin
  execute format('delete from public.%I as s where s.user_id = $2 and s.id = (
      select p.id from keepsake.period_summaries as p
      where p.level = $1 and p.user_id = $2 and p.profile_id = $3 and p.first_date = $4
    ) returning s.id', (select k.table_name from keepsake.summary_kinds as k where k.kind = level and k.rank is not null))
    into deleted using level, person, profile, first_date;
  return deleted;
end
$$;
comment on function keepsake.delete_period_summary(text, uuid, uuid, date) is 'Deletes the summary of a period, and returns its id; null where there was none.';
grant execute on function keepsake.delete_period_summary(text, uuid, uuid, date) to service_role;

-- The history of a person: what the six days before a date were about, written when the day changes and kept for good.

create table public.user_memory_history_summaries (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  start_date date not null,
  end_date date not null,
  summary text not null
    constraint user_memory_history_summaries_text check (char_length(summary) <= 1000 and keepsake.is_clean_text(summary)),
  days_hash text not null,
  source_ids uuid[] not null default '{}',
  memory_ids uuid[] not null default '{}',
  generator text not null constraint user_memory_history_summaries_generator check (generator in ('rules', 'llm')),
  prompt_version text,
  version integer not null default 1,
  previous jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  outlines jsonb not null default '{}',
  message_ids uuid[] not null default '{}',
  primary key (user_id, id),
  constraint user_memory_history_summaries_dates check (start_date <= end_date),
  constraint user_memory_history_summaries_end unique (user_id, profile_id, end_date),
  constraint user_memory_history_summaries_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_history_summaries is 'What the six days up to a date were about, from the summaries of these days.';
comment on column public.user_memory_history_summaries.days_hash is 'The hash of the summaries that it was written from: while it is the same, nothing is written again.';
comment on column public.user_memory_history_summaries.source_ids is 'The daily summaries that it was written from.';
comment on column public.user_memory_history_summaries.memory_ids is 'Every memory whose words may occur in this version.';
comment on column public.user_memory_history_summaries.previous is 'The version before, with its memory_ids.';
comment on column public.user_memory_history_summaries.outlines is 'As of a day.';

alter table public.user_memory_history_summaries
  alter column user_id set statistics 0, alter column message_ids set statistics 0, alter column profile_id set statistics 0,
  alter column summary set statistics 0, alter column days_hash set statistics 0,
  alter column source_ids set statistics 0, alter column memory_ids set statistics 0,
  alter column generator set statistics 0, alter column prompt_version set statistics 0,
  alter column previous set statistics 0, alter column outlines set statistics 0;
alter table public.user_memory_history_summaries enable row level security, force row level security;
revoke all on public.user_memory_history_summaries from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_history_summaries to service_role;
grant select on public.user_memory_history_summaries to authenticated;
create policy "People see their own history" on public.user_memory_history_summaries
  for select to authenticated using ((select auth.uid()) = user_id);

-- A month compared with the same month of the year before: one row a month, written on demand from the two stored monthly
-- summaries, and deleted when one of them changes.

create table public.user_memory_yearly_comparisons (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  year smallint not null,
  month smallint not null constraint user_memory_yearly_comparisons_month check (month between 1 and 12),
  growth text not null
    constraint user_memory_yearly_comparisons_text check (char_length(growth) <= 4000 and keepsake.is_clean_text(growth)),
  stayed text[] not null default '{}',
  changed text[] not null default '{}',
  appeared text[] not null default '{}',
  source_ids uuid[] not null,
  memory_ids uuid[] not null default '{}',
  generator text not null constraint user_memory_yearly_comparisons_generator check (generator in ('rules', 'llm')),
  prompt_version text,
  created_at timestamptz not null default now(),
  message_ids uuid[] not null default '{}',
  primary key (user_id, id),
  constraint user_memory_yearly_comparisons_period unique (user_id, profile_id, year, month),
  constraint user_memory_yearly_comparisons_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_yearly_comparisons is 'Months of a person compared with the same month of the year before.';
comment on column public.user_memory_yearly_comparisons.appeared is 'What only the later month has.';
comment on column public.user_memory_yearly_comparisons.source_ids is 'The two monthly summaries.';
comment on column public.user_memory_yearly_comparisons.memory_ids is 'Every memory whose words may occur.';

alter table public.user_memory_yearly_comparisons
  alter column user_id set statistics 0, alter column message_ids set statistics 0, alter column profile_id set statistics 0,
  alter column growth set statistics 0, alter column stayed set statistics 0, alter column changed set statistics 0,
  alter column appeared set statistics 0, alter column source_ids set statistics 0,
  alter column memory_ids set statistics 0, alter column generator set statistics 0,
  alter column prompt_version set statistics 0;
alter table public.user_memory_yearly_comparisons enable row level security, force row level security;
revoke all on public.user_memory_yearly_comparisons from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_yearly_comparisons to service_role;
grant select on public.user_memory_yearly_comparisons to authenticated;
create policy "People see the comparisons of their years" on public.user_memory_yearly_comparisons
  for select to authenticated using ((select auth.uid()) = user_id);

create function keepsake.drop_comparisons() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.user_memory_yearly_comparisons as c
  where c.user_id = old.user_id and c.profile_id = old.profile_id and old.id = any (c.source_ids);
  return null;
end
$$;
comment on function keepsake.drop_comparisons() is 'A monthly summary that changes takes its comparisons along.';
create trigger keepsake_60_drop_comparisons after delete on public.user_memory_monthly_summaries
  for each row execute function keepsake.drop_comparisons();
create trigger keepsake_60_drop_comparisons_of_changed after update on public.user_memory_monthly_summaries
  for each row when (old.version is distinct from new.version) execute function keepsake.drop_comparisons();

-- A yearly comparison also says what became of what the person said in the earlier month. So it rests on memories beside
-- those of the two months, and is deleted when one of them changes or goes.

create function keepsake.drop_comparisons_of_changed_memory() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.user_memory_yearly_comparisons as c where c.user_id = new.user_id and new.id = any (c.memory_ids);
  return null;
end
$$;
create function keepsake.delete_resting_texts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
  ids uuid[];
begin
  for person, ids in select d.user_id, array_agg(d.id) from deleted as d group by d.user_id loop
    delete from public.user_memory_history_summaries as s
    where s.user_id = person and (s.memory_ids && ids or s.previous -> 'memory_ids' ?| ids::text[]);
    delete from public.user_memory_yearly_comparisons as c where c.user_id = person and c.memory_ids && ids;
  end loop;
  return null;
end
$$;
comment on function keepsake.drop_comparisons_of_changed_memory() is 'Deletes the yearly comparisons that rest on a memory that has changed.';
comment on function keepsake.delete_resting_texts() is 'Deletes the histories and yearly comparisons that rest on deleted memories; what is left of a history is written again.';
create trigger keepsake_61_drop_comparisons after update on public.user_memory
  for each row when (old.memory_text is distinct from new.memory_text or old.status is distinct from new.status
    or old.valid_from is distinct from new.valid_from or old.valid_to is distinct from new.valid_to
    or (old.doubted_at is null) is distinct from (new.doubted_at is null))
  execute function keepsake.drop_comparisons_of_changed_memory();
create trigger keepsake_61_delete_resting_texts after delete on public.user_memory
  referencing old table as deleted for each statement execute function keepsake.delete_resting_texts();
