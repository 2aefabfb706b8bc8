-- Sessions: counting a turn, and which sessions and states are due.

-- name: note_turns
-- Counts messages of people to personas, one after another, notes when each was said, and lets the summaries of its day, week and
-- month be written; the states whose rolling summary is to be written again.
with said as materialized (
  select * from unnest(%(user_ids)s::uuid[], %(profile_ids)s::uuid[], %(persona_ids)s::text[], %(conversation_ids)s::uuid[],
    %(message_ids)s::uuid[], %(moments)s::timestamptz[])
    as t (user_id, profile_id, persona_id, conversation_id, message_id, said_at)
), noted as (
  update keepsake.extractions as e set profile_id = t.profile_id, said_at = t.said_at
  from said as t where e.user_id = t.user_id and e.source_message_id = t.message_id
), marked as (
  insert into keepsake.summary_marks (user_id, profile_id, moment)
  select t.user_id, t.profile_id, t.said_at from said as t
)
select t.user_id, n.state_id from said as t
cross join lateral keepsake.note_turn(
  t.user_id, t.profile_id, t.persona_id, t.said_at, %(pause)s, %(refresh_every)s, %(due_at)s) as n
where n.is_refresh_due

-- name: claim_due_sessions
-- The next sessions that are over and have no summary; they are postponed, so that the next run takes others.
update public.user_memory_sessions as s set summary_due_at = %(next_attempt_at)s
from (
  select d.user_id, d.id from public.user_memory_sessions as d
  where d.summary_due_at <= %(now)s order by d.summary_due_at limit %(limit)s for update skip locked
) as due
where s.user_id = due.user_id and s.id = due.id
returning s.user_id, s.id

-- name: claim_due_states
-- The next states whose rolling summary is to be written again; they are postponed in the same way.
update public.user_memory_session_state as s set refresh_due_at = %(next_attempt_at)s
from (
  select d.user_id, d.id from public.user_memory_session_state as d
  where d.refresh_due_at <= %(now)s order by d.refresh_due_at limit %(limit)s for update skip locked
) as due
where s.user_id = due.user_id and s.id = due.id
returning s.user_id, s.id

-- name: lock_state_of_session
-- Locks the state of the persona to which a session belongs.
select st.id from public.user_memory_sessions as s
join public.user_memory_session_state as st on st.user_id = s.user_id and st.profile_id = s.profile_id
  and st.persona_id is not distinct from s.persona_id
where s.user_id = %(user_id)s and s.id = %(id)s for update of st

-- name: end_session
-- Closes a session whose last message is old enough; returns no row for one that goes on, or is summarized.
update public.user_memory_sessions as s
set ended_at = coalesce(s.ended_at, s.last_activity_at + %(pause)s), summary_due_at = null
where s.user_id = %(user_id)s and s.id = %(id)s and s.summary_due_at is not null
  and s.last_activity_at + %(pause)s <= %(now)s
returning s.id, s.user_id, s.profile_id, s.persona_id, s.started_at, s.last_activity_at, s.ended_at

-- name: due_session
-- A session that is over and waits for its summary, as it is now.
select s.id, s.user_id, s.profile_id, s.persona_id, s.started_at, s.last_activity_at,
  s.last_activity_at + %(pause)s as ended_at
from public.user_memory_sessions as s
where s.user_id = %(user_id)s and s.id = %(id)s and s.summary_due_at is not null
  and s.last_activity_at + %(pause)s <= %(now)s

-- name: model_wait
-- How often the model failed for the summary of a session, and since when it waits for it.
select w.model_failures, w.bad_replies, w.waiting_since from keepsake.waiting_sessions as w
where w.user_id = %(user_id)s and w.session_id = %(id)s

