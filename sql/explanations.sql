-- What is kept of how a message was read, and of what was done to a memory.

-- name: find_message
-- The conversation, the author and the date of a message.
select m.conversation_id, m.user_id, m.role::text as role, m.created_at
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
-- A memory by its id, or by its number among those of a person.
select m.id, m.user_id, m.memory_no, m.memory_type::text as type, m.memory_text as text, m.status, m.source,
  m.source_quote as quote, m.confidence_score as confidence, m.conversation_id, m.source_message_id, m.created_at,
  m.valid_from, m.restated_at, m.valid_to, m.doubted_at, m.expires_at, m.period, m.reference_count
from public.user_memory as m
where m.id = %(id)s or (m.user_id = %(user_id)s and m.memory_no = %(number)s)

-- name: changes_of_memory
-- What was done to a memory, in order.
select
{change_columns}
from keepsake.changes as c
left join public.user_memory as m on m.user_id = c.user_id and m.id = c.row_id
where c.user_id = %(user_id)s and c.table_name = 'user_memory' and c.row_id = %(id)s
order by c.seq
