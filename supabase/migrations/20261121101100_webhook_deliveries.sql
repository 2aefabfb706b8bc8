-- Webhook deliveries with their answers: the sender's id is the idempotency key.

create table keepsake.webhook_deliveries (
  webhook_id text primary key,
  status integer not null,
  outcome jsonb not null,
  received_at timestamptz not null default now()
);
create index webhook_deliveries_received on keepsake.webhook_deliveries (received_at);
comment on table keepsake.webhook_deliveries is 'Deliveries that were answered, with the answer: a repeated delivery gets the same one.';
revoke all on keepsake.webhook_deliveries from public, anon, authenticated;
grant select, insert, update, delete on keepsake.webhook_deliveries to service_role;
