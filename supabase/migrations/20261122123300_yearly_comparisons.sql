-- A month compared with the same month of the year before: one row a month, written on demand from the two stored monthly
-- summaries, and deleted when one of them changes.

create table public.user_memory_yearly_comparisons (
  id uuid primary key default gen_random_uuid(),
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
  constraint user_memory_yearly_comparisons_period unique (user_id, profile_id, year, month),
  constraint user_memory_yearly_comparisons_profile foreign key (user_id, profile_id)
    references public.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_yearly_comparisons is 'Months of a person compared with the same month of the year before.';
comment on column public.user_memory_yearly_comparisons.appeared is 'What only the later month has.';
comment on column public.user_memory_yearly_comparisons.source_ids is 'The two monthly summaries.';
comment on column public.user_memory_yearly_comparisons.memory_ids is 'Every memory whose words may occur.';
alter table public.user_memory_yearly_comparisons enable row level security;
alter table public.user_memory_yearly_comparisons force row level security;
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
revoke all on function keepsake.drop_comparisons() from public, anon, authenticated;
create trigger keepsake_60_drop_comparisons after delete on public.user_memory_monthly_summaries
  for each row execute function keepsake.drop_comparisons();
create trigger keepsake_60_drop_comparisons_of_changed after update on public.user_memory_monthly_summaries
  for each row when (old.version is distinct from new.version) execute function keepsake.drop_comparisons();

select keepsake.disable_statistics('public.user_memory_yearly_comparisons'::regclass, c.name)
from unnest(array['growth', 'stayed', 'changed', 'appeared', 'generator', 'prompt_version']) as c (name);
select keepsake.disable_owner_statistics('public.user_memory_yearly_comparisons'::regclass);
