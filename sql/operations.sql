-- The operation that the changes of a transaction are recorded under.

-- name: begin_operation
-- Begins an operation: the changes of this transaction belong to it, with its actor and reason (audit log).
select set_config('keepsake.operation_id', %(operation_id)s, true), set_config('keepsake.actor', %(actor)s, true),
  set_config('keepsake.reason', %(reason)s, true), set_config('keepsake.why', '', true)

-- name: end_operation
-- Ends the operation: later changes of this transaction do not belong to it.
select set_config('keepsake.operation_id', '', true), set_config('keepsake.actor', '', true),
  set_config('keepsake.reason', '', true), set_config('keepsake.why', '', true)

-- name: increment_rates
-- Increments the rates of extractions of persons in this minute, under their rate locks, in the order of their ids; returns
-- the new values.
with rates as materialized (
  select t.user_id, t.turns, pg_advisory_xact_lock(hashtextextended('keepsake.rate:' || t.user_id::text, 0))
  from (
    select u.user_id, u.turns from unnest(%(user_ids)s::uuid[], %(turns)s::integer[]) as u (user_id, turns) order by 1
  ) as t
)
insert into keepsake.counters as c (user_id, name, period_start, value)
select r.user_id, 'extractions', date_trunc('minute', %(now)s::timestamptz), r.turns from rates as r
on conflict (user_id, name, period_start) do update set value = c.value + excluded.value
returning c.user_id, c.value
