-- The embedding queue and the vectors of memories. Vector search is in context_candidates.sql.

-- name: vectors_available
-- Whether this database has a table for vectors (pgvector).
select to_regclass('keepsake.memory_vectors') is not null as available

-- name: endpoint_health
-- The circuit of the endpoint, its usage today, and the vector length of the model, where known.
select c.opened_at, c.next_probe_at, c.paused_until,
  coalesce((select sum(d.input_tokens) from keepsake.model_days as d
    where d.day = %(day)s::date and d.purpose = 'embedding'), 0)::bigint as tokens_of_all,
  (select o.dimensions from keepsake.embedding_models as o where o.model = %(model)s) as dimensions,
  exists (
    select from keepsake.embedding_models as o where o.model = %(model)s and o.unrelated_mean is not null
  ) as is_calibrated
from (values (1)) as one (row)
left join keepsake.model_circuits as c on c.model = %(circuit)s

-- name: requeue_vectors_of_other_models
-- Deletes a batch of vectors of other models and queues their memories. It locks the memories first, as an edit does
-- (lock order), and reads two ranges of the index instead of the whole table.
with outdated as materialized (
  select m.user_id, m.id
  from (
    (select v.user_id, v.memory_id from keepsake.memory_vectors as v where v.model < %(model)s limit %(limit)s)
    union all
    (select v.user_id, v.memory_id from keepsake.memory_vectors as v where v.model > %(model)s limit %(limit)s)
  ) as o
  join public.user_memory as m on m.user_id = o.user_id and m.id = o.memory_id
  order by m.user_id, m.id
  for key share of m skip locked
), queued as (
  insert into keepsake.memories_to_embed (user_id, memory_id)
  select o.user_id, o.id from outdated as o
  on conflict (user_id, memory_id) do nothing
  returning user_id, memory_id
)
delete from keepsake.memory_vectors as v
using queued as l
where v.user_id = l.user_id and v.memory_id = l.memory_id and v.model <> %(model)s
returning v.memory_id

-- name: retry_abandoned
-- Requeues memories that were given up with another model.
update keepsake.memories_to_embed
set due_at = '-infinity', attempts = 0, model = null, reason = null
where due_at is null and model is distinct from %(model)s

-- name: people_with_unscreened_edits
-- People of whom a memory is to be embedded that they edited and that was not screened yet.
select distinct e.user_id
from keepsake.unscreened_edits as u
join keepsake.memories_to_embed as e on e.user_id = u.user_id and e.memory_id = u.memory_id
join public.user_memory as m on m.user_id = u.user_id and m.id = u.memory_id
where u.rejection is null and e.due_at <= %(now)s and m.status = 'active'
limit %(limit)s

-- name: claim
-- Claims the next memories to embed until a moment (lease), with their text; null where a memory is no longer active. What
-- its person edited since stays in the queue until it is screened.
with due as materialized (
  select e.user_id, e.memory_id
  from keepsake.memories_to_embed as e
  where e.due_at <= %(now)s and not exists (
    select from keepsake.unscreened_edits as u
    where u.user_id = e.user_id and u.memory_id = e.memory_id and u.rejection is null
  )
  order by e.due_at
  limit %(limit)s
  for update skip locked
)
update keepsake.memories_to_embed as e
set due_at = %(until)s, model = %(model)s,
  attempts = case when e.model is not distinct from %(model)s then e.attempts + 1 else 1 end
from due as d
where e.user_id = d.user_id and e.memory_id = d.memory_id
returning e.user_id, e.memory_id, e.attempts, e.reason, (
  select m.memory_text from public.user_memory as m
  where m.user_id = d.user_id and m.id = d.memory_id and m.status = 'active'
) as memory_text

-- name: dequeue
-- Removes inactive memories from the queue; locked rows are skipped.
with inactive as materialized (
  select e.user_id, e.memory_id
  from keepsake.memories_to_embed as e
  join public.user_memory as m on m.user_id = e.user_id and m.id = e.memory_id
  where (e.user_id, e.memory_id) in (select * from unnest(%(people)s::uuid[], %(memories)s::uuid[]))
    and m.status <> 'active'
  for no key update of m skip locked for update of e skip locked
)
delete from keepsake.memories_to_embed as e
using inactive as g
where e.user_id = g.user_id and e.memory_id = g.memory_id

-- name: record_dimensions
-- Records the vector length of a model: that of its first vector.
insert into keepsake.embedding_models (model, dimensions, since)
values (%(model)s, %(dimensions)s, %(now)s)
on conflict (model) do nothing

-- name: record_calibration
-- Records how similar the model finds unrelated texts.
update keepsake.embedding_models
set unrelated_mean = %(mean)s, unrelated_deviation = %(deviation)s
where model = %(model)s and unrelated_mean is null

-- name: store_vectors
-- Stores the vectors of memories whose text is unchanged, and removes these from the queue.
select memory_id from keepsake.store_vectors(
  %(model)s, %(people)s::uuid[], %(memories)s::uuid[], %(texts)s::text[], %(vectors)s::text[]
) as memory_id

-- name: release
-- Releases memories whose attempt failed for a reason outside them: due again later, and the attempt does not count.
update keepsake.memories_to_embed as e
set due_at = %(until)s, attempts = greatest(e.attempts - 1, 0)
from unnest(%(people)s::uuid[], %(memories)s::uuid[]) as g (user_id, memory_id)
where e.user_id = g.user_id and e.memory_id = g.memory_id and e.due_at = %(held_until)s

-- name: postpone_rejected
-- Postpones memories that the endpoint rejected, with exponential backoff; gives them up after the last attempt.
update keepsake.memories_to_embed as e
set reason = %(reason)s, due_at = case when e.attempts >= %(max_attempts)s then null
  else %(now)s::timestamptz + %(backoff)s::interval * power(2, e.attempts - 1) end
from unnest(%(people)s::uuid[], %(memories)s::uuid[]) as g (user_id, memory_id)
where e.user_id = g.user_id and e.memory_id = g.memory_id and e.due_at = %(held_until)s

-- name: record_usage
-- Records token usage of embedding, by day and model.
insert into keepsake.model_days as d (day, model, calls, input_tokens, purpose)
values (%(day)s::date, %(model)s, %(calls)s, %(tokens)s, 'embedding')
on conflict (day, model) do update
  set calls = d.calls + excluded.calls, input_tokens = d.input_tokens + excluded.input_tokens, purpose = 'embedding'
