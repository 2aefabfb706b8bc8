-- The trials of models that go on in the background.

-- name: claim_queueing
-- Lets one job be queued where it is time, and begins the trial where there is none; returns no row where nothing is to do.
insert into keepsake.model_trials as t (model, prompt_version, free_at, queue_at)
select %(model)s, %(prompt_version)s, %(now)s::timestamptz, %(queue_at)s::timestamptz
where not exists (
  select from keepsake.model_trials as o
  where o.model = %(model)s and o.prompt_version = %(prompt_version)s and o.queue_at > %(now)s
)
on conflict (model, prompt_version) do update set queue_at = excluded.queue_at where t.queue_at <= %(now)s
returning t.model

-- name: claim_turn
-- Leases the next turn of a trial; returns no row where another worker has it, or where it has to wait. Until something is
-- known of it, the attempt counts as failed: so what ends the worker each time is tried ever more rarely.
update keepsake.model_trials as t
set free_at = l.until, queue_at = l.until, failures = t.failures + 1,
  began_at = case when t.results = '[]' then %(now)s::timestamptz else t.began_at end
from (
  select o.model, o.prompt_version, %(now)s::timestamptz + least(%(lease)s::interval * 3 ^ least(o.failures, 6), interval '1 day') as until
  from keepsake.model_trials as o
  where o.model = %(model)s and o.prompt_version = %(prompt_version)s and o.free_at <= %(now)s for update
) as l
where t.model = l.model and t.prompt_version = l.prompt_version
returning t.model, t.prompt_version, t.free_at as until, t.failures - 1 as failures, t.results

-- name: add_result
-- Adds what was made of a turn, and ends the lease; nothing where it had run out.
update keepsake.model_trials as t
set results = t.results || %(result)s::jsonb, failure = null, free_at = %(now)s, queue_at = %(queue_at)s,
  failures = case when %(keeps_failures)s::boolean then t.failures - 1 else 0 end
where t.model = %(model)s and t.prompt_version = %(prompt_version)s and t.free_at = %(until)s

-- name: delay
-- Ends the lease, and lets the trial wait; a failure may be counted, and what was made of turns be dropped.
update keepsake.model_trials as t
set free_at = %(again_at)s, queue_at = %(again_at)s, failure = coalesce(%(failure)s, t.failure),
  failures = t.failures - 1 + %(counted)s::integer, results = case when %(restarts)s::boolean then '[]' else t.results end
where t.model = %(model)s and t.prompt_version = %(prompt_version)s and t.free_at = %(until)s
