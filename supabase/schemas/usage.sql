-- The circuit breaker of each model, shared by all processes, and its token usage by day. The circuit opens when several
-- calls in a row fail, whoever made them: so not every message waits for its own deadline while the endpoint hangs.

create table keepsake.model_circuits (
  model text primary key,
  opened_at timestamptz,
  reason text,
  next_probe_at timestamptz,
  paused_until timestamptz,
  next_call_at timestamptz,
  failures integer not null default 0,
  unusable_replies integer not null default 0,
  constraint model_circuits_probe check ((opened_at is null) = (next_probe_at is null))
);
comment on table keepsake.model_circuits is 'Circuit breaker and rate limit, shared by all processes: one row a model and endpoint.';
comment on column keepsake.model_circuits.opened_at is 'Since when the circuit is open; while it is, one call a minute probes the endpoint.';
comment on column keepsake.model_circuits.paused_until is 'Until when no call is made, as the endpoint asked (Retry-After).';
comment on column keepsake.model_circuits.next_call_at is 'The next free time slot, where calls a minute are limited.';
comment on column keepsake.model_circuits.failures is 'Calls that failed one after another; any answer sets it to zero.';
comment on column keepsake.model_circuits.unusable_replies is 'Replies in a row that could not be used; several open the circuit, a usable one sets it to zero.';
grant select, insert, update, delete on keepsake.model_circuits to service_role;

create table keepsake.model_profiles (
  model text primary key,
  refused text[] not null default '{}',
  schema_mode text not null constraint model_profiles_mode check (schema_mode in ('json_schema', 'json_object', 'prompt')),
  learnt_at timestamptz not null
);
comment on table keepsake.model_profiles is 'What an endpoint takes in a request for a model, as its answers showed; it is tried again after a day.';
comment on column keepsake.model_profiles.model is 'The model and its endpoint, as in model_circuits.';
comment on column keepsake.model_profiles.refused is 'The options that are left out.';
grant select, insert, update, delete on keepsake.model_profiles to service_role;

create table keepsake.model_verdicts (
  model text primary key,
  verdict text not null constraint model_verdicts_verdict check (verdict in ('good', 'usable', 'rules')),
  prompt_version text not null,
  checked_at timestamptz not null,
  figures jsonb not null default '{}' constraint model_verdicts_figures check (jsonb_typeof(figures) = 'object')
);
comment on table keepsake.model_verdicts is 'What a trial found out about a model at an endpoint, for one version of the prompt.';
comment on column keepsake.model_verdicts.model is 'The model and its endpoint, as in model_circuits.';
comment on column keepsake.model_verdicts.figures is 'The figures behind the verdict; no text of a message.';
grant select, insert, update, delete on keepsake.model_verdicts to service_role;

create table keepsake.model_trials (
  model text not null,
  prompt_version text not null,
  began_at timestamptz,
  results jsonb not null default '[]' constraint model_trials_results check (jsonb_typeof(results) = 'array'),
  failures integer not null default 0,
  failure text,
  free_at timestamptz not null,
  queue_at timestamptz not null,
  primary key (model, prompt_version)
);
comment on table keepsake.model_trials is 'The trial of a model with a version of the prompt that goes on in the background, turn by turn; its end is a row of model_verdicts.';
comment on column keepsake.model_trials.model is 'The model and its endpoint, as in model_circuits.';
comment on column keepsake.model_trials.results is 'What was made of each fixed turn so far, with its message; no text of a person.';
comment on column keepsake.model_trials.failures is 'Attempts that failed, or have not ended, one after another; the lease and the wait grow with them.';
comment on column keepsake.model_trials.failure is 'Why the last attempt failed; null if it did not.';
comment on column keepsake.model_trials.free_at is 'When the next turn may be asked: the end of the lease of a worker, or of a wait.';
comment on column keepsake.model_trials.queue_at is 'When a job is queued again, if none has come this far.';
grant select, insert, update, delete on keepsake.model_trials to service_role;

create table keepsake.model_days (
  day date not null,
  model text not null,
  calls bigint not null default 0,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  purpose text not null default 'chat' constraint model_days_purpose check (purpose in ('chat', 'embedding')),
  primary key (day, model)
);
comment on table keepsake.model_days is 'Token usage of a model by day (UTC), all people together; usage by person is in counters.';
comment on column keepsake.model_days.purpose is 'chat or embedding: each has its own budget.';
grant select, insert, update, delete on keepsake.model_days to service_role;

-- What each person's chats make per day (UTC): messages looked at and memories made of them, contexts and tokens. It is a
-- view of the records that exist, so it costs nothing to keep, and an erasure removes a person from it.

create view keepsake.volume_by_day with (security_invoker = true) as
select v.user_id, v.day, sum(v.turns)::bigint as turns, sum(v.extracted)::bigint as extracted,
  sum(v.memories)::bigint as memories, sum(v.contexts)::bigint as contexts, sum(v.tokens)::bigint as tokens
from (
  select e.user_id, (e.finished_at at time zone 'UTC')::date as day, 1 as turns, (e.status = 'extracted')::integer as extracted,
    0 as memories, 0 as contexts, 0 as tokens
  from keepsake.extractions as e where e.finished_at is not null
  union all
  select m.user_id, (m.created_at at time zone 'UTC')::date, 0, 0, 1, 0, 0 from public.user_memory as m
  union all
  select i.user_id, (i.created_at at time zone 'UTC')::date, 0, 0, 0, 1, coalesce(i.token_count, 0)
  from keepsake.injections as i
) as v
group by v.user_id, v.day;
comment on view keepsake.volume_by_day is 'Messages, memories and contexts by person and day.';
grant select on keepsake.volume_by_day to service_role;
