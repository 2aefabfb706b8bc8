-- The circuit of a model opens when several calls in a row fail, whoever made them: so not every message waits for its own
-- deadline while the endpoint hangs or refuses.

alter table keepsake.model_circuits add column failures integer not null default 0;
comment on column keepsake.model_circuits.failures is 'Calls that failed one after another; any answer sets it to zero.';
