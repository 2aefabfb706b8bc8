-- One row for each turn: (conversation_id, source_message_id) is the idempotency key of extraction, and the claim token
-- is a lease: only its holder may write. No row contains text.

create table keepsake.extractions (
  id uuid primary key default gen_random_uuid(),
  conversation_id uuid not null,
  source_message_id uuid not null,
  user_id uuid references auth.users (id) on delete cascade,
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
  constraint extractions_once unique (conversation_id, source_message_id),
  constraint extractions_claim check (status <> 'claimed' or (claim_token is not null and claimed_at is not null)),
  constraint extractions_message foreign key (conversation_id, source_message_id)
    references public.messages (conversation_id, id) on delete cascade,
  constraint extractions_author foreign key (user_id, source_message_id)
    references public.messages (user_id, id) on delete cascade
);
create index extractions_author on keepsake.extractions (user_id, source_message_id);
create index extractions_due on keepsake.extractions (next_attempt_at) where status in ('pending', 'claimed');
comment on table keepsake.extractions is 'The state of each turn: pending, claimed, extracted, skipped (with the rule) or quarantined. Ids and counts only.';
comment on column keepsake.extractions.results is '[{"memory_id", "action"}]: returned again when the turn is delivered twice.';
comment on column keepsake.extractions.dropped is 'How many candidates were refused, by reason.';
comment on column keepsake.extractions.claim_token is 'The holder of the claim; a write with another token is rejected.';
comment on column keepsake.extractions.model_failures is 'How often the model was unavailable for this turn.';
comment on column keepsake.extractions.bad_replies is 'How often its reply was invalid, the retry included.';
comment on column keepsake.extractions.waiting_since is 'Since when the turn waits for the model; after a day the rules extract it.';
comment on column keepsake.extractions.not_before is 'The model is not called for this turn before this moment.';

revoke all on keepsake.extractions from public, anon, authenticated;
grant select, insert, update, delete on keepsake.extractions to service_role;
