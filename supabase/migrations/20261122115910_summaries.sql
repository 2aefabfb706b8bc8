-- Summaries of a person's days, weeks and months: one row a period, written by the functions and readable by the person.
-- A new version keeps the one before in the row. A summary that rests on a memory is deleted with it.

create table public.user_memory_daily_summaries (
  id uuid primary key default gen_random_uuid(),
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
  constraint user_memory_daily_summaries_period unique (user_id, profile_id, summary_date),
  constraint user_memory_daily_summaries_profile foreign key (user_id, profile_id)
    references public.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_daily_summaries is 'What each local day of a person was about.';
comment on column public.user_memory_daily_summaries.source_ids is 'The memories that this version was written from.';
comment on column public.user_memory_daily_summaries.memory_ids is 'Every memory whose words may occur in this version.';
comment on column public.user_memory_daily_summaries.previous is 'The version before, with its memory_ids.';
comment on column public.user_memory_daily_summaries.conversation_count is 'The conversations that its memories come from.';

create table public.user_memory_weekly_summaries (
  id uuid primary key default gen_random_uuid(),
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
  constraint user_memory_weekly_summaries_period unique (user_id, profile_id, year, week_number),
  constraint user_memory_weekly_summaries_profile foreign key (user_id, profile_id)
    references public.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_weekly_summaries is 'What each ISO week of a person was about; it ends on Sunday night, local time.';
comment on column public.user_memory_weekly_summaries.year is 'The ISO year, which is that of the week''s Thursday.';
comment on column public.user_memory_weekly_summaries.summary is 'What was new, what changed, whom it was about, and what was planned.';
comment on column public.user_memory_weekly_summaries.energy_shifts is 'The feelings in the order of their days.';

create table public.user_memory_monthly_summaries (
  id uuid primary key default gen_random_uuid(),
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
  constraint user_memory_monthly_summaries_period unique (user_id, profile_id, year, month),
  constraint user_memory_monthly_summaries_profile foreign key (user_id, profile_id)
    references public.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_monthly_summaries is 'What each month of a person was about; from its weekly summaries and its memories.';
comment on column public.user_memory_monthly_summaries.source_ids is 'The weekly summaries and the memories that this version was written from.';
comment on column public.user_memory_monthly_summaries.weekly_summaries_used is 'How many of the sources are weekly summaries.';

alter table public.user_memory_daily_summaries enable row level security;
alter table public.user_memory_daily_summaries force row level security;
alter table public.user_memory_weekly_summaries enable row level security;
alter table public.user_memory_weekly_summaries force row level security;
alter table public.user_memory_monthly_summaries enable row level security;
alter table public.user_memory_monthly_summaries force row level security;
revoke all on public.user_memory_daily_summaries from public, anon, authenticated, service_role;
revoke all on public.user_memory_weekly_summaries from public, anon, authenticated, service_role;
revoke all on public.user_memory_monthly_summaries from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_daily_summaries, public.user_memory_weekly_summaries,
  public.user_memory_monthly_summaries to service_role;
grant select on public.user_memory_daily_summaries, public.user_memory_weekly_summaries,
  public.user_memory_monthly_summaries to authenticated;
create policy "People see the summaries of their days" on public.user_memory_daily_summaries
  for select to authenticated using ((select auth.uid()) = user_id);
create policy "People see the summaries of their weeks" on public.user_memory_weekly_summaries
  for select to authenticated using ((select auth.uid()) = user_id);
create policy "People see the summaries of their months" on public.user_memory_monthly_summaries
  for select to authenticated using ((select auth.uid()) = user_id);

select keepsake.disable_statistics(c.of_table::regclass, c.column_name)
from (values
  ('public.user_memory_daily_summaries', 'summary'), ('public.user_memory_daily_summaries', 'key_themes'),
  ('public.user_memory_daily_summaries', 'previous'), ('public.user_memory_daily_summaries', 'generator'),
  ('public.user_memory_daily_summaries', 'prompt_version'),
  ('public.user_memory_weekly_summaries', 'emotional_summary'), ('public.user_memory_weekly_summaries', 'summary'),
  ('public.user_memory_weekly_summaries', 'key_themes'), ('public.user_memory_weekly_summaries', 'dominant_patterns'),
  ('public.user_memory_weekly_summaries', 'energy_shifts'), ('public.user_memory_weekly_summaries', 'previous'),
  ('public.user_memory_weekly_summaries', 'generator'), ('public.user_memory_weekly_summaries', 'prompt_version'),
  ('public.user_memory_monthly_summaries', 'emotional_summary'),
  ('public.user_memory_monthly_summaries', 'cognitive_summary'), ('public.user_memory_monthly_summaries', 'key_themes'),
  ('public.user_memory_monthly_summaries', 'dominant_transits'),
  ('public.user_memory_monthly_summaries', 'planetary_influences'), ('public.user_memory_monthly_summaries', 'previous'),
  ('public.user_memory_monthly_summaries', 'generator'), ('public.user_memory_monthly_summaries', 'prompt_version')
) as c (of_table, column_name);

select keepsake.disable_owner_statistics(to_regclass(t.name))
from unnest(array['public.user_memory_daily_summaries', 'public.user_memory_weekly_summaries',
  'public.user_memory_monthly_summaries']) as t (name);
