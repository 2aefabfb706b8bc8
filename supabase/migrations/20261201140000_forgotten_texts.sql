-- A spine that its person forgot is not written again either. And forgetting a memory deletes the histories and the versions
-- of the spine that tell it: their person reads them, and only the newest is written again.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

alter table public.user_memory_forgotten_summaries
  drop constraint user_memory_forgotten_summaries_kind,
  drop constraint user_memory_forgotten_summaries_period,
  add constraint user_memory_forgotten_summaries_kind
    check (kind in ('day', 'history', 'week', 'month', 'session', 'spine')) not valid,
  add constraint user_memory_forgotten_summaries_period check ((kind in ('session', 'spine')) = (first_date is null)
    and (kind = 'session') = (session_id is not null)) not valid;
comment on column public.user_memory_forgotten_summaries.first_date is 'The first date of the period, and of a history the last one; null of a session and the spine.';

create or replace function keepsake.summary_period(table_name text, summary jsonb, out kind text, out first_date date, out session_id uuid)
language sql immutable set search_path = '' as $$
  select case table_name when 'user_memory_daily_summaries' then 'day' when 'user_memory_history_summaries' then 'history'
      when 'user_memory_weekly_summaries' then 'week' when 'user_memory_monthly_summaries' then 'month'
      when 'user_memory_session_summaries' then 'session' when 'user_memory_spine' then 'spine' end,
    case when table_name = 'user_memory_monthly_summaries'
      then make_date((summary ->> 'year')::integer, (summary ->> 'month')::integer, 1)
      else coalesce(summary ->> 'summary_date', summary ->> 'end_date', summary ->> 'week_start_date')::date end,
    (summary ->> 'session_id')::uuid
$$;
comment on function keepsake.summary_period(text, jsonb) is 'The kind and the first date of a summary, or its session, as user_memory_forgotten_summaries has them; a spine has neither.';
create trigger keepsake_05_skip_forgotten before insert on public.user_memory_spine
  for each row execute function keepsake.skip_forgotten_summary();

create or replace function keepsake.forget_summary(summary uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', 'forget a summary');
  person uuid := (select auth.uid());
  of_table text;
  forgotten jsonb;
  touched bigint := 1;
begin
  foreach of_table in array array['user_memory_daily_summaries', 'user_memory_history_summaries',
    'user_memory_weekly_summaries', 'user_memory_monthly_summaries', 'user_memory_session_summaries'] loop
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

create function keepsake.drop_texts_of_forgotten() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.user_memory_history_summaries as s
  where s.user_id = new.user_id and (new.id = any (s.memory_ids) or s.previous -> 'memory_ids' ? new.id::text);
  delete from public.user_memory_spine as s where s.user_id = new.user_id and new.id = any (s.source_ids);
  if found then  -- the job that writes the rolling summary of a persona also writes the spine
    update public.user_memory_session_state as s set refresh_due_at = now()
    where s.id = (
      select n.id from public.user_memory_session_state as n
      where n.user_id = new.user_id and n.profile_id = new.profile_id order by n.last_interaction desc limit 1
    );
  end if;
  return null;
end
$$;
comment on function keepsake.drop_texts_of_forgotten() is 'Deletes the histories and the versions of the spine that rest on a memory that is forgotten, and lets the spine be written again.';
revoke all on function keepsake.drop_texts_of_forgotten() from public, anon, authenticated;
create trigger keepsake_61_drop_texts_of_forgotten after update on public.user_memory
  for each row when (old.status <> 'deleted' and new.status = 'deleted')
  execute function keepsake.drop_texts_of_forgotten();

-- The persona for which a memory is reserved goes on reading the texts of its sessions; no other is told of them.
drop trigger keepsake_60_rewrite_session_texts on public.user_memory;
create trigger keepsake_60_rewrite_session_texts after update on public.user_memory
  for each row when (old.memory_text is distinct from new.memory_text or (old.status <> 'deleted' and new.status = 'deleted'))
  execute function keepsake.rewrite_session_texts_of_changed();
