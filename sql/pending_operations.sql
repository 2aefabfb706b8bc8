-- The requests of agents to forget memories of the person: recorded, shown and answered.

-- name: record_request
-- Records a request once while it is pending (idempotency key: its digest).
with known as (
  select c.id from keepsake.commands as c
  where c.user_id = %(user_id)s and c.kind = %(kind)s and c.status = 'pending' and c.text_hash = %(digest)s
    and c.created_at > %(now)s::timestamptz - interval '24 hours'
  limit 1
),
new as (
  insert into keepsake.commands (user_id, text_hash, kind, status, outcome, said_at, created_at)
  select %(user_id)s, %(digest)s, %(kind)s, 'pending', jsonb_build_object('memory_ids', %(memory_ids)s::text[]),
    %(now)s, %(now)s
  where not exists (select from known) and %(max_pending)s > (
    select count(*) from keepsake.commands as c
    where c.user_id = %(user_id)s and c.kind in ('agent_forget', 'agent_deactivate') and c.status = 'pending'
      and c.created_at > %(now)s::timestamptz - interval '24 hours'
  )
  returning id
)
select id from known union all select id from new

-- name: requests_to_show
-- The pending requests that this conversation may show now: not shown here yet, or shown a moment ago.
select c.id, c.kind, c.outcome from keepsake.commands as c
where c.user_id = %(user_id)s and c.kind in ('agent_forget', 'agent_deactivate') and c.status = 'pending'
  and c.created_at > %(now)s::timestamptz - interval '24 hours'
  and (not c.shown_in_context or c.conversation_id is distinct from %(conversation_id)s::uuid
    or c.said_at > %(now)s::timestamptz - interval '10 minutes')
order by c.created_at
limit 20

-- name: mark_shown
-- Notes that a context showed the request with this message, which has no id until it is saved.
update keepsake.commands
set shown_in_context = true, conversation_id = %(conversation_id)s, said_at = %(said_at)s,
  outcome = (outcome - 'shown_with') || jsonb_strip_nulls(jsonb_build_object('shown_with', %(message_id)s::text))
where user_id = %(user_id)s and id = %(id)s and status = 'pending'

-- name: request_to_answer
-- The request that the previous context showed here; none where the person wrote something else since.
select c.id, c.kind, c.outcome from keepsake.commands as c
where c.user_id = %(user_id)s and c.conversation_id = %(conversation_id)s and c.shown_in_context
  and c.kind in ('agent_forget', 'agent_deactivate') and c.status = 'pending'
  and c.created_at > %(now)s::timestamptz - interval '24 hours' and c.said_at < %(said_at)s
  and (
    select count(*) from keepsake_chats.messages as m
    where m.conversation_id = c.conversation_id and m.user_id = c.user_id and m.role = 'user'
      and m.created_at > c.said_at and m.created_at < %(said_at)s
      and m.id::text is distinct from c.outcome ->> 'shown_with' and m.id is distinct from %(message_id)s
  ) <= case when c.outcome ? 'shown_with' then 0 else 1 end
order by c.said_at desc
limit 1

-- name: resolve
-- Runs or cancels a request.
select keepsake.resolve_pending_operation(%(user_id)s, %(id)s, %(accepted)s, %(now)s) as resolved
