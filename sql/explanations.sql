-- What is kept of how a message was read, and of what was done to a memory.

-- name: find_message
-- The conversation, the author and the date of a message, and the author's time zone.
select m.conversation_id, m.user_id, m.created_at, (
    select p.timezone from keepsake_chats.user_profile_list as p where p.user_id = m.user_id and p.is_primary limit 1
  ) as timezone
from keepsake_chats.messages as m where m.id = %(message_id)s

-- name: kept_turn
-- What is kept of the extraction of a message.
select e.status, e.reason, e.generator, e.model, e.dropped, e.truncated, e.operation_id, e.attempts, e.model_failures,
  e.bad_replies, e.created_at, e.next_attempt_at, e.finished_at
from keepsake.extractions as e
where e.user_id = (
    select m.user_id from keepsake_chats.messages as m where m.id = %(message_id)s and m.conversation_id = %(conversation_id)s
  ) and e.source_message_id = %(message_id)s

-- name: changes_of_operation
-- What an operation did to memories, in order; what was forgotten or erased since has no text.
select
{change_columns}
from keepsake.changes as c
left join public.user_memory as m on m.user_id = c.user_id and m.id = c.row_id
where c.user_id = %(user_id)s and c.operation_id = %(operation_id)s and c.table_name = 'user_memory'
order by c.seq

-- name: find_memory
-- A memory by its id, or by its number among those of a person, with the words of its message.
select m.id, m.user_id, m.memory_no, m.memory_type::text as type, m.memory_text as text, m.status, m.source,
  m.source_quote as quote, m.confidence_score as confidence, m.conversation_id, m.source_message_id, m.created_at,
  m.valid_from, m.restated_at, m.valid_to, m.doubted_at, m.deleted_at, m.expires_at, m.period, m.reference_count,
  s.created_at as said_at, s.content as said, p.timezone, (
    select max(i.created_at) from keepsake.injections as i where i.user_id = m.user_id and m.id = any(i.memory_ids)
  ) as shown_at
from public.user_memory as m
left join keepsake_chats.messages as s on s.id = m.source_message_id
left join keepsake_chats.user_profile_list as p on p.id = m.profile_id
where m.id = %(id)s or (m.user_id = %(user_id)s and m.memory_no = %(number)s)

-- name: changes_of_memory
-- What was done to a memory, in order; by which message, and what took its place.
select
{change_columns},
  said.message_id, said.created_at as said_at, said.content as said, newer.memory_no as newer_no, newer.memory_text as newer_text,
  newer.is_removed as newer_is_removed
from keepsake.changes as c
left join public.user_memory as m on m.user_id = c.user_id and m.id = c.row_id
left join lateral (
  select t.id as message_id, t.created_at, t.content
  from keepsake_chats.messages as t
  where t.user_id = c.user_id and t.id in (
    select e.source_message_id from keepsake.extractions as e where e.user_id = c.user_id and e.operation_id = c.operation_id
    union all
    select o.message_id from keepsake.commands as o where o.user_id = c.user_id and o.operation_id = c.operation_id
    union all
    select substring(c.reason from '^M-\d+ may no longer hold .*message ([0-9a-f-]{36})$')::uuid
  )
  order by t.created_at limit 1
) as said on true
left join lateral (
  select (i.after ->> 'memory_no')::bigint as memory_no, coalesce(n.memory_text, i.after ->> 'memory_text') as memory_text,
    n.id is null as is_removed
  from keepsake.changes as i
  left join public.user_memory as n on n.user_id = i.user_id and n.id = i.row_id
  where i.user_id = c.user_id and i.operation_id = c.operation_id and i.table_name = 'user_memory' and i.action = 'insert'
    and i.after ->> 'supersedes_id' = c.row_id::text and n.status is distinct from 'deleted'
  limit 1
) as newer on c.action = 'update'
where c.user_id = %(user_id)s and c.table_name = 'user_memory' and c.row_id = %(id)s
order by c.seq

-- name: texts_of_memories
-- The texts of memories of a person by their numbers; without those that are forgotten.
select m.memory_no, m.memory_text
from public.user_memory as m
where m.user_id = %(user_id)s and m.memory_no = any(%(numbers)s::bigint[]) and m.status <> 'deleted'
