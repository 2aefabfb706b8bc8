-- The history of a person: what the six days before a date were about, written when the day changes and kept for good.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create table public.user_memory_history_summaries (
  id uuid primary key default gen_random_uuid(),
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

alter table public.user_memory_history_summaries enable row level security;
alter table public.user_memory_history_summaries force row level security;
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
revoke all on function keepsake.delete_history_summaries() from public, anon, authenticated;
create trigger keepsake_61_delete_history_summaries after delete on public.user_memory
  referencing old table as deleted for each statement execute function keepsake.delete_history_summaries();

select keepsake.disable_statistics(c.of_table::regclass, c.column_name)
from (values
  ('public.user_memory_history_summaries', 'summary'), ('public.user_memory_history_summaries', 'days_hash'),
  ('public.user_memory_history_summaries', 'previous'), ('public.user_memory_history_summaries', 'generator'),
  ('public.user_memory_history_summaries', 'prompt_version')
) as c (of_table, column_name);
select keepsake.disable_owner_statistics('public.user_memory_history_summaries'::regclass);
