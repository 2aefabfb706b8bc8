-- The state of a persona: its rolling summary, and whether that waits for the model.

-- name: find_state
-- The state of a persona, without locking it.
select s.id, s.user_id, s.profile_id, s.persona_id, s.refresh_due_at
from public.user_memory_session_state as s
where s.user_id = %(user_id)s and s.id = %(id)s

-- name: lock_state
-- Locks the state of a persona, before its sessions.
select s.id, s.user_id, s.profile_id, s.persona_id, s.refresh_due_at
from public.user_memory_session_state as s
where s.user_id = %(user_id)s and s.id = %(id)s for update

-- name: model_wait
-- How often the model failed for a rolling summary, and since when it waits for it.
select w.model_failures, w.bad_replies, w.waiting_since from keepsake.waiting_states as w
where w.user_id = %(user_id)s and w.state_id = %(id)s

-- name: wait_for_model
-- Notes that a rolling summary waits for the model.
insert into keepsake.waiting_states as w (user_id, state_id, model_failures, bad_replies, waiting_since)
values (%(user_id)s, %(id)s, %(model_failures)s, %(bad_replies)s, %(waiting_since)s)
on conflict (user_id, state_id) do update set model_failures = w.model_failures + excluded.model_failures,
  bad_replies = w.bad_replies + excluded.bad_replies

-- name: stop_waiting
-- Lets a rolling summary wait no more.
delete from keepsake.waiting_states as w where w.user_id = %(user_id)s and w.state_id = %(id)s

-- name: follow_conversation
-- Makes the short form of a conversation's summary the rolling summary of its person with its persona, unless that is of a
-- conversation with a newer message.
update public.user_memory_session_state as s
set rolling_summary = %(rolling_summary)s, outlines = %(outlines)s, source_ids = %(memory_ids)s, message_ids = %(message_ids)s,
  generator = %(generator)s, prompt_version = %(prompt_version)s, last_rolling_success_at = %(now)s
from keepsake_chats.conversations as c
join keepsake_chats.conversations_participants as p on p.conversation_id = c.id and p.user_id = c.user_id
where c.id = %(conversation_id)s and s.user_id = p.user_id and s.profile_id = p.profile_id
  and s.persona_id is not distinct from c.persona_id and (s.rolling_summary = '' or not exists (
    select from keepsake_chats.messages as o join keepsake_chats.messages as n on n.id = %(newest_id)s
    where o.id = s.message_ids[cardinality(s.message_ids)] and o.created_at > n.created_at
  ))

-- name: mark_conversation
-- Has the newest summary of a conversation with the persona written again, where the rolling summary that followed it was removed.
insert into keepsake.conversation_marks (conversation_id)
select n.id from (
  select c.id from public.user_memory_session_state as s
  join keepsake_chats.conversations_participants as p on p.user_id = s.user_id and p.profile_id = s.profile_id
  join keepsake_chats.conversations as c on c.id = p.conversation_id and c.persona_id is not distinct from s.persona_id
  join keepsake_chats.conversation_summaries as m on m.conversation_id = c.id and m.generator is not null
  where s.user_id = %(user_id)s and s.id = %(id)s and s.rolling_summary = '' and s.last_rolling_success_at is not null
    and c.user_id = s.user_id
  order by m.updated_at desc limit 1
) as n

-- name: finish
-- Notes that a state was looked at, and when it is to be looked at again.
update public.user_memory_session_state as s set refresh_due_at = %(due_at)s
where s.user_id = %(user_id)s and s.id = %(id)s
