-- The record of chat commands, one a message: (user_id, message_id) is the idempotency key. Ids and counts, no text.

create table keepsake.commands (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  conversation_id uuid,
  message_id uuid,
  text_hash bytea not null,
  kind text not null constraint commands_kind check (kind in ('recall_all', 'recall_subject', 'forget_last',
    'forget_subject', 'forget_all', 'do_not_remember', 'remember', 'undo_last', 'accept_request', 'reject_request',
    'agent_forget', 'agent_deactivate')),
  status text not null,
  outcome jsonb not null default '{}' constraint commands_outcome check (jsonb_typeof(outcome) = 'object'),
  operation_id uuid,
  shown_in_context boolean not null default false,
  said_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint commands_somewhere check (conversation_id is not null or kind in ('agent_forget', 'agent_deactivate')),
  constraint commands_once unique (user_id, message_id),
  constraint commands_conversation foreign key (conversation_id, user_id)
    references public.conversations_participants (conversation_id, user_id) on delete cascade,
  constraint commands_message foreign key (user_id, message_id) references public.messages (user_id, id) on delete cascade
);
create index commands_newest on keepsake.commands (conversation_id, user_id, said_at desc);
create index commands_created on keepsake.commands (created_at);
create index commands_requests on keepsake.commands (user_id, created_at)
  where kind in ('agent_forget', 'agent_deactivate');
comment on table keepsake.commands is 'The chat commands that were run, with their outcome (a message is run once), and the requests of agents that only the person may answer.';
comment on column keepsake.commands.conversation_id is 'The conversation of the message; for a request of an agent the one whose context showed it, if any.';
comment on column keepsake.commands.message_id is 'Null until the message is saved; then the message with the same text hash takes over the row.';
comment on column keepsake.commands.text_hash is 'Identifies a message that was not yet saved when its command was run.';
comment on column keepsake.commands.outcome is 'Ids and counts: what was forgotten, remembered or restored.';
comment on column keepsake.commands.shown_in_context is 'Whether a context contained the outcome, or the request.';
comment on column keepsake.commands.said_at is 'When the message was written; it refers to what was said before.';

revoke all on keepsake.commands from public, anon, authenticated;
grant select, insert, update, delete on keepsake.commands to service_role;
