-- How the language model fares: whether it may be called, and what it cost by day.

create table keepsake.model_circuits (
  model text primary key,
  opened_at timestamptz,
  reason text,
  next_probe_at timestamptz,
  paused_until timestamptz,
  next_call_at timestamptz,
  constraint model_circuits_probe check ((opened_at is null) = (next_probe_at is null))
);
comment on table keepsake.model_circuits is 'Whether a model may be called, for all processes alike: one row a model and endpoint.';
comment on column keepsake.model_circuits.opened_at is 'Since when the endpoint locks us out; while it does, one call a minute tries again.';
comment on column keepsake.model_circuits.paused_until is 'Until when the endpoint asked to be left alone.';
comment on column keepsake.model_circuits.next_call_at is 'The next free place where calls a minute are limited.';
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
comment on table keepsake.model_days is 'What a model cost in a day (UTC), all people together; a person''s own tokens are in counters.';
comment on column keepsake.model_days.purpose is 'What the tokens were for; each has a budget of its own.';
revoke all on keepsake.model_days from public, anon, authenticated;
grant select, insert, update, delete on keepsake.model_days to service_role;
