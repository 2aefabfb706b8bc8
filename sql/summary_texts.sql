-- Stored summaries as texts for a context. One that rests on a memory that may not be shown here is left out.

-- name: day_text
-- The summary of a day.
select s.id, s.message_ids, array[array['summary', s.summary]] as texts, s.outlines from public.user_memory_daily_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.summary_date = %(first_date)s
  and not exists (
    select from public.user_memory as m where m.user_id = s.user_id and m.id = any(s.memory_ids) and
{hidden_here}
  )

-- name: week_text
-- The summary of a week: how the person felt, then what happened.
select s.id, s.message_ids, array[array['emotional_summary', s.emotional_summary], array['summary', s.summary]] as texts,
  s.outlines
from public.user_memory_weekly_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.week_start_date = %(first_date)s::date
  and s.year = extract(isoyear from %(first_date)s::date) and s.week_number = extract(week from %(first_date)s::date)
  and not exists (
    select from public.user_memory as m where m.user_id = s.user_id and m.id = any(s.memory_ids) and
{hidden_here}
  )

-- name: month_text
-- The summary of a month: how the person felt, then what happened.
select s.id, s.message_ids, array[array['emotional_summary', s.emotional_summary],
  array['cognitive_summary', coalesce(s.cognitive_summary, '')]] as texts, s.outlines
from public.user_memory_monthly_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.year = extract(year from %(first_date)s::date)
  and s.month = extract(month from %(first_date)s::date)
  and not exists (
    select from public.user_memory as m where m.user_id = s.user_id and m.id = any(s.memory_ids) and
{hidden_here}
  )

-- name: session_topics
-- What the sessions with a persona that ended in a period were about, the newest first.
select s.id, s.message_ids, s.one_liner, s.what_mattered, s.generator from public.user_memory_session_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.persona_id is not distinct from %(persona_id)s
  and s.ended_at >= %(start)s and s.ended_at < %(end)s
  and not exists (
    select from public.user_memory as m
    where m.user_id = s.user_id and m.id = any(s.source_ids)
      and (s.generator = 'rules' and (m.status = 'superseded' or m.doubted_at is not null) or
{hidden_here}
      )
  )
order by s.ended_at desc limit 5
