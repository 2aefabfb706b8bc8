-- The circuit of a model endpoint, its rate slots, and its token usage.

-- name: endpoint_health
-- The circuit of the model, its usage today, and how often this turn waited for it.
select e.model_failures as failures, e.bad_replies, e.waiting_since, e.not_before,
  c.opened_at, c.next_probe_at, c.paused_until, coalesce(c.failures, 0) as endpoint_failures,
  coalesce(c.unusable_replies, 0) as unusable_replies, c.reason,
{tokens_of_today}
from keepsake.extractions as e
left join keepsake.model_circuits as c on c.model = %(model)s
where e.user_id = %(user_id)s and e.id = %(extraction_id)s

-- name: circuit_health
-- The circuit of the model and its usage today, for what is no turn.
select c.opened_at, c.next_probe_at, c.paused_until, coalesce(c.failures, 0) as endpoint_failures,
  coalesce(c.unusable_replies, 0) as unusable_replies, c.reason,
{tokens_of_today}
from (values (%(model)s::text)) as asked (model)
left join keepsake.model_circuits as c on c.model = asked.model

-- name: claim_probe
-- Claims this minute's probe of an open circuit; returns no row where another process has it.
update keepsake.model_circuits
set next_probe_at = %(next_probe_at)s
where model = %(model)s and next_probe_at <= %(now)s
returning model

-- name: reserve_slot
-- Reserves the next free time slot of a rate-limited model; returns no row where it is too late.
insert into keepsake.model_circuits as c (model, next_call_at)
values (%(model)s, %(now)s::timestamptz + %(spacing)s::interval)
on conflict (model) do update
  set next_call_at = greatest(coalesce(c.next_call_at, '-infinity'), %(now)s) + %(spacing)s::interval
  where coalesce(c.next_call_at, '-infinity') <= %(latest)s::timestamptz
returning next_call_at - %(spacing)s::interval as reserved_at

-- name: open_circuit
-- Opens the circuit: only one probe a minute is allowed.
insert into keepsake.model_circuits as c (model, opened_at, reason, next_probe_at)
values (%(model)s, %(now)s, %(reason)s, %(next_probe_at)s)
on conflict (model) do update
  set opened_at = coalesce(c.opened_at, excluded.opened_at), reason = excluded.reason,
    next_probe_at = greatest(c.next_probe_at, excluded.next_probe_at)

-- name: record_failure
-- Counts a failed call; the last allowed one in a row opens the circuit.
insert into keepsake.model_circuits as c (model, failures) values (%(model)s, 1)
on conflict (model) do update
  set failures = c.failures + 1,
    opened_at = case when c.failures + 1 >= %(max_failures)s then coalesce(c.opened_at, %(now)s) else c.opened_at end,
    reason = case when c.failures + 1 >= %(max_failures)s then %(reason)s else c.reason end,
    next_probe_at = case when c.failures + 1 >= %(max_failures)s then greatest(c.next_probe_at, %(next_probe_at)s)
      else c.next_probe_at end

-- name: record_bad_reply
-- Counts a reply that could not be used; the last allowed one in a row opens the circuit. True where it did.
insert into keepsake.model_circuits as c (model, unusable_replies) values (%(model)s, 1)
on conflict (model) do update
  set unusable_replies = c.unusable_replies + 1,
    opened_at = case when c.unusable_replies + 1 >= %(max_replies)s then coalesce(c.opened_at, %(now)s) else c.opened_at end,
    reason = case when c.unusable_replies + 1 >= %(max_replies)s then %(reason)s else c.reason end,
    next_probe_at = case when c.unusable_replies + 1 >= %(max_replies)s
      then greatest(c.next_probe_at, %(next_probe_at)s) else c.next_probe_at end
returning opened_at = %(now)s

-- name: pause_endpoint
-- Pauses calls until a moment, as the endpoint asked (Retry-After).
insert into keepsake.model_circuits as c (model, paused_until)
values (%(model)s, %(until)s)
on conflict (model) do update set paused_until = greatest(c.paused_until, excluded.paused_until)

-- name: close_circuit
-- Closes the circuit.
update keepsake.model_circuits
set opened_at = null, reason = null, next_probe_at = null, failures = 0, unusable_replies = 0
where model = %(model)s and (opened_at is not null or failures > 0 or unusable_replies > 0)

-- name: record_usage
-- Records token usage: by day and model, and by person where there is one.
with daily_total as (
  insert into keepsake.model_days as d (day, model, calls, input_tokens, output_tokens)
  values (%(day)s::date, %(model)s, %(calls)s, %(input)s, %(output)s)
  on conflict (day, model) do update
    set calls = d.calls + excluded.calls, input_tokens = d.input_tokens + excluded.input_tokens,
      output_tokens = d.output_tokens + excluded.output_tokens
)
insert into keepsake.counters as t (user_id, name, period_start, value)
select p.user_id, 'model_tokens', %(day_start)s::timestamptz, %(input)s::bigint + %(output)s::bigint - %(unusable)s::bigint
from (values (%(user_id)s::uuid)) as p (user_id) where p.user_id is not null
on conflict (user_id, name, period_start) do update set value = t.value + excluded.value
