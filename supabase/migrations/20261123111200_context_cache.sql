-- The merged context of a person: what holds, the current day and the history as one text of a model, made ahead of time.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create table keepsake.context_cache (
  user_id uuid not null,
  profile_id uuid not null,
  day date not null,
  context text not null
    constraint context_cache_text check (char_length(context) <= 1000 and keepsake.is_clean_text(context)),
  facts_hash text not null,
  day_hash text not null,
  history_hash text not null,
  fact_ids uuid[] not null default '{}',
  memory_ids uuid[] not null default '{}',
  prompt_version text,
  created_at timestamptz not null default now(),
  primary key (user_id, profile_id),
  constraint context_cache_profile foreign key (user_id, profile_id)
    references public.user_profile_list (user_id, id) on delete cascade
);
comment on table keepsake.context_cache is 'The merged context of each profile; as long as the three hashes are those of its inputs, it is not made again.';
comment on column keepsake.context_cache.day is 'The local date that was the current day.';
comment on column keepsake.context_cache.fact_ids is 'The memories that held: when one of them does not any more, the context is not shown.';
comment on column keepsake.context_cache.memory_ids is 'Every memory whose words may occur in it, the facts included.';
revoke all on keepsake.context_cache from public, anon, authenticated;
grant select, insert, update, delete on keepsake.context_cache to service_role;

create table keepsake.due_contexts (
  user_id uuid not null,
  profile_id uuid not null,
  due_at timestamptz not null,
  not_before timestamptz not null default 'epoch',
  is_changed boolean not null default false,
  model_failures integer not null default 0,
  bad_replies integer not null default 0,
  waiting_since timestamptz,
  primary key (user_id, profile_id),
  constraint due_contexts_profile foreign key (user_id, profile_id)
    references public.user_profile_list (user_id, id) on delete cascade
);
create index due_contexts_due on keepsake.due_contexts (due_at);
comment on table keepsake.due_contexts is 'The profiles whose current day, history and merged context are to be written again.';
comment on column keepsake.due_contexts.not_before is 'A change makes it due from then on only: an hour after the last time.';
comment on column keepsake.due_contexts.is_changed is 'Whether a memory changed after a job began to write.';
comment on column keepsake.due_contexts.waiting_since is 'Since when it waits for the model; model_failures and bad_replies are its failed calls since then.';
comment on index keepsake.due_contexts_due is 'Finds what is due, whatever the number of profiles.';
revoke all on keepsake.due_contexts from public, anon, authenticated;
grant select, insert, update, delete on keepsake.due_contexts to service_role;

create function keepsake.delete_merged_contexts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
  ids uuid[];
begin
  for person, ids in select d.user_id, array_agg(d.id) from deleted as d group by d.user_id loop
    delete from keepsake.context_cache as c where c.user_id = person and c.memory_ids && ids;
  end loop;
  return null;
end
$$;
create function keepsake.delete_merged_context_of_edit() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from keepsake.context_cache as c where c.user_id = new.user_id and new.id = any (c.memory_ids);
  return null;
end
$$;
comment on function keepsake.delete_merged_contexts() is 'Deletes the merged contexts that rest on deleted memories.';
comment on function keepsake.delete_merged_context_of_edit() is 'Deletes the merged context that has the words of a memory from before it was edited.';
revoke all on function keepsake.delete_merged_contexts() from public, anon, authenticated;
revoke all on function keepsake.delete_merged_context_of_edit() from public, anon, authenticated;
create trigger keepsake_61_delete_merged_contexts after delete on public.user_memory
  referencing old table as deleted for each statement execute function keepsake.delete_merged_contexts();
create trigger keepsake_61_delete_merged_context after update on public.user_memory
  for each row when (old.memory_text is distinct from new.memory_text)
  execute function keepsake.delete_merged_context_of_edit();

-- As before, and the merged context of a profile is due with the periods of its memories.
create or replace function keepsake.fold_summary_marks(max_marks integer) returns integer
language sql set search_path = '' as $$
  with taken as (
    delete from keepsake.summary_marks as k
    where k.id in (
      select o.id from keepsake.summary_marks as o order by o.id limit max_marks for update skip locked
    )
    returning k.user_id, k.profile_id, k.moment
  ), folded as (
    insert into keepsake.summary_periods as p (user_id, profile_id, level, first_date, due_at)
    select t.user_id, t.profile_id, l.level, d.first_date,
      ((d.first_date + case l.level when 'day' then interval '1 day' when 'week' then interval '7 days'
        else interval '1 month' end)::timestamp at time zone max(z.timezone))
    from taken as t
    join public.user_profile_list as f on f.user_id = t.user_id and f.id = t.profile_id
    cross join lateral (
      select keepsake.known_timezone(f.timezone) as timezone
      union
      select keepsake.known_timezone(c.timezone) from keepsake.timezone_changes as c
      where c.user_id = f.user_id and c.profile_id = f.id
    ) as z
    cross join (values ('day', 1), ('week', 2), ('month', 3)) as l (level, length)
    cross join lateral (select date_trunc(l.level, t.moment at time zone z.timezone)::date as first_date) as d
    group by t.user_id, t.profile_id, l.length, l.level, d.first_date
    order by t.user_id, t.profile_id, l.length, d.first_date
    on conflict (user_id, profile_id, level, first_date) do update set due_at = least(p.due_at, excluded.due_at)
    returning p.user_id
  ), contexts as (
    insert into keepsake.due_contexts as x (user_id, profile_id, due_at)
    select distinct f.user_id, f.id, 'epoch'::timestamptz from taken as t
    join public.user_profile_list as f on f.user_id = t.user_id and f.id = t.profile_id
    where (select count(*) from folded) >= 0  -- the periods first, as whoever writes the summary of a day locks them
    order by f.user_id, f.id
    on conflict (user_id, profile_id) do update set due_at = least(x.due_at, x.not_before), is_changed = true
  )
  select count(*)::integer from taken
$$;

select keepsake.disable_statistics(c.of_table::regclass, c.column_name)
from (values
  ('keepsake.context_cache', 'context'), ('keepsake.context_cache', 'facts_hash'),
  ('keepsake.context_cache', 'day_hash'), ('keepsake.context_cache', 'history_hash'),
  ('keepsake.context_cache', 'prompt_version')
) as c (of_table, column_name);
