-- What `keepsake embed` and `keepsake doctor` ask about vectors.

-- name: are_vectors_available
-- Whether the database can store vectors.
select to_regclass('keepsake.memory_vectors') is not null as available

-- name: progress
-- How many memories have a vector of the model, wait for one, wait for another attempt, and were given up.
select (select count(*) from keepsake.memory_vectors where model = %(model)s) as done,
  (select count(*) from keepsake.memories_to_embed where due_at <= now())
    + (select count(*) from keepsake.memory_vectors where model <> %(model)s) as due,
  (select count(*) from keepsake.memories_to_embed where due_at > now()) as later,
  (select count(*) from keepsake.memories_to_embed where due_at is null) as given_up

-- name: stored_dimensions
-- How many dimensions the stored vectors of the model have.
select dimensions from keepsake.embedding_models where model = %(model)s

-- name: another_model
-- Another model of which vectors are stored; null if there is none.
select coalesce(
  (select v.model from keepsake.memory_vectors as v where v.model < %(model)s limit 1),
  (select v.model from keepsake.memory_vectors as v where v.model > %(model)s limit 1)
) as model

-- name: requeue_all
-- Delete the vectors of the model, queue all its memories again, and close the circuit of its endpoint.
with deleted as (
  delete from keepsake.memory_vectors where model = %(model)s returning user_id, memory_id
), queued as (
  insert into keepsake.memories_to_embed (user_id, memory_id) select user_id, memory_id from deleted
  on conflict (user_id, memory_id) do nothing
), forgotten as (
  delete from keepsake.embedding_models where model = %(model)s
), closed as (
  update keepsake.model_circuits set opened_at = null, reason = null, next_probe_at = null, paused_until = null
  where model = %(circuit)s
)
update keepsake.memories_to_embed set due_at = '-infinity', attempts = 0, reason = null where due_at is null

-- name: fallback_share
-- The share of the last week's contexts that were to use vectors and fell back to words, and their number.
select avg((i.vector_outcome <> 'used')::int)::float8 as share, count(*) as contexts
from keepsake.injections as i
where i.created_at > now() - interval '7 days' and i.vector_outcome is not null
