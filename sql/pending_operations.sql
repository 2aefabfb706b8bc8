-- What agents ask to have forgotten of what is the person's own: kept, shown, and answered by the person.

-- name: ask
-- Keep what an agent asks for, once while it is pending.
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
  where not exists (select from known) and %(most)s > (
    select count(*) from keepsake.commands as c
    where c.user_id = %(user_id)s and c.kind in ('agent_forget', 'agent_deactivate') and c.status = 'pending'
      and c.created_at > %(now)s::timestamptz - interval '24 hours'
  )
  returning id
)
select id from known union all select id from new

-- name: to_show
-- What is pending and may be asked in this conversation now: what has not been shown here, or was a moment ago.
select c.id, c.kind, c.outcome from keepsake.commands as c
where c.user_id = %(user_id)s and c.kind in ('agent_forget', 'agent_deactivate') and c.status = 'pending'
  and c.created_at > %(now)s::timestamptz - interval '24 hours'
  and (not c.told or c.conversation_id is distinct from %(conversation_id)s::uuid
    or c.said_at > %(now)s::timestamptz - interval '10 minutes')
order by c.created_at
limit 20

-- name: mark_shown
-- A context asks the person here, with this message; without an id it is about to be saved.
update keepsake.commands
set told = true, conversation_id = %(conversation_id)s, said_at = %(said_at)s,
  outcome = (outcome - 'shown_with') || jsonb_strip_nulls(jsonb_build_object('shown_with', %(message_id)s::text))
where user_id = %(user_id)s and id = %(id)s and status = 'pending'

-- name: to_answer
-- What the context before this message asked the person here; nothing where they have said something else since.
select c.id, c.kind, c.outcome from keepsake.commands as c
where c.user_id = %(user_id)s and c.conversation_id = %(conversation_id)s and c.told
  and c.kind in ('agent_forget', 'agent_deactivate') and c.status = 'pending'
  and c.created_at > %(now)s::timestamptz - interval '24 hours' and c.said_at < %(said_at)s
  and (
    select count(*) from public.messages as m
    where m.conversation_id = c.conversation_id and m.user_id = c.user_id and m.role = 'user'
      and m.created_at > c.said_at and m.created_at < %(said_at)s
      and m.id::text is distinct from c.outcome ->> 'shown_with' and m.id is distinct from %(message_id)s
  ) <= case when c.outcome ? 'shown_with' then 0 else 1 end
order by c.said_at desc
limit 1

-- name: settle
-- Carry out what was asked for, or cancel it.
select keepsake.settle_request(%(user_id)s, %(id)s, %(accepted)s, %(now)s) as settled
