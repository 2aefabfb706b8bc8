-- Summaries that wait for the model, and those that rest on texts: a period is written again whenever a memory is
-- forgotten on which its summary rests, whatever the memory's date.

alter table keepsake.summary_periods
  add column model_failures integer not null default 0,
  add column bad_replies integer not null default 0,
  add column waiting_since timestamptz;
comment on column keepsake.summary_periods.waiting_since is 'Since when it waits for the model; model_failures and bad_replies are its failed calls since then.';

create function keepsake.mark_resting_summaries() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into keepsake.summary_periods as p (user_id, profile_id, level, first_date, due_at)
  select r.user_id, r.profile_id, r.level, r.first_date, now()
  from (
    select s.user_id, s.profile_id, 'day' as level, s.summary_date as first_date
    from public.user_memory_daily_summaries as s where s.user_id = old.user_id and old.id = any (s.memory_ids)
    union all
    select s.user_id, s.profile_id, 'week', s.week_start_date
    from public.user_memory_weekly_summaries as s where s.user_id = old.user_id and old.id = any (s.memory_ids)
    union all
    select s.user_id, s.profile_id, 'month', make_date(s.year, s.month, 1)
    from public.user_memory_monthly_summaries as s where s.user_id = old.user_id and old.id = any (s.memory_ids)
  ) as r
  order by r.level, r.first_date
  on conflict (user_id, profile_id, level, first_date) do update set due_at = least(p.due_at, excluded.due_at);
  return null;
end
$$;
comment on function keepsake.mark_resting_summaries() is 'A forgotten memory makes the summaries due that rest on it.';
revoke all on function keepsake.mark_resting_summaries() from public, anon, authenticated;
create trigger keepsake_60_mark_resting_summaries after update on public.user_memory
  for each row when (old.status <> 'deleted' and new.status = 'deleted')
  execute function keepsake.mark_resting_summaries();

-- A deleted summary (its memory was erased) is due again; of a profile that is deleted nothing is.
create function keepsake.mark_deleted_day() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into keepsake.summary_periods (user_id, profile_id, level, first_date, due_at)
  select f.user_id, f.id, 'day', old.summary_date, now() from public.user_profile_list as f
  where f.user_id = old.user_id and f.id = old.profile_id
  on conflict do nothing;
  return null;
end
$$;
create function keepsake.mark_deleted_week() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into keepsake.summary_periods (user_id, profile_id, level, first_date, due_at)
  select f.user_id, f.id, 'week', old.week_start_date, now() from public.user_profile_list as f
  where f.user_id = old.user_id and f.id = old.profile_id
  on conflict do nothing;
  return null;
end
$$;
create function keepsake.mark_deleted_month() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into keepsake.summary_periods (user_id, profile_id, level, first_date, due_at)
  select f.user_id, f.id, 'month', make_date(old.year, old.month, 1), now() from public.user_profile_list as f
  where f.user_id = old.user_id and f.id = old.profile_id
  on conflict do nothing;
  return null;
end
$$;
comment on function keepsake.mark_deleted_day() is 'The summary of a day that is deleted is due again.';
comment on function keepsake.mark_deleted_week() is 'The summary of a week that is deleted is due again.';
comment on function keepsake.mark_deleted_month() is 'The summary of a month that is deleted is due again.';
revoke all on function keepsake.mark_deleted_day(), keepsake.mark_deleted_week(), keepsake.mark_deleted_month()
  from public, anon, authenticated;
create trigger keepsake_60_mark_deleted after delete on public.user_memory_daily_summaries
  for each row execute function keepsake.mark_deleted_day();
create trigger keepsake_60_mark_deleted after delete on public.user_memory_weekly_summaries
  for each row execute function keepsake.mark_deleted_week();
create trigger keepsake_60_mark_deleted after delete on public.user_memory_monthly_summaries
  for each row execute function keepsake.mark_deleted_month();
