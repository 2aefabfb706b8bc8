-- The edits of a person that wait for their screening, and the rejected ones that the next context mentions.

-- name: list_edits
-- The unscreened edits of a person with the memory as it is now, the newest first. Those of a deleted memory wait for it.
select e.memory_id, e.operation_id, m.memory_text, m.persona_id, m.memory_key is not null as has_key
from keepsake.unscreened_edits as e
join public.user_memory as m on m.user_id = e.user_id and m.id = e.memory_id
where e.user_id = %(user_id)s and e.rejection is null and m.status <> 'deleted'
order by e.edited_at desc, e.operation_id
limit %(limit)s

-- name: list_with_keys
-- The active memories that have one of these keys.
select m.id from public.user_memory as m
where m.user_id = %(user_id)s and m.status = 'active' and m.memory_key = any(%(keys)s::text[])

-- name: reject_edit
-- Undoes one edit; the edits of the same memory before it stay listed.
select keepsake.reject_edit(%(user_id)s, e, %(rejection)s) as is_undone
from keepsake.unscreened_edits as e
join public.user_memory as m on m.user_id = e.user_id and m.id = e.memory_id
where e.user_id = %(user_id)s and e.memory_id = %(memory_id)s and e.operation_id = %(operation_id)s
  and e.rejection is null and m.status <> 'deleted' and m.memory_text = %(memory_text)s
  and m.persona_id is not distinct from %(persona_id)s
for update of e

-- name: note_rejection
-- Keeps the reason of a rejected edit until a context mentions it.
update keepsake.unscreened_edits as e set rejection = %(rejection)s
where e.user_id = %(user_id)s and e.memory_id = %(memory_id)s and e.operation_id = %(operation_id)s

-- name: accept_edits
-- Removes the edits of memories that passed the screening as they are now.
delete from keepsake.unscreened_edits as e
using unnest(%(memory_ids)s::uuid[], %(texts)s::text[], %(personas)s::text[]) as p (memory_id, memory_text, persona_id),
  public.user_memory as m
where e.user_id = %(user_id)s and e.memory_id = p.memory_id and e.rejection is null
  and m.user_id = e.user_id and m.id = e.memory_id and m.status <> 'deleted'
  and m.memory_text = p.memory_text and m.persona_id is not distinct from p.persona_id

-- name: store_keys
-- Gives edited memories the keys and the values of their texts. They are derived: updated_at stays as the edit set it
-- (raw_write), and the log as it is. Where several say something about one thing, the first has the key. Returns the active
-- ones whose key another has.
with raw_write as materialized (select set_config('keepsake.raw_write', 'on', true)),
passed as (
  select m.id, m.status, p.key, p.value, m.status = 'active' and (
      row_number() over (partition by m.profile_id, m.persona_id, m.status = 'active', p.key order by p.place) > 1
      or exists (
        select from public.user_memory as o
        where o.user_id = m.user_id and o.profile_id = m.profile_id and o.persona_id is not distinct from m.persona_id
          and o.memory_key = p.key and o.status = 'active'
      )
    ) as is_taken
  from unnest(%(memory_ids)s::uuid[], %(texts)s::text[], %(personas)s::text[], %(keys)s::text[], %(values)s::text[])
    with ordinality as p (memory_id, memory_text, persona_id, key, value, place)
  join public.user_memory as m on m.user_id = %(user_id)s and m.id = p.memory_id
  cross join raw_write
  where m.memory_text = p.memory_text and m.persona_id is not distinct from p.persona_id and m.memory_key is null
),
keyed as (
  update public.user_memory as m set memory_key = p.key, value = p.value
  from passed as p
  where m.user_id = %(user_id)s and m.id = p.id and not p.is_taken
)
select p.id from passed as p where p.is_taken

-- name: supersede_other
-- Supersedes the memory that has the key of an edited one.
update public.user_memory as o
set status = 'superseded', valid_to = greatest(%(now)s, o.valid_from), updated_at = %(now)s
from public.user_memory as m
where m.user_id = %(user_id)s and m.id = %(memory_id)s and o.user_id = m.user_id and o.profile_id = m.profile_id
  and o.persona_id is not distinct from m.persona_id and o.memory_key = %(key)s and o.status = 'active'
returning o.id

-- name: take_over_key
-- Gives an edited memory the key of the memory that it supersedes, and a pin with it: that belongs to the key.
update public.user_memory as m
set memory_key = %(key)s, value = %(value)s, pinned = m.pinned or o.pinned, importance = greatest(m.importance, o.importance),
  supersedes_id = case
    when exists (select from public.user_memory as n where n.user_id = m.user_id and n.supersedes_id = m.id) then m.supersedes_id
    else coalesce(m.supersedes_id, o.id) end
from public.user_memory as o
where m.user_id = %(user_id)s and m.id = %(memory_id)s and o.user_id = m.user_id and o.id = %(other_id)s

-- name: end_raw_write
-- Ends what store_derived_key set.
select set_config('keepsake.raw_write', '', true)

-- name: list_rejections
-- The rejected edits that no context has mentioned, by memory.
select 'M-' || m.memory_no as ref, min(e.rejection) as rejection
from keepsake.unscreened_edits as e
join public.user_memory as m on m.user_id = e.user_id and m.id = e.memory_id
where e.user_id = %(user_id)s and e.rejection is not null
group by m.memory_no
order by m.memory_no
limit 5

-- name: forget_rejections
-- Removes the rejected edits that a context has mentioned.
delete from keepsake.unscreened_edits as e where e.user_id = %(user_id)s and e.rejection is not null
