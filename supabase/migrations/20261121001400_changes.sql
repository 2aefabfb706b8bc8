-- Every change to what is remembered, as it was before and after: the audit, and what undo works from.

create table keepsake.changes (
  operation_id uuid not null,
  seq bigint not null generated always as identity,
  user_id uuid not null references auth.users (id) on delete cascade,
  table_name text not null,
  row_id uuid not null,
  action text not null constraint changes_action check (action in ('insert', 'update', 'delete')),
  before jsonb,
  after jsonb,
  actor text not null,
  reason text,
  undone_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (operation_id, seq)
);
create index changes_of_row on keepsake.changes (user_id, table_name, row_id, seq);
create index changes_created on keepsake.changes (created_at);
comment on table keepsake.changes is 'What every operation changed, row by row; kept 30 days for undo.';
comment on column keepsake.changes.actor is 'rules, llm, user, cron, agent, service or system.';
comment on column keepsake.changes.undone_at is 'When the operation was undone.';

revoke all on keepsake.changes from public, anon, authenticated;
grant select, insert, update, delete on keepsake.changes to service_role;
