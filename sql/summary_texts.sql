-- Stored summaries as texts for a context. One that rests on a forgotten memory is left out until it is written again.

-- name: day_text
-- The summary of a day.
select array[s.summary] from public.user_memory_daily_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.summary_date = %(first_date)s
  and not exists (
    select from public.user_memory as m where m.user_id = s.user_id and m.id = any(s.memory_ids) and m.status = 'deleted'
  )

-- name: week_text
-- The summary of a week: how the person felt, then what happened.
select array[s.emotional_summary, s.summary] from public.user_memory_weekly_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.week_start_date = %(first_date)s::date
  and s.year = extract(isoyear from %(first_date)s::date) and s.week_number = extract(week from %(first_date)s::date)
  and not exists (
    select from public.user_memory as m where m.user_id = s.user_id and m.id = any(s.memory_ids) and m.status = 'deleted'
  )

-- name: month_text
-- The summary of a month: how the person felt, then what happened.
select array[s.emotional_summary, coalesce(s.cognitive_summary, '')] from public.user_memory_monthly_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.year = extract(year from %(first_date)s::date)
  and s.month = extract(month from %(first_date)s::date)
  and not exists (
    select from public.user_memory as m where m.user_id = s.user_id and m.id = any(s.memory_ids) and m.status = 'deleted'
  )

-- name: newest_week_text
-- The newest weekly summary that ended since a date, with its dates. What is doubted now may no longer hold: then none
-- is shown.
select format('%%s to %%s: %%s', s.week_start_date, s.week_end_date, s.summary)
from public.user_memory_weekly_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.week_end_date >= %(since)s::date and s.summary <> ''
  and not exists (
    select from public.user_memory as m
    where m.user_id = s.user_id and m.id = any(s.memory_ids) and (m.status = 'deleted' or m.doubted_at is not null)
  )
order by s.year desc, s.week_number desc
limit 1
