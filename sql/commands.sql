-- What chat commands ask and do: the record of each, what "that" is, and what is remembered of a subject.

-- name: lock_commands
-- One command at a time for a person in a conversation, and none while something of theirs is being erased: an erasure
-- ends turns after it has held merges, a command before.
select pg_advisory_xact_lock_shared(hashtextextended('keepsake.erase:' || %(user_id)s::text, 0)),
  pg_advisory_xact_lock(hashtextextended('keepsake.command:' || %(user_id)s::text || %(conversation_id)s::text, 0))

-- name: still_said
-- Whether the message is still there: it may have been erased since it was read.
select m.id from public.messages as m
where m.id = %(message_id)s and m.conversation_id = %(conversation_id)s and m.user_id = %(user_id)s

-- name: of_message
-- What became of this message's command: by its id, or by its text where the row or the message has no id yet.
select id, message_id, kind, status, outcome, operation_id, said_at from keepsake.commands
where user_id = %(user_id)s and conversation_id = %(conversation_id)s and (
  message_id = %(message_id)s
  or (text_hash = %(text_hash)s and created_at > %(since)s
    and (message_id is null or (%(message_id)s::uuid is null and not told)))
)
order by message_id = %(message_id)s desc nulls last, created_at desc
limit 1

-- name: adopt
-- The saved message takes over what was done before it was saved; and whether a context has said the outcome.
update keepsake.commands
set message_id = coalesce(message_id, %(message_id)s), told = told or %(told)s
where user_id = %(user_id)s and id = %(id)s

-- name: record
-- Keep what became of a command.
insert into keepsake.commands
  (user_id, conversation_id, message_id, text_hash, kind, status, outcome, operation_id, told, said_at, created_at)
values (%(user_id)s, %(conversation_id)s, %(message_id)s, %(text_hash)s, %(kind)s, %(status)s, %(outcome)s,
  %(operation_id)s, %(told)s, %(said_at)s, %(now)s)

-- name: last_command
-- The person's command before this moment in this conversation, whether it was undone, and how much they said since.
select c.message_id, c.kind, c.status, c.outcome, c.operation_id, c.said_at,
  exists (select from keepsake.changes as g
    where g.operation_id = c.operation_id and g.user_id = c.user_id and g.undone_at is not null) as undone,
  (select count(*) from public.messages as m
    where m.conversation_id = c.conversation_id and m.user_id = c.user_id and m.role = 'user'
      and m.created_at > c.said_at and m.created_at < %(said_at)s
      and m.id is distinct from c.message_id and m.id is distinct from %(message_id)s) as messages_since
from keepsake.commands as c
where c.conversation_id = %(conversation_id)s and c.user_id = %(user_id)s and c.said_at < %(said_at)s
  and (c.operation_id is not null or c.outcome ? 'cancelled' or not %(changing)s)
  and c.kind not in ('agent_forget', 'agent_deactivate')
order by c.said_at desc
limit 1

-- name: turn_before
-- The person's message before this one, with what became of it.
select m.id as message_id, coalesce(m.content, '') as content, m.created_at as said_at, e.status, e.operation_id,
  coalesce(e.results, '[]') as results
from public.messages as m
left join keepsake.extractions as e on e.conversation_id = m.conversation_id and e.source_message_id = m.id
where m.conversation_id = %(conversation_id)s and m.user_id = %(user_id)s and m.role = 'user'
  and m.created_at < %(said_at)s and m.id is distinct from %(message_id)s
order by m.created_at desc, m.turn_index desc nulls last, m.id desc
limit 1

-- name: hold_turn
-- What became of a turn, held: an extraction that is writing is waited for.
select status, coalesce(results, '[]') as results from keepsake.extractions
where conversation_id = %(conversation_id)s and source_message_id = %(message_id)s for update

-- name: end_turn
-- Let nothing be made of a turn that has not ended: not even by who is looking at it.
insert into keepsake.extractions as e
  (conversation_id, source_message_id, user_id, status, reason, created_at, finished_at)
values (%(conversation_id)s, %(message_id)s, %(user_id)s, 'skipped', 'command', %(now)s, %(now)s)
on conflict (conversation_id, source_message_id) do update
  set status = 'skipped', reason = 'command', claim_token = null, next_attempt_at = null,
    finished_at = excluded.finished_at
  where e.status in ('pending', 'claimed')
