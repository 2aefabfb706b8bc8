-- Rolling summaries and spines may be written by a model: what wrote them, and which wait for the model.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

alter table public.user_memory_session_state
  add constraint user_memory_session_state_owner unique (user_id, id),
  add column generator text constraint user_memory_session_state_generator check (generator in ('rules', 'llm')),
  add column prompt_version text;
comment on column public.user_memory_session_state.generator is 'What wrote the rolling summary; null before the first.';

create table keepsake.waiting_states (
  user_id uuid not null,
  state_id uuid not null,
  model_failures integer not null default 0,
  bad_replies integer not null default 0,
  waiting_since timestamptz not null,
  primary key (user_id, state_id),
  constraint waiting_states_state foreign key (user_id, state_id)
    references public.user_memory_session_state (user_id, id) on delete cascade
);
comment on table keepsake.waiting_states is 'Since when the rolling summary of a persona waits for the model, and its failed calls since then.';
revoke all on keepsake.waiting_states from public, anon, authenticated;
grant select, insert, update, delete on keepsake.waiting_states to service_role;

select keepsake.disable_statistics('public.user_memory_session_state'::regclass, c.name)
from unnest(array['generator', 'prompt_version']) as c (name);
