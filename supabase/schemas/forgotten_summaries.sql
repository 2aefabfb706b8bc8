-- A person can forget one summary: of a session, a day, six days, a week or a month, or the spine. It is deleted, is not
-- written again, and comes back by undo. The decision is a row of its own, without any words.

create table public.user_memory_forgotten_summaries (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  kind text not null constraint user_memory_forgotten_summaries_kind
    check (kind in ('day', 'history', 'week', 'month', 'session', 'spine')),
  first_date date,
  session_id uuid,
  created_at timestamptz not null default now(),
  primary key (user_id, id),
  constraint user_memory_forgotten_summaries_period check ((kind in ('session', 'spine')) = (first_date is null)
    and (kind = 'session') = (session_id is not null)),
  constraint user_memory_forgotten_summaries_of unique nulls not distinct
    (user_id, profile_id, kind, first_date, session_id),
  constraint user_memory_forgotten_summaries_session foreign key (user_id, session_id)
    references public.user_memory_sessions (user_id, id) on delete cascade,
  constraint user_memory_forgotten_summaries_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
create index user_memory_forgotten_summaries_by_session on public.user_memory_forgotten_summaries (user_id, session_id)
  where session_id is not null;
comment on table public.user_memory_forgotten_summaries is 'The summaries that a person forgot: they are not written again.';
comment on column public.user_memory_forgotten_summaries.first_date is 'The first date of the period, and of a history the last one; null of a session and the spine.';
alter table public.user_memory_forgotten_summaries
  alter column user_id set statistics 0, alter column profile_id set statistics 0, alter column kind set statistics 0,
  alter column session_id set statistics 0;
alter table public.user_memory_forgotten_summaries enable row level security, force row level security;
revoke all on public.user_memory_forgotten_summaries from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_forgotten_summaries to service_role;
grant select on public.user_memory_forgotten_summaries to authenticated;
create policy "People see which summaries they forgot" on public.user_memory_forgotten_summaries
  for select to authenticated using ((select auth.uid()) = user_id);
create trigger keepsake_50_log after insert or delete on public.user_memory_forgotten_summaries
  for each row execute function keepsake.log_change('user_memory_forgotten_summaries');

-- What a summary is of: the kind and the date, or the session. A spine has no period and is of none.
create function keepsake.summary_period(table_name text, summary jsonb, out kind text, out first_date date, out session_id uuid)
language sql stable set search_path = '' as $$
  select (select k.kind from keepsake.summary_kinds as k where k.table_name = summary_period.table_name),
    coalesce(coalesce(summary ->> 'summary_date', summary ->> 'end_date', summary ->> 'week_start_date')::date,
      make_date((summary ->> 'year')::integer, (summary ->> 'month')::integer, 1)),
    (summary ->> 'session_id')::uuid
$$;
comment on function keepsake.summary_period(text, jsonb) is 'The kind and the first date of a summary, or its session, as user_memory_forgotten_summaries has them; a spine has neither.';
grant execute on function keepsake.summary_period(text, jsonb) to service_role;

create function keepsake.skip_forgotten_summary() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if exists (
    select from public.user_memory_forgotten_summaries as f
    join keepsake.summary_period(tg_argv[0], to_jsonb(new)) as p
      on p.kind = f.kind and p.first_date is not distinct from f.first_date and p.session_id is not distinct from f.session_id
    where f.user_id = new.user_id and f.profile_id = new.profile_id
  ) then
    return null;
  end if;
  return new;
end
$$;
comment on function keepsake.skip_forgotten_summary() is 'Writes no summary that its person forgot.';

-- Only what a person decides is logged: summaries are written and deleted by jobs, and deleted with their memories.
do $$
declare
  of_summaries text;
begin
  for of_summaries in select k.table_name from keepsake.summary_kinds as k loop
    execute format('create trigger keepsake_05_skip_forgotten before insert on public.%1$I
      for each row execute function keepsake.skip_forgotten_summary(%1$L)', of_summaries);
    execute format('create trigger keepsake_50_log after insert or delete on public.%1$I
      for each row when (pg_trigger_depth() = 0 and nullif(current_setting(''keepsake.operation_id'', true), '''') is not null)
      execute function keepsake.log_change(%1$L)', of_summaries);
  end loop;
end
$$;

-- The log of a forgotten summary has its words: it goes with what the summary was written from.
create function keepsake.delete_forgotten_texts() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
  ids text[];
begin
  for person, ids in select d.user_id, array_agg(d.id::text) from deleted as d group by d.user_id loop
    delete from keepsake.changes as c
    where c.user_id = person and c.table_name in (select k.table_name from keepsake.summary_kinds as k)
      and exists (
        select from unnest(array[c.before, c.after]) as i (image)
        where i.image -> 'memory_ids' ?| ids or i.image -> 'source_ids' ?| ids or i.image -> 'previous' -> 'memory_ids' ?| ids
      );
  end loop;
  return null;
end
$$;
comment on function keepsake.delete_forgotten_texts() is 'Deletes the logged summaries that rest on deleted memories or to-dos.';
create trigger keepsake_61_delete_forgotten_texts after delete on public.user_memory
  referencing old table as deleted for each statement execute function keepsake.delete_forgotten_texts();
create trigger keepsake_61_delete_forgotten_texts after delete on public.user_memory_todos
  referencing old table as deleted for each statement execute function keepsake.delete_forgotten_texts();

create function keepsake.forget_summary(summary uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', 'forget a summary');
  person uuid := (select auth.uid());
  of_table text;
  forgotten jsonb;
  touched bigint := 1;
begin
  for of_table in select k.table_name from keepsake.summary_kinds as k where k.kind <> 'spine' loop
    execute format('delete from public.%I as s where s.id = $1 and s.user_id = $2 returning to_jsonb(s)', of_table)
      into forgotten using forget_summary.summary, person;
    exit when forgotten is not null;
  end loop;
  if forgotten is null then
    of_table := 'user_memory_spine';
    select to_jsonb(s) into forgotten from public.user_memory_spine as s
    where s.id = forget_summary.summary and s.user_id = person;
    delete from public.user_memory_spine as s
    where s.user_id = person and s.profile_id = (forgotten ->> 'profile_id')::uuid;
    get diagnostics touched = row_count;
    if touched = 0 then
      raise exception using errcode = 'PT404', message = 'There is no such summary, or it is not yours.';
    end if;
  end if;
  -- After the summary, so that undo removes it first.
  insert into public.user_memory_forgotten_summaries (user_id, profile_id, kind, first_date, session_id)
  select person, (forgotten ->> 'profile_id')::uuid, p.kind, p.first_date, p.session_id
  from keepsake.summary_period(of_table, forgotten) as p
  on conflict do nothing;
  -- What was merged from it is made again without it.
  delete from keepsake.context_cache as c
  where c.user_id = person and c.profile_id = (forgotten ->> 'profile_id')::uuid;
  insert into keepsake.due_contexts as d (user_id, profile_id, due_at)
  values (person, (forgotten ->> 'profile_id')::uuid, now())
  on conflict (user_id, profile_id) do update set due_at = least(d.due_at, greatest(excluded.due_at, d.not_before)), is_changed = true;
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.forget_summary(uuid) is 'Forgets a summary of the caller; of the spine all versions.';
grant execute on function keepsake.forget_summary(uuid) to authenticated;

create function public.forget_summary(summary uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.forget_summary(summary);
end;
comment on function public.forget_summary(uuid) is 'Forget one of your summaries (of a session, a day, six days, a week, a month, or your spine); it is not written again, and can be undone for 30 days.';
revoke all on function public.forget_summary(uuid) from public, anon, authenticated, service_role;
grant execute on function public.forget_summary(uuid) to authenticated;
