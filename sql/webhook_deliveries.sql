-- Webhook deliveries and their answers: a repeated delivery gets the first answer.

-- name: note_message
-- Reads the message that a delivery names, claims the delivery by its idempotency key and inserts the pending turn of what a
-- person said, all at once. A second delivery under the same key waits for the first and inserts nothing. With as much text
-- as a command may have, and whether the message was said before its author's consent in this conversation, or before an
-- erasure.
with message as materialized (
  select m.role::text as role, m.user_id, coalesce(left(m.content, 1501), '') as content,
    keepsake.message_time(m.created_at, %(now)s) as said_at
  from keepsake_chats.messages as m
  where m.id = %(message_id)s and m.conversation_id = %(conversation_id)s
),
delivery as (
  insert into keepsake.webhook_deliveries (webhook_id, status, outcome, received_at)
  select %(webhook_id)s::text, %(status)s, %(outcome)s, %(now)s from message where %(webhook_id)s::text is not null
  on conflict (webhook_id) do nothing
  returning webhook_id
),
turn as (
  insert into keepsake.extractions (id, conversation_id, source_message_id, user_id, created_at, next_attempt_at)
  select %(extraction_id)s, %(conversation_id)s, %(message_id)s, m.user_id, %(now)s, %(next_attempt_at)s
  from message as m
  where m.role = 'user' and m.user_id is not null
    and (%(webhook_id)s::text is null or exists (select from delivery))
  on conflict (user_id, source_message_id) do nothing
  returning id
)
select m.role, m.user_id, m.content, %(webhook_id)s::text is not null and not exists (select from delivery) as is_repeated,
  exists (select from turn) as is_queued,
  coalesce(m.said_at < greatest(keepsake.remembered_from(p.remember_since, m.said_at), s.erased_before), false) as is_before_consent
from message as m
left join keepsake_chats.conversations_participants as p
  on p.conversation_id = %(conversation_id)s and p.user_id = m.user_id
left join public.user_memory_settings as s on s.user_id = m.user_id

-- name: store_outcome
-- Stores the answer of a delivery.
update keepsake.webhook_deliveries set outcome = %(outcome)s where webhook_id = %(webhook_id)s

-- name: stored_outcome
-- The stored answer of a delivery.
select outcome from keepsake.webhook_deliveries where webhook_id = %(webhook_id)s
