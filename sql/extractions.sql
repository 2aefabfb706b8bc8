-- The states of an extraction: pending, claimed, then extracted, skipped or quarantined.

-- name: ensure_pending
-- Inserts a pending turn; returns no row where it exists already (idempotency key: author and message).
insert into keepsake.extractions (conversation_id, source_message_id, user_id, created_at, next_attempt_at)
values (%(conversation_id)s, %(message_id)s, %(user_id)s, %(now)s, %(next_attempt_at)s)
on conflict (user_id, source_message_id) do nothing
returning id

-- name: claim
-- Claims a turn that is free or whose claim is stale; returns no row where it cannot. A claim that a server crash loses
-- does no harm, because the turn is still pending. So the commit does not wait for the disk. The rate lock comes first:
-- a command of the person counts itself and then locks turns.
with rate_lock as materialized (
  select pg_advisory_xact_lock(hashtextextended('keepsake.rate:' || %(user_id)s::uuid::text, 0))
)
insert into keepsake.extractions as e
  (conversation_id, source_message_id, user_id, status, claim_token, claimed_at, attempts, created_at, next_attempt_at)
select %(conversation_id)s, %(message_id)s, %(user_id)s, 'claimed', %(token)s, %(now)s, 1, %(now)s, %(stale_at)s
from rate_lock
on conflict (user_id, source_message_id) do update
  set status = 'claimed', claim_token = excluded.claim_token, claimed_at = excluded.claimed_at,
    attempts = e.attempts + 1, next_attempt_at = excluded.next_attempt_at
  where e.status = 'pending' or (e.status = 'claimed' and e.claimed_at <= %(stale_before)s)
returning e.id, e.attempts, set_config('synchronous_commit', 'off', true)

-- name: claim_several
-- Claims at once those of these turns that nobody has attempted and nobody holds; it waits for nobody. A turn that was
-- attempted before is claimed alone, so that one which crashes its worker takes no others with it.
with free as materialized (
  select f.user_id, f.id
  from unnest(%(user_ids)s::uuid[], %(message_ids)s::uuid[]) as t (user_id, message_id)
  cross join lateral (
    select e.user_id, e.id from keepsake.extractions as e
    where e.user_id = t.user_id and e.source_message_id = t.message_id
      and e.status = 'pending' and e.attempts = 0 and e.waiting_since is null
    for update skip locked
  ) as f
)
update keepsake.extractions as e
set status = 'claimed', claim_token = %(token)s, claimed_at = %(now)s, attempts = 1, next_attempt_at = %(stale_at)s
from free as f
where e.user_id = f.user_id and e.id = f.id
returning e.user_id, e.id, e.source_message_id, set_config('synchronous_commit', 'off', true)

-- name: skip
-- Marks a turn as skipped with its reason, unless it is claimed or finished.
insert into keepsake.extractions as e
  (conversation_id, source_message_id, user_id, status, reason, created_at, finished_at)
values (%(conversation_id)s, %(message_id)s, %(user_id)s, 'skipped', %(reason)s, %(now)s, %(now)s)
on conflict (user_id, source_message_id) do update
  set status = 'skipped', reason = excluded.reason, claim_token = null, next_attempt_at = null,
    finished_at = excluded.finished_at
  where e.status = 'pending' or (e.status = 'claimed' and e.claimed_at <= %(stale_before)s)
returning e.id

-- name: finish
-- Finishes claimed turns with their results, and with the number of dropped candidates by reason.
update keepsake.extractions as e
set status = t.status, reason = t.reason, generator = t.generator, model = t.model, results = t.results, dropped = t.dropped,
  truncated = t.truncated, operation_id = t.operation_id, claim_token = null, next_attempt_at = null,
  finished_at = %(now)s
from unnest(%(user_ids)s::uuid[], %(ids)s::uuid[], %(tokens)s::uuid[], %(statuses)s::text[], %(reasons)s::text[], %(generators)s::text[],
  %(models)s::text[], %(results)s::jsonb[], %(dropped)s::jsonb[], %(truncated)s::boolean[], %(operation_ids)s::uuid[])
  as t (user_id, id, token, status, reason, generator, model, results, dropped, truncated, operation_id)
where e.user_id = t.user_id and e.id = t.id and e.claim_token = t.token and e.status = 'claimed'

-- name: release
-- Releases a claim: requeued for another attempt, or quarantined after the last one that crashed. Only crashes count.
update keepsake.extractions
set status = case when attempts >= %(max_attempts)s and %(crashed)s then 'quarantined' else 'pending' end,
  reason = case when attempts >= %(max_attempts)s and %(crashed)s then 'crashed' end,
  finished_at = case when attempts >= %(max_attempts)s and %(crashed)s then %(now)s::timestamptz end,
  next_attempt_at = case when attempts < %(max_attempts)s or not %(crashed)s then %(next_attempt_at)s::timestamptz end,
  attempts = case when %(crashed)s then attempts else greatest(attempts - 1, 0) end,
  claim_token = null
where user_id = %(user_id)s and id = %(id)s and claim_token = %(token)s and status = 'claimed'
returning status

-- name: requeue
-- Releases the claim of a turn that waits for the model; this attempt does not count as a crash.
update keepsake.extractions
set status = 'pending', claim_token = null, attempts = greatest(attempts - 1, 0),
  model_failures = model_failures + %(failures)s, bad_replies = bad_replies + %(bad_replies)s,
  waiting_since = coalesce(waiting_since, %(now)s), next_attempt_at = %(until)s,
  not_before = case when %(failures)s + %(bad_replies)s > 0 then %(until)s else not_before end
where user_id = %(user_id)s and id = %(extraction_id)s and claim_token = %(token)s and status = 'claimed'
returning id

-- name: outcome
-- The result of a turn, with its memories that still exist, in their order.
select e.id, e.status, e.reason, e.generator, coalesce(json_agg(json_build_object(
    'id', m.id, 'memory_no', m.memory_no, 'type', m.memory_type, 'text', m.memory_text,
    'confidence', m.confidence_score, 'action', r.result ->> 'action'
  ) order by r.position) filter (where m.id is not null), '[]') as memories
from keepsake.extractions as e
left join jsonb_array_elements(e.results) with ordinality as r (result, position) on true
left join public.user_memory as m
  on m.user_id = e.user_id and m.id = (r.result ->> 'memory_id')::uuid and m.status <> 'deleted'
where e.user_id = (
    select m.user_id from keepsake_chats.messages as m where m.id = %(message_id)s and m.conversation_id = %(conversation_id)s
  ) and e.source_message_id = %(message_id)s
group by e.user_id, e.id

-- name: claim_due
-- Takes the due turns, stale claims included, and postpones them, so that the next run does not take them too.
update keepsake.extractions as e
set next_attempt_at = %(next_attempt_at)s
from (
  select user_id, id from keepsake.extractions
  where status in ('pending', 'claimed') and next_attempt_at <= %(now)s
  order by next_attempt_at
  limit %(limit)s
  for update skip locked
) as due
where e.user_id = due.user_id and e.id = due.id
returning e.conversation_id, e.source_message_id as message_id

-- name: quarantine_crashed
-- Quarantines the turns whose last allowed attempt crashed.
update keepsake.extractions
set status = 'quarantined', reason = 'crashed', claim_token = null, next_attempt_at = null, finished_at = %(now)s
where status = 'claimed' and next_attempt_at <= %(now)s and attempts >= %(max_attempts)s
returning id
