-- Sessions whose summary was written by rules and waits for the model.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create table keepsake.waiting_sessions (
  user_id uuid not null,
  session_id uuid not null,
  model_failures integer not null default 0,
  bad_replies integer not null default 0,
  waiting_since timestamptz not null,
  primary key (user_id, session_id),
  constraint waiting_sessions_session foreign key (user_id, session_id)
    references public.user_memory_sessions (user_id, id) on delete cascade
);
comment on table keepsake.waiting_sessions is 'Since when the summary of a session waits for the model, and its failed calls since then.';
revoke all on keepsake.waiting_sessions from public, anon, authenticated;
grant select, insert, update, delete on keepsake.waiting_sessions to service_role;
