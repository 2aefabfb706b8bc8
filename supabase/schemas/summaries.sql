-- Summaries of a person's days, weeks and months: one row a period, written by the functions and readable by the person.
-- A new version keeps the one before in the row. A summary that rests on a memory is deleted with it.

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
    references public.user_profile_list (user_id, id) on delete cascade
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
    references public.user_profile_list (user_id, id) on delete cascade
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
    references public.user_profile_list (user_id, id) on delete cascade
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
    references public.user_profile_list (user_id, id) on delete cascade
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

create function keepsake.delete_history_summaries() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
  ids uuid[];
begin
  for person, ids in select d.user_id, array_agg(d.id) from deleted as d group by d.user_id loop
    delete from public.user_memory_history_summaries as s
    where s.user_id = person and (s.memory_ids && ids or s.previous -> 'memory_ids' ?| ids::text[]);
  end loop;
  return null;
end
$$;
comment on function keepsake.delete_history_summaries() is 'Deletes the histories that rest on deleted memories; what is left of them is written again.';
create trigger keepsake_61_delete_history_summaries after delete on public.user_memory
  referencing old table as deleted for each statement execute function keepsake.delete_history_summaries();

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
    references public.user_profile_list (user_id, id) on delete cascade
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
create function keepsake.drop_comparisons_of_deleted_memories() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
  ids uuid[];
begin
  for person, ids in select d.user_id, array_agg(d.id) from deleted as d group by d.user_id loop
    delete from public.user_memory_yearly_comparisons as c where c.user_id = person and c.memory_ids && ids;
  end loop;
  return null;
end
$$;
comment on function keepsake.drop_comparisons_of_changed_memory() is 'Deletes the yearly comparisons that rest on a memory that has changed.';
comment on function keepsake.drop_comparisons_of_deleted_memories() is 'Deletes the yearly comparisons that rest on deleted memories.';
create trigger keepsake_61_drop_comparisons after update on public.user_memory
  for each row when (old.memory_text is distinct from new.memory_text or old.status is distinct from new.status
    or old.valid_from is distinct from new.valid_from or old.valid_to is distinct from new.valid_to
    or (old.doubted_at is null) is distinct from (new.doubted_at is null))
  execute function keepsake.drop_comparisons_of_changed_memory();
create trigger keepsake_61_drop_comparisons_of_deleted after delete on public.user_memory
  referencing old table as deleted for each statement execute function keepsake.drop_comparisons_of_deleted_memories();