returning e.id

-- name: reopen_turn
-- Let a turn that a command ended be looked at after all.
update keepsake.extractions
set status = 'pending', reason = null, finished_at = null, next_attempt_at = %(now)s
where conversation_id = %(conversation_id)s and source_message_id = %(message_id)s
  and status = 'skipped' and reason = 'command'
returning source_message_id

-- name: hold_settings
-- Keep the person's settings as they are until this transaction ends, and say whether memory may be built.
select building and enabled as building from public.user_memory_settings where user_id = %(user_id)s for share

-- name: hold_participation
-- Keep what the person chose for the conversation as it is until this transaction ends.
select user_id from public.conversations_participants
where conversation_id = %(conversation_id)s and user_id = %(user_id)s for share

-- name: last_used
-- The memories of the newest context that was made for the person here since a moment.
select memory_ids from keepsake.injections
where conversation_id = %(conversation_id)s and user_id = %(user_id)s and created_at >= %(since)s
  and created_at <= %(until)s and memory_count > 0
order by created_at desc
limit 1

-- name: memories_by_id
-- These memories of a person, whatever their state, in the order they were stored. The order of the columns is the store's.
select id, memory_no, memory_type, subtype, memory_text, confidence_score, importance, pinned, source, status,
  reference_count, created_at, valid_from, memory_key, value, entity_refs, entity_label, language, expires_at,
  last_referenced_at, conversation_id, persona_id
from public.user_memory
where user_id = %(user_id)s and id = any(%(ids)s::uuid[]) and (not %(active)s or status = 'active')
order by created_at, memory_no

-- name: current_memories
-- What is current in a profile for this persona, and whether the words asked for stand in it: all of them, as search
-- finds them. The order of the columns is the store's.
with asked as materialized (
  select l.language, plainto_tsquery(keepsake.text_search_config(l.language), %(words)s) as words
  from (select distinct m.language from public.user_memory as m
    where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status = 'active') as l
)
select m.id, m.memory_no, m.memory_type, m.subtype, m.memory_text, m.confidence_score, m.importance, m.pinned, m.source,
  m.status, m.reference_count, m.created_at, m.valid_from, m.memory_key, m.value, m.entity_refs, m.entity_label,
  m.language, m.expires_at, m.last_referenced_at, m.conversation_id, m.persona_id,
  i.lexemes @@ a.words and numnode(a.words) > 0 as says_it
from public.user_memory as m
join keepsake.memory_index as i on i.memory_id = m.id
join asked as a on a.language = m.language
where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status = 'active'
  and (m.expires_at is null or m.expires_at > %(now)s)
  and (m.persona_id is null or m.persona_id = %(persona_id)s)
order by m.pinned desc, m.importance desc, m.valid_from desc, m.memory_no desc

-- name: forget
-- Forget these memories; they stay for 30 days, so that it can be undone.
update public.user_memory
set status = 'deleted', deleted_at = %(now)s, updated_at = %(now)s
where user_id = %(user_id)s and id = any(%(ids)s::uuid[]) and status = 'active'
returning id

-- name: hold_all
-- Lock everything that is remembered of a person, merges first, profile by profile, as clearing does.
select keepsake.hold_merges(%(user_id)s, (
  select array_agg(f.id::text) from public.user_profile_list as f where f.user_id = %(user_id)s
))

-- name: hold_rows
-- Lock the rows in the order everybody locks them in.
select id from public.user_memory where user_id = %(user_id)s and status <> 'deleted' order by id for no key update

-- name: clear
-- Forget everything remembered of a person.
update public.user_memory set status = 'deleted', deleted_at = %(now)s, updated_at = %(now)s
where user_id = %(user_id)s and status <> 'deleted'
returning id

-- name: undo
-- Take an operation of the person back, as an operation of its own.
select keepsake.undo(%(user_id)s, %(operation_id)s) as undone

-- name: end_operation
-- The changes to come belong to no operation.
select set_config('keepsake.operation_id', '', true), set_config('keepsake.actor', '', true),
  set_config('keepsake.reason', '', true)
