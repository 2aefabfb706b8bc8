-- The circuit breaker of each model, shared by all processes, and its token usage by day.

create table keepsake.model_circuits (
  model text primary key,
  opened_at timestamptz,
  reason text,
  next_probe_at timestamptz,
  paused_until timestamptz,
  next_call_at timestamptz,
  constraint model_circuits_probe check ((opened_at is null) = (next_probe_at is null))
);
comment on table keepsake.model_circuits is 'Circuit breaker and rate limit, shared by all processes: one row a model and endpoint.';
comment on column keepsake.model_circuits.opened_at is 'Since when the circuit is open; while it is, one call a minute probes the endpoint.';
comment on column keepsake.model_circuits.paused_until is 'Until when no call is made, as the endpoint asked (Retry-After).';
comment on column keepsake.model_circuits.next_call_at is 'The next free time slot, where calls a minute are limited.';
revoke all on keepsake.model_circuits from public, anon, authenticated;
grant select, insert, update, delete on keepsake.model_circuits to service_role;

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
revoke all on keepsake.model_days from public, anon, authenticated;
grant select, insert, update, delete on keepsake.model_days to service_role;
