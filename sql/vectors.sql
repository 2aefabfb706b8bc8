-- Vectors of memories: which have none, who embeds them, and what came of it. What is like a message: selection.

-- name: is_kept
-- Whether this database can keep vectors at all.
select to_regclass('keepsake.memory_vectors') is not null as kept

-- name: standing
-- How the endpoint fares, what embedding cost today, and how long the model's vectors are, where that is known.
select c.opened_at, c.next_probe_at, c.paused_until,
  coalesce((select sum(d.input_tokens) from keepsake.model_days as d
    where d.day = %(day)s::date and d.purpose = 'embedding'), 0) as tokens_of_all,
  (select o.dimensions from keepsake.embedding_models as o where o.model = %(model)s) as dimensions
from (values (1)) as one (row)
left join keepsake.model_circuits as c on c.model = %(circuit)s

-- name: list_other_models
-- Take the vectors of other models away, a batch at a time, and put their memories on the list. Memories first, for
-- that is the order of whoever edits or deletes one; found by two stretches of the index, not by looking at all.
with others as materialized (
  select m.user_id, m.id
  from (
    (select v.user_id, v.memory_id from keepsake.memory_vectors as v where v.model < %(model)s limit %(limit)s)
    union all
    (select v.user_id, v.memory_id from keepsake.memory_vectors as v where v.model > %(model)s limit %(limit)s)
  ) as o
  join public.user_memory as m on m.user_id = o.user_id and m.id = o.memory_id
  order by m.user_id, m.id
  for key share of m skip locked
), listed as (
  insert into keepsake.memories_to_embed (user_id, memory_id)
  select o.user_id, o.id from others as o
  on conflict (user_id, memory_id) do nothing
  returning user_id, memory_id
)
delete from keepsake.memory_vectors as v
using listed as l
where v.user_id = l.user_id and v.memory_id = l.memory_id and v.model <> %(model)s
returning v.memory_id

-- name: try_again
-- What was given up with another model is due with this one.
update keepsake.memories_to_embed
set due_at = '-infinity', attempts = 0, model = null, reason = null
where due_at is null and model is distinct from %(model)s

-- name: claim
-- The next memories to embed, held until then, with their words; without, where the memory is not active any more.
with due as materialized (
  select e.user_id, e.memory_id
  from keepsake.memories_to_embed as e
  where e.due_at <= %(now)s
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

-- name: take_off
-- Take memories off the list that are not active, unless somebody is changing that.
with gone as materialized (
  select e.user_id, e.memory_id
  from keepsake.memories_to_embed as e
  join public.user_memory as m on m.user_id = e.user_id and m.id = e.memory_id
  where (e.user_id, e.memory_id) in (select * from unnest(%(people)s::uuid[], %(memories)s::uuid[]))
    and m.status <> 'active'
  for no key update of m skip locked for update of e skip locked
)
delete from keepsake.memories_to_embed as e
using gone as g
where e.user_id = g.user_id and e.memory_id = g.memory_id

-- name: note_dimensions
-- How long a model's vectors are: as long as the first was.
insert into keepsake.embedding_models (model, dimensions, since)
values (%(model)s, %(dimensions)s, %(now)s)
on conflict (model) do nothing

-- name: keep
-- Write vectors beside the memories that still say what was embedded, and take these off the list.
select kept from keepsake.keep_vectors(
  %(model)s, %(people)s::uuid[], %(memories)s::uuid[], %(texts)s::text[], %(vectors)s::text[]
) as kept

-- name: put_back
-- Give memories back that could not be embedded through no fault of their own; until then they wait.
update keepsake.memories_to_embed as e
set due_at = %(until)s, attempts = greatest(e.attempts - 1, 0)
from unnest(%(people)s::uuid[], %(memories)s::uuid[]) as g (user_id, memory_id)
where e.user_id = g.user_id and e.memory_id = g.memory_id and e.due_at = %(held_until)s

-- name: refuse
-- The endpoint will not embed these: try them alone later, and give them up after the last attempt.
update keepsake.memories_to_embed as e
set reason = %(reason)s, due_at = case when e.attempts >= %(most)s then null
  else %(now)s::timestamptz + %(backoff)s::interval * power(2, e.attempts - 1) end
from unnest(%(people)s::uuid[], %(memories)s::uuid[]) as g (user_id, memory_id)
where e.user_id = g.user_id and e.memory_id = g.memory_id and e.due_at = %(held_until)s

-- name: spend
-- What embedding cost, by day and model.
insert into keepsake.model_days as d (day, model, calls, input_tokens, purpose)
values (%(day)s::date, %(model)s, %(calls)s, %(tokens)s, 'embedding')
on conflict (day, model) do update
  set calls = d.calls + excluded.calls, input_tokens = d.input_tokens + excluded.input_tokens, purpose = 'embedding'
