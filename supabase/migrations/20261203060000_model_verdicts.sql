-- A model whose replies cannot be used is set aside, and what a model is worth is known for an endpoint and a prompt.

alter table keepsake.model_circuits add column unusable_replies integer not null default 0;
comment on column keepsake.model_circuits.unusable_replies is
  'Replies in a row that could not be used; after several the circuit opens. A usable one sets it to zero.';

create table keepsake.model_verdicts (
  model text primary key,
  verdict text not null constraint model_verdicts_verdict check (verdict in ('good', 'usable', 'rules')),
  prompt_version text not null,
  judged_at timestamptz not null,
  figures jsonb not null default '{}' constraint model_verdicts_figures check (jsonb_typeof(figures) = 'object')
);
comment on table keepsake.model_verdicts is
  'What keepsake check-model found out about a model at an endpoint; it holds for the version of the prompt it was made with.';
comment on column keepsake.model_verdicts.model is 'The model and its endpoint, as in model_circuits.';
comment on column keepsake.model_verdicts.figures is 'The figures behind the verdict; no text of a message.';
revoke all on keepsake.model_verdicts from public, anon, authenticated;
grant select, insert, update, delete on keepsake.model_verdicts to service_role;
