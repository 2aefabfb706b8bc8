-- The edits of a person that wait for their screening, and the rejected ones that the next context mentions.

-- name: list_edits
-- The unscreened edits of a person with the memory as it is now, the newest first. Those of a deleted memory wait for it.
select e.memory_id, e.operation_id, m.memory_text, m.persona_id, m.memory_key is not null as has_key
from keepsake.unscreened_edits as e
join public.user_memory as m on m.user_id = e.user_id and m.id = e.memory_id
where e.user_id = %(user_id)s and e.rejection is null and m.status <> 'deleted'
order by e.edited_at desc, e.operation_id
limit 200

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
-- Removes the edits of a memory that passed the screening as it is now.
delete from keepsake.unscreened_edits as e
using public.user_memory as m
where e.user_id = %(user_id)s and e.memory_id = %(memory_id)s and e.rejection is null
  and m.user_id = e.user_id and m.id = e.memory_id and m.status <> 'deleted'
  and m.memory_text = %(memory_text)s and m.persona_id is not distinct from %(persona_id)s

-- name: store_derived_key
-- Gives an edited memory the key and the value of its text, unless another active memory of the same scope has the key.
-- They are derived: updated_at stays as the edit set it (raw_write), and the log as it is.
with raw_write as materialized (select set_config('keepsake.raw_write', 'on', true))
update public.user_memory as m set memory_key = %(key)s, value = %(value)s
from raw_write
where m.user_id = %(user_id)s and m.id = %(memory_id)s and m.memory_text = %(memory_text)s and m.memory_key is null
  and not exists (
    select from public.user_memory as o
    where o.user_id = m.user_id and o.profile_id = m.profile_id and o.persona_id is not distinct from m.persona_id
      and o.memory_key = %(key)s and o.status = 'active'
  )

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
