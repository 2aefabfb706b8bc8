-- One row for each turn: (user_id, source_message_id), the author and the message, is the idempotency key of extraction, and
-- the claim token is a lease: only its holder may write. No row contains text. What nobody wrote has no row.

create table keepsake.extractions (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  conversation_id uuid not null,
  source_message_id uuid not null,
  status text not null default 'pending'
    constraint extractions_status check (status in ('pending', 'claimed', 'extracted', 'skipped', 'quarantined')),
  reason text,
  generator text constraint extractions_generator check (generator in ('llm', 'rules')),
  claim_token uuid,
  claimed_at timestamptz,
  attempts smallint not null default 0,
  next_attempt_at timestamptz,
  results jsonb not null default '[]' constraint extractions_results check (jsonb_typeof(results) = 'array'),
  dropped jsonb not null default '{}' constraint extractions_dropped check (jsonb_typeof(dropped) = 'object'),
  truncated boolean not null default false,
  operation_id uuid,
  model_failures smallint not null default 0,
  bad_replies smallint not null default 0,
  waiting_since timestamptz,
  not_before timestamptz,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  model text,
  profile_id uuid,
  said_at timestamptz,
  primary key (user_id, id),
  constraint extractions_once unique (user_id, source_message_id),
  constraint extractions_claim check (status <> 'claimed' or (claim_token is not null and claimed_at is not null)),
  constraint extractions_author foreign key (user_id, source_message_id)
    references keepsake_chats.messages (user_id, id) on delete cascade
);
create index extractions_said on keepsake.extractions (user_id, profile_id, said_at) where said_at is not null;
create index extractions_due on keepsake.extractions (next_attempt_at) where status in ('pending', 'claimed');
comment on table keepsake.extractions is 'The state of each turn: pending, claimed, extracted, skipped (with the rule) or quarantined. Ids and counts only.';
comment on column keepsake.extractions.said_at is 'When the message was said; with profile_id where summaries may be written from it.';
comment on index keepsake.extractions_said is 'Finds what a person said in a period.';
comment on column keepsake.extractions.results is '[{"memory_id", "action"}]: returned again when the turn is delivered twice.';
comment on column keepsake.extractions.dropped is 'How many candidates were refused, by reason.';
comment on column keepsake.extractions.claim_token is 'The holder of the claim; a write with another token is rejected.';
comment on column keepsake.extractions.model_failures is 'How often the model was unavailable for this turn.';
comment on column keepsake.extractions.bad_replies is 'How often its reply was invalid, the retry included.';
comment on column keepsake.extractions.waiting_since is 'Since when the turn waits for the model; after a day the rules extract it.';
comment on column keepsake.extractions.not_before is 'The model is not called for this turn before this moment.';
comment on column keepsake.extractions.model is 'The model that read the turn, with the version of its prompt; null where the rules did.';

alter table keepsake.extractions
  alter column results set statistics 0, alter column dropped set statistics 0;

grant select, insert, update, delete on keepsake.extractions to service_role;

-- The few turns that were quarantined or are in an unknown language are counted by index: `metrics` and `keepsake doctor`
-- read of the others only a sample, or nothing.

create index extractions_quarantined on keepsake.extractions (id) where status = 'quarantined';
comment on index keepsake.extractions_quarantined is 'Quarantined turns, which metrics count.';
create index extractions_unreadable on keepsake.extractions (finished_at) where reason = 'language';
comment on index keepsake.extractions_unreadable is 'Turns in a language that could not be read, which doctor counts.';

-- The results of an extraction stay: by them a turn of which a memory was forgotten or erased is left out of every later
-- summary of its conversation. Of old extractions only the counts of what was dropped are cleared.

create index extractions_with_drops on keepsake.extractions (finished_at) where dropped - 'erased' <> '{}'::jsonb;
comment on index keepsake.extractions_with_drops is 'Finished extractions that still count what was dropped, oldest first.';

-- The host application dates its messages. A date in the future counts as now, so that no message wins over those that are
-- sent after it; a date no calendar has (infinity, before Christ) counts as the nearest usable one.

create function keepsake.message_time(created_at timestamptz, now timestamptz) returns timestamptz
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return case when created_at is not null then greatest(least(created_at, now), timestamptz '1900-01-01 00:00:00+00') end;
end
$$;
comment on function keepsake.message_time(timestamptz, timestamptz) is 'When a message counts as sent: its date, but not after now, and not before 1900. In plpgsql, because a session caches its plan.';
grant execute on function keepsake.message_time(timestamptz, timestamptz) to service_role;

-- Webhook deliveries with their answers: the sender's id is the idempotency key.

create table keepsake.webhook_deliveries (
  webhook_id text primary key,
  status integer not null,
  outcome jsonb not null,
  received_at timestamptz not null default now()
);
create index webhook_deliveries_received on keepsake.webhook_deliveries (received_at);
comment on table keepsake.webhook_deliveries is 'Deliveries that were answered, with the answer: a repeated delivery gets the same one.';
alter table keepsake.webhook_deliveries
  alter column outcome set statistics 0;
grant select, insert, update, delete on keepsake.webhook_deliveries to service_role;
