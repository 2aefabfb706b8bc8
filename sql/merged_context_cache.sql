-- Merged contexts: which are due, what they are merged from, and the cache.

-- name: claim_due
-- The next profiles whose context is due; the next call takes others until the next attempt. A change from now on makes
-- it due an hour later.
with due as materialized (
  select w.tableoid, w.ctid from keepsake.due_contexts as w
  where w.due_at <= %(now)s order by w.due_at limit %(limit)s for update skip locked
)
update keepsake.due_contexts as d
set due_at = %(next_attempt_at)s, not_before = %(not_before)s, is_changed = false
where d.ctid = any(array(select due.ctid from due))
  and (d.tableoid, d.ctid) in (select due.tableoid, due.ctid from due)  -- for a table with partitions
returning d.user_id, d.profile_id

-- name: mark
-- Makes the context of a profile due.
insert into keepsake.due_contexts as d (user_id, profile_id, due_at)
values (%(user_id)s, %(profile_id)s, %(now)s)
on conflict (user_id, profile_id) do update set due_at = least(d.due_at, greatest(excluded.due_at, d.not_before)), is_changed = true

-- name: model_wait
-- How often the model failed for a waiting context, and since when it waits for it.
select d.model_failures, d.bad_replies, d.waiting_since from keepsake.due_contexts as d
where d.user_id = %(user_id)s and d.profile_id = %(profile_id)s

-- name: wait_for_model
-- Keeps a context due until the model is asked again.
update keepsake.due_contexts as d
set due_at = %(due_at)s, model_failures = d.model_failures + %(model_failures)s,
  bad_replies = d.bad_replies + %(bad_replies)s, waiting_since = coalesce(d.waiting_since, %(waiting_since)s)
where d.user_id = %(user_id)s and d.profile_id = %(profile_id)s

-- name: postpone
-- Sets when a context is made again: then, or after the hour if a memory changed meanwhile.
update keepsake.due_contexts as d
set due_at = case when d.is_changed then least(d.not_before, %(due_at)s) else %(due_at)s end, model_failures = 0,
  bad_replies = 0, waiting_since = null
where d.user_id = %(user_id)s and d.profile_id = %(profile_id)s

-- name: finish
-- Removes a profile of which nothing was said of late, unless a memory changed meanwhile.
delete from keepsake.due_contexts as d
where d.user_id = %(user_id)s and d.profile_id = %(profile_id)s and not d.is_changed

-- name: day
-- The stored summary of the current day, unless it rests on a memory that nobody may be shown, or the rules wrote it of one that is doubted.
select s.id, s.summary, s.memory_ids, s.message_ids from public.user_memory_daily_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.summary_date = %(today)s
  and not exists (
    select from public.user_memory as m
    where m.user_id = s.user_id and m.id = any(s.memory_ids) and (s.generator = 'rules' and m.doubted_at is not null or
{hidden_from_summaries}
    )
  )

-- name: history
-- The newest history that today shows, unless it rests on a memory that nobody may be shown, or the rules wrote it of one that is doubted.
select s.id, s.summary, s.memory_ids, s.message_ids from public.user_memory_history_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.end_date between %(today)s::date - 7 and %(today)s::date - 1
  and not exists (
    select from public.user_memory as m
    where m.user_id = s.user_id and m.id = any(s.memory_ids) and (s.generator = 'rules' and m.doubted_at is not null or
{hidden_from_summaries}
    )
  )
order by s.end_date desc limit 1

-- name: hashes
-- The hashes and the day of the stored context, how many days were written since, and whether one of its facts ended or became
-- doubtful: where one is edited, nothing is stored any more.
select c.day, c.facts_hash, c.day_hash, c.history_hash, c.prompt_version,
  (
    select count(*) from public.user_memory_daily_summaries as s
    where s.user_id = c.user_id and s.profile_id = c.profile_id and s.summary_date > c.day - 14 and s.updated_at > c.created_at
  ) as days_since,
  (
    select count(*) from public.user_memory as m
    where m.user_id = c.user_id and m.id = any(c.fact_ids) and m.status = 'active'
      and (m.doubted_at is null or m.doubted_at <= c.created_at)
  ) < cardinality(c.fact_ids) as has_other_facts
from keepsake.context_cache as c
where c.user_id = %(user_id)s and c.profile_id = %(profile_id)s

-- name: write
-- Stores a merged context in the place of the one before.
insert into keepsake.context_cache as c (user_id, profile_id, day, context, facts_hash, day_hash, history_hash, fact_ids,
  memory_ids, summary_ids, message_ids, prompt_version, created_at)
values (%(user_id)s, %(profile_id)s, %(today)s, %(context)s, %(facts_hash)s, %(day_hash)s, %(history_hash)s,
  %(fact_ids)s, %(memory_ids)s, %(summary_ids)s, array(
    select unnest(%(message_ids)s::uuid[]) union select m.source_message_id from public.user_memory as m
    where m.user_id = %(user_id)s and m.id = any(%(cited_ids)s::uuid[]) and m.source_message_id is not null
  ), %(prompt_version)s, %(now)s)
on conflict (user_id, profile_id) do update
  set day = excluded.day, context = excluded.context, facts_hash = excluded.facts_hash, day_hash = excluded.day_hash,
    history_hash = excluded.history_hash, fact_ids = excluded.fact_ids, memory_ids = excluded.memory_ids,
    summary_ids = excluded.summary_ids, message_ids = excluded.message_ids, prompt_version = excluded.prompt_version, created_at = excluded.created_at

-- name: delete
-- Deletes the merged context of a profile.
delete from keepsake.context_cache as c where c.user_id = %(user_id)s and c.profile_id = %(profile_id)s

-- name: keep
-- Lets the stored context count for another day: its inputs are the same.
update keepsake.context_cache as c set day = %(today)s
where c.user_id = %(user_id)s and c.profile_id = %(profile_id)s
