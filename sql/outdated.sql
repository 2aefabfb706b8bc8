-- Doubt of memories that a later text overtook, as a model said that saw them together.

-- name: find_evidence
-- A memory that may be doubted, and by which message and memories of the person it is known that it holds no more. None for what is pinned, confirmed, edited, restored or written by the person, for what was doubted before
-- and came back, and where nothing of it was said by the person, later.
with shown as (
  select coalesce(e.restated_at, e.valid_from) as said_at, e.source_message_id as message_id, e.memory_no
  from public.user_memory as e
  where e.user_id = %(user_id)s and e.profile_id = %(profile_id)s and e.id = any(%(memory_ids)s::uuid[])
    and e.status = 'active' and e.source in ('llm_extraction', 'rule_extraction')
  union all
  select t.created_at, t.id, null from keepsake_chats.messages as t
  where t.user_id = %(user_id)s and t.id = any(%(message_ids)s::uuid[]) and t.role = 'user'
)
select m.memory_no,
  (array_agg(s.message_id order by s.said_at desc) filter (where s.message_id is not null))[1] as message_id,
  coalesce(array_agg(distinct s.memory_no) filter (where s.memory_no is not null), '{}') as shown_by
from public.user_memory as m join shown as s on s.said_at > coalesce(m.restated_at, m.valid_from)
where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.id = %(id)s and m.status = 'active'
  and m.doubted_at is null and not m.pinned and m.confidence_score < 1.0
  and m.source in ('llm_extraction', 'rule_extraction')
  and not exists (
    select from keepsake.changes as c
    where c.user_id = m.user_id and c.table_name = 'user_memory' and c.row_id = m.id and c.action = 'update'
      and (c.actor = 'user' or c.undone_at is not null and c.reason like '%% may no longer hold %%')
  )
group by m.memory_no

-- name: doubt
-- Marks a memory as doubted from now on: a context that was merged before shows by that that it is outdated.
{under_operation}
update public.user_memory
set doubted_at = %(now)s, updated_at = %(now)s
from operation
where user_id = %(user_id)s and id = %(id)s and status = 'active'
