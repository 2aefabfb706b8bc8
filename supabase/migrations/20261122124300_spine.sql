-- The spine: what holds of a person over the long term, in four sections; a new version every twenty messages.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create table public.user_memory_spine (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  version integer not null constraint user_memory_spine_version check (version > 0),
  content jsonb not null constraint user_memory_spine_content check (jsonb_typeof(content) = 'object'),
  message_count bigint not null,
  source_ids uuid[] not null default '{}',
  generator text not null constraint user_memory_spine_generator check (generator in ('rules', 'llm')),
  prompt_version text,
  created_at timestamptz not null default now(),
  constraint user_memory_spine_versions unique (user_id, profile_id, version),
  constraint user_memory_spine_profile foreign key (user_id, profile_id)
    references public.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_spine is 'What holds of a person over the long term; every version is kept.';
comment on column public.user_memory_spine.content is 'PROFILE, PROJECTS, PEOPLE and OPEN_LOOPS: lists of {"id", "text"}, the id of the memory or to-do.';
comment on column public.user_memory_spine.message_count is 'How many messages the person had written when it was made.';
comment on column public.user_memory_spine.source_ids is 'The memories and to-dos that it was written from.';

alter table public.user_memory_spine enable row level security;
alter table public.user_memory_spine force row level security;
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
revoke all on function keepsake.delete_spine() from public, anon, authenticated;
create trigger keepsake_61_delete_spine after delete on public.user_memory
  referencing old table as deleted for each statement execute function keepsake.delete_spine();
create trigger keepsake_61_delete_spine after delete on public.user_memory_todos
  referencing old table as deleted for each statement execute function keepsake.delete_spine();

select keepsake.disable_statistics(c.of_table::regclass, c.column_name)
from (values
  ('public.user_memory_spine', 'content'), ('public.user_memory_spine', 'generator'),
  ('public.user_memory_spine', 'prompt_version')
) as c (of_table, column_name);
select keepsake.disable_owner_statistics('public.user_memory_spine'::regclass);
