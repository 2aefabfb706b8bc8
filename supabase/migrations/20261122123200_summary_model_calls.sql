-- Summaries that wait for the model, and those that rest on texts: a period is written again whenever a memory is
-- forgotten on which its summary rests, whatever the memory's date.

alter table keepsake.summary_periods
  add column model_failures integer not null default 0,
  add column bad_replies integer not null default 0,
  add column waiting_since timestamptz;
comment on column keepsake.summary_periods.waiting_since is 'Since when it waits for the model; model_failures and bad_replies are its failed calls since then.';

create function keepsake.mark_period(person uuid, profile uuid, middle date) returns void
language sql set search_path = '' as $$
  insert into keepsake.summary_marks (user_id, profile_id, moment)
  select f.user_id, f.id, (middle + time '12:00') at time zone keepsake.known_timezone(f.timezone)
  from public.user_profile_list as f where f.user_id = person and f.id = profile
$$;
comment on function keepsake.mark_period(uuid, uuid, date) is 'Has the summaries of a local date written again; of a profile that is deleted nothing.';
revoke all on function keepsake.mark_period(uuid, uuid, date) from public, anon, authenticated;
grant execute on function keepsake.mark_period(uuid, uuid, date) to service_role;

create function keepsake.mark_resting_summaries() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform keepsake.mark_period(r.user_id, r.profile_id, r.middle)
  from (
    select s.user_id, s.profile_id, s.summary_date as middle
    from public.user_memory_daily_summaries as s where s.user_id = old.user_id and old.id = any (s.memory_ids)
    union
    select s.user_id, s.profile_id, s.week_start_date + 3
    from public.user_memory_weekly_summaries as s where s.user_id = old.user_id and old.id = any (s.memory_ids)
    union
    select s.user_id, s.profile_id, make_date(s.year, s.month, 15)
    from public.user_memory_monthly_summaries as s where s.user_id = old.user_id and old.id = any (s.memory_ids)
  ) as r;
  return null;
end
$$;
comment on function keepsake.mark_resting_summaries() is 'A forgotten memory makes the summaries due that rest on it.';
revoke all on function keepsake.mark_resting_summaries() from public, anon, authenticated;
create trigger keepsake_60_mark_resting_summaries after update on public.user_memory
  for each row when (old.status <> 'deleted' and new.status = 'deleted')
  execute function keepsake.mark_resting_summaries();

-- A summary that is deleted with an erased memory is due again.
create function keepsake.mark_deleted_day() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform keepsake.mark_period(old.user_id, old.profile_id, old.summary_date);
  return null;
end
$$;
create function keepsake.mark_deleted_week() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform keepsake.mark_period(old.user_id, old.profile_id, old.week_start_date + 3);
  return null;
end
$$;
create function keepsake.mark_deleted_month() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform keepsake.mark_period(old.user_id, old.profile_id, make_date(old.year, old.month, 15));
  return null;
end
$$;
comment on function keepsake.mark_deleted_day() is 'The summary of a day that is deleted is due again.';
comment on function keepsake.mark_deleted_week() is 'The summary of a week that is deleted is due again.';
comment on function keepsake.mark_deleted_month() is 'The summary of a month that is deleted is due again.';
revoke all on function keepsake.mark_deleted_day() from public, anon, authenticated;
revoke all on function keepsake.mark_deleted_week() from public, anon, authenticated;
revoke all on function keepsake.mark_deleted_month() from public, anon, authenticated;
create trigger keepsake_60_mark_deleted after delete on public.user_memory_daily_summaries
  for each row execute function keepsake.mark_deleted_day();
create trigger keepsake_60_mark_deleted after delete on public.user_memory_weekly_summaries
  for each row execute function keepsake.mark_deleted_week();
create trigger keepsake_60_mark_deleted after delete on public.user_memory_monthly_summaries
  for each row execute function keepsake.mark_deleted_month();