-- name: wait_for_model
-- Lets the summary of a session be written again when the model is asked again.
with due as (
  update public.user_memory_sessions as s set summary_due_at = %(due_at)s
  where s.user_id = %(user_id)s and s.id = %(id)s returning s.user_id, s.id
)
insert into keepsake.waiting_sessions as w (user_id, session_id, model_failures, bad_replies, waiting_since)
select d.user_id, d.id, %(model_failures)s, %(bad_replies)s, %(waiting_since)s from due as d
on conflict (user_id, session_id) do update
  set model_failures = w.model_failures + excluded.model_failures, bad_replies = w.bad_replies + excluded.bad_replies

-- name: stop_waiting
-- The summary of a session waits for the model no more.
delete from keepsake.waiting_sessions as w where w.user_id = %(user_id)s and w.session_id = %(id)s

-- name: memories_said
-- What was remembered of the messages to a persona in a period, perhaps put right since, still holds and is screened; the newest, oldest first.
select n.* from (
  select m.id, m.memory_type::text as type, m.subtype, m.memory_text as text, coalesce(m.restated_at, m.valid_from) as moment, m.importance,
    m.entity_label, m.entity_refs, m.conversation_id, m.source = 'rule_extraction' as is_by_rules
  from public.user_memory as m
  left join public.user_memory_settings as s on s.user_id = m.user_id
  left join keepsake_chats.conversations as c on c.id = m.conversation_id
  where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status not in ('deleted', 'superseded')
    and m.doubted_at is null
    and (m.source in ('llm_extraction', 'rule_extraction') or (m.source = 'user' and m.conversation_id is not null))
    and c.persona_id is not distinct from %(persona_id)s
    and (m.persona_id is null or m.persona_id = %(persona_id)s)
    and (s.allowed_types is null or m.memory_type = any(s.allowed_types))
    and coalesce(m.restated_at, m.valid_from) >= %(since)s and coalesce(m.restated_at, m.valid_from) <= %(until)s
    and not exists (
      select from keepsake.unscreened_edits as e where e.user_id = m.user_id and e.memory_id = m.id
    )
  order by moment desc, m.memory_no desc
  limit %(limit)s
) as n
order by n.moment, n.id

-- name: todos_said
-- The to-dos of a persona that were opened in a period, oldest first.
select t.id, t.kind, t.todo_text as text, t.status
from public.user_memory_todos as t
where t.user_id = %(user_id)s and t.profile_id = %(profile_id)s and t.persona_id is not distinct from %(persona_id)s
  and t.opened_at >= %(since)s and t.opened_at <= %(until)s
  and not exists (
    select from public.user_memory as m
    where m.user_id = t.user_id and m.source_message_id = t.source_message_id and m.status = 'deleted'
  )
order by t.opened_at, t.id
limit %(limit)s

-- name: write_session_summary
-- Writes the summary of a session, or writes it again.
insert into public.user_memory_session_summaries as s (user_id, profile_id, session_id, persona_id, ended_at, one_liner,
  what_mattered, open_loops, commitments, people, tone, source_ids, message_ids, generator, prompt_version, created_at, updated_at)
values (%(user_id)s, %(profile_id)s, %(session_id)s, %(persona_id)s, %(ended_at)s, %(one_liner)s, %(what_mattered)s,
  %(open_loops)s, %(commitments)s, %(people)s, %(tone)s, %(source_ids)s, %(message_ids)s, %(generator)s, %(prompt_version)s,
  %(now)s, %(now)s)
on conflict (user_id, session_id) do update
  set ended_at = excluded.ended_at, one_liner = excluded.one_liner, what_mattered = excluded.what_mattered,
    open_loops = excluded.open_loops, commitments = excluded.commitments, people = excluded.people, tone = excluded.tone,
    source_ids = excluded.source_ids, message_ids = excluded.message_ids, generator = excluded.generator, prompt_version = excluded.prompt_version,
    updated_at = excluded.updated_at

-- name: delete_session_summary
-- Deletes the summary of a session that has no sources any more.
delete from public.user_memory_session_summaries as s
where s.user_id = %(user_id)s and s.session_id = %(session_id)s
