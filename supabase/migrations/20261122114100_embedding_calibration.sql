-- How similar texts are to each other that have nothing in common, for each embedding model: some models give them .05,
-- others .75. And whether a context could compare vectors.

alter table keepsake.embedding_models
  add column unrelated_mean real,
  add column unrelated_deviation real constraint embedding_models_deviation check (unrelated_deviation > 0);
comment on column keepsake.embedding_models.unrelated_mean is 'The mean similarity of unrelated texts; null until measured: then words alone decide what is relevant.';
comment on column keepsake.embedding_models.unrelated_deviation is 'Its standard deviation.';

alter table keepsake.injections
  add column vector_outcome text constraint injections_vector_outcome check (vector_outcome in ('used', 'deadline', 'unavailable'));
comment on column keepsake.injections.vector_outcome is 'Whether the message was compared by its vector, or why not; null where vectors are off or no memories were searched for.';
