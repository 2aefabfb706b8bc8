-- The histories of people: the days that one is written from, and the rows.

-- name: days
-- The summaries of the days between two dates, oldest first, without those that rest on a memory that nobody may be shown. None
-- where the history was forgotten.
select d.id, d.summary_date as day, d.summary as text, d.memory_ids, d.message_ids, d.outlines -> 'summary' as outline
from public.user_memory_daily_summaries as d
where d.user_id = %(user_id)s and d.profile_id = %(profile_id)s and d.summary <> ''
  and d.summary_date between %(start_date)s and %(end_date)s
  and not exists (
    select from public.user_memory as m where m.user_id = d.user_id and m.id = any(d.memory_ids) and
{hidden_from_summaries}
  )
  and not exists (
    select from public.user_memory_forgotten_summaries as f
    where f.user_id = d.user_id and f.profile_id = d.profile_id and f.kind = 'history' and f.first_date = %(end_date)s
  )
order by d.summary_date

-- name: stored
-- The newest history that contexts show, up to a date.
select s.summary, s.days_hash, s.generator, s.memory_ids, s.end_date
from public.user_memory_history_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.end_date between %(end_date)s::date - 6 and %(end_date)s
order by s.end_date desc limit 1

-- name: write
-- Writes a history; where there is one already, as a new version.
insert into public.user_memory_history_summaries as s (user_id, profile_id, start_date, end_date, summary, outlines, days_hash,
  source_ids, memory_ids, message_ids, generator, prompt_version, created_at, updated_at)
values (%(user_id)s, %(profile_id)s, %(start_date)s, %(end_date)s, %(summary)s, %(outlines)s, %(days_hash)s, %(source_ids)s,
  %(memory_ids)s, %(message_ids)s, %(generator)s, %(prompt_version)s, %(now)s, %(now)s)
on conflict (user_id, profile_id, end_date) do update
  set summary = excluded.summary, outlines = excluded.outlines, days_hash = excluded.days_hash, source_ids = excluded.source_ids,
    memory_ids = excluded.memory_ids, message_ids = excluded.message_ids, generator = excluded.generator, prompt_version = excluded.prompt_version,
    version = s.version + 1, previous = to_jsonb(s) - 'previous' - 'user_id', updated_at = excluded.updated_at

-- name: delete
-- Deletes the history up to a date, of whose days nothing is left.
delete from public.user_memory_history_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.end_date = %(end_date)s
