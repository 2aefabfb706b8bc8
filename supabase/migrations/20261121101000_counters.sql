-- Counters a person has, and the webhook deliveries already answered.

create table keepsake.counters (
  user_id uuid not null references auth.users (id) on delete cascade,
  name text not null,
  period_start timestamptz not null default '-infinity',
  value bigint not null default 0,
  primary key (user_id, name, period_start)
);
create index counters_period on keepsake.counters (period_start);
comment on table keepsake.counters is 'Running numbers and rates by person; period_start is -infinity for what never starts over.';
revoke all on keepsake.counters from public, anon, authenticated;
grant select, insert, update, delete on keepsake.counters to service_role;

create table keepsake.webhooks_seen (
  webhook_id text primary key,
  status integer not null,
  outcome jsonb not null,
  received_at timestamptz not null default now()
);
create index webhooks_seen_received on keepsake.webhooks_seen (received_at);
comment on table keepsake.webhooks_seen is 'Deliveries already answered, with the answer, so that a second one gets the same.';
revoke all on keepsake.webhooks_seen from public, anon, authenticated;
grant select, insert, update, delete on keepsake.webhooks_seen to service_role;
