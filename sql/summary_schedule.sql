-- Which summaries are due, and when a period of a profile ends.

-- name: fold_marks
-- Makes periods of the oldest moments at which memories changed; how many.
select keepsake.fold_summary_marks(%(limit)s)

-- name: claim_due
-- The next profiles with due summaries of a level; what they have due is postponed, so that the next call takes others.
with due as materialized (
  select p.tableoid, p.ctid from keepsake.summary_periods as p
  where p.level = %(level)s and p.due_at <= %(now)s
  order by p.due_at limit %(limit)s for update skip locked
), postponed as (
  update keepsake.summary_periods as p set due_at = %(next_attempt_at)s
  where p.ctid = any(array(select due.ctid from due))  -- they are locked, so none has moved
    and (p.tableoid, p.ctid) in (select due.tableoid, due.ctid from due)  -- for a table with partitions
  returning p.user_id, p.profile_id
)
select distinct user_id, profile_id from postponed

-- name: count_due
-- How many summaries of a level are due, counted up to a limit.
select count(*) from (
  select from keepsake.summary_periods as p where p.level = %(level)s and p.due_at <= %(now)s limit %(limit)s
) as due

-- name: periods_of_profile
-- The periods of a profile that wait for a summary and may be over, oldest first.
select p.first_date from keepsake.summary_periods as p
where p.user_id = %(user_id)s and p.profile_id = %(profile_id)s and p.level = %(level)s and p.first_date < %(before)s::date
order by p.first_date

-- name: lock_period
-- Locks a waiting period; returns no row where its summary has been written, or is being written.
select p.first_date from keepsake.summary_periods as p
where p.user_id = %(user_id)s and p.profile_id = %(profile_id)s and p.level = %(level)s and p.first_date = %(first_date)s
for update skip locked

-- name: postpone
-- Sets when a period is looked at again.
update keepsake.summary_periods as p set due_at = %(due_at)s
where p.user_id = %(user_id)s and p.profile_id = %(profile_id)s and p.level = %(level)s and p.first_date = %(first_date)s

-- name: model_wait
-- How often the model failed for a waiting period, and since when it waits for it.
select p.model_failures, p.bad_replies, p.waiting_since from keepsake.summary_periods as p
where p.user_id = %(user_id)s and p.profile_id = %(profile_id)s and p.level = %(level)s and p.first_date = %(first_date)s

-- name: wait_for_model
-- Keeps a period whose summary has been written by rules, until the model is asked again.
update keepsake.summary_periods as p
set due_at = %(due_at)s, model_failures = p.model_failures + %(model_failures)s,
  bad_replies = p.bad_replies + %(bad_replies)s, waiting_since = coalesce(p.waiting_since, %(waiting_since)s)
where p.user_id = %(user_id)s and p.profile_id = %(profile_id)s and p.level = %(level)s and p.first_date = %(first_date)s

-- name: finish
-- Removes a period whose summary has been written.
delete from keepsake.summary_periods as p
where p.user_id = %(user_id)s and p.profile_id = %(profile_id)s and p.level = %(level)s and p.first_date = %(first_date)s

-- name: mark
-- Makes the summary of a period due.
insert into keepsake.summary_periods as p (user_id, profile_id, level, first_date, due_at)
values (%(user_id)s, %(profile_id)s, %(level)s, %(first_date)s, %(due_at)s)
on conflict (user_id, profile_id, level, first_date) do update set due_at = least(p.due_at, excluded.due_at)

-- name: time_zones
-- The time zones of a profile with the moment of each change; the present one where it never changed.
select case when isfinite(c.since) then c.since end as since, case when c.since is null then f.timezone else c.timezone end as timezone,
  coalesce(s.enabled, true) as enabled, coalesce(nullif(f.nickname, ''), f.name) as name, f.pronouns, f.birth_chart
from keepsake_chats.user_profile_list as f
left join keepsake.timezone_changes as c on c.user_id = f.user_id and c.profile_id = f.id
left join public.user_memory_settings as s on s.user_id = f.user_id
where f.user_id = %(user_id)s and f.id = %(profile_id)s
order by c.since nulls first

-- name: mark_periods
-- Makes summaries of these periods due for the next profiles that stated something in them, of one person or of all;
-- the dates count in every time zone, so a profile may be marked for a period in which it has nothing.
with profiles as (
  select f.user_id, f.id from keepsake_chats.user_profile_list as f
  where (f.user_id, f.id) > (%(after_user)s, %(after)s) and (%(user_id)s::uuid is null or f.user_id = %(user_id)s)
  order by f.user_id, f.id limit %(limit)s
), marked as (
  insert into keepsake.summary_periods as p (user_id, profile_id, level, first_date, due_at)
  select f.user_id, f.id, %(level)s, d.first_date, %(now)s
  from profiles as f
  cross join unnest(%(first_dates)s::date[], %(last_dates)s::date[]) as d (first_date, last_date)
  where exists (
    select from public.user_memory as m
    where m.user_id = f.user_id and m.profile_id = f.id and m.status <> 'deleted' and (
      (m.valid_from >= d.first_date - 2 and m.valid_from < d.last_date + 3)
      or (m.valid_to >= d.first_date - 2 and m.valid_to < d.last_date + 3)
    )
  )
  order by f.user_id, f.id, d.first_date
  on conflict (user_id, profile_id, level, first_date) do update set due_at = least(p.due_at, excluded.due_at)
  returning p.user_id
)
select (select count(*) from marked) as marked, (select count(*) from profiles) as seen,
  (select user_id from profiles order by user_id desc, id desc limit 1) as last_user,
  (select id from profiles order by user_id desc, id desc limit 1) as last
