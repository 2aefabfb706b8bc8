-- The queries of chat commands: the record of each, what "that" refers to, and the memories of a subject.

-- name: still_counts
-- Whether the message still counts: since it was read it may have been erased, everything said until now may have been, and
-- memory may have begun anew here. A message that is not saved yet has no row.
select true
where (%(message_id)s::uuid is null or exists (
    select from keepsake_chats.messages as m
    where m.id = %(message_id)s and m.conversation_id = %(conversation_id)s and m.user_id = %(user_id)s
  ))
  and not exists (
    select from public.user_memory_settings as s
    where s.user_id = %(user_id)s and s.erased_before > %(said_at)s
  )
  and not exists (
    select from keepsake_chats.conversations_participants as p
    where p.conversation_id = %(conversation_id)s and p.user_id = %(user_id)s
      and keepsake.remembered_from(p.remember_since, %(said_at)s) > %(said_at)s
  )

-- name: find_result
-- The result of this message's command (idempotency key: the message's id, or the hash of its text until it has one).
select id, kind, status, outcome, operation_id from keepsake.commands
where user_id = %(user_id)s and conversation_id = %(conversation_id)s and (
  message_id = %(message_id)s
  or (text_hash = %(text_hash)s and created_at > %(since)s
    and (message_id is null or (%(message_id)s::uuid is null and not shown_in_context)))
)
order by message_id = %(message_id)s desc nulls last, created_at desc
limit 1

-- name: attach_to_message
-- Attaches the record to the saved message, and notes whether a context contained the outcome.
update keepsake.commands
set message_id = coalesce(message_id, %(message_id)s), shown_in_context = shown_in_context or %(shown_in_context)s
where user_id = %(user_id)s and id = %(id)s

-- name: record_command
-- Records a command and its outcome.
insert into keepsake.commands
  (user_id, conversation_id, message_id, text_hash, kind, status, outcome, operation_id, shown_in_context, said_at,
    created_at)
values (%(user_id)s, %(conversation_id)s, %(message_id)s, %(text_hash)s, %(kind)s, %(status)s, %(outcome)s,
  %(operation_id)s, %(shown_in_context)s, %(said_at)s, %(now)s)

-- name: unshown_receipts
-- What was forgotten because a model read that a message asks for it, and no context has told yet.
select c.id, c.conversation_id, c.outcome from keepsake.commands as c
where c.user_id = %(user_id)s and c.kind = 'model_forget' and not c.shown_in_context
  and c.created_at > %(now)s::timestamptz - interval '30 days'
order by c.said_at
limit 5

-- name: mark_receipts_shown
-- Notes that a context told of these.
update keepsake.commands set shown_in_context = true where user_id = %(user_id)s and id = any(%(ids)s::uuid[])

-- name: last_command
-- The person's previous command in this conversation, whether it was undone, and how many messages they wrote since.
select c.kind, c.status, c.outcome, c.operation_id, c.said_at,
  exists (select from keepsake.changes as g
    where g.operation_id = c.operation_id and g.user_id = c.user_id and g.undone_at is not null) as undone,
  (select count(*) from keepsake_chats.messages as m
    where m.conversation_id = c.conversation_id and m.user_id = c.user_id and m.role = 'user'
      and m.created_at > c.said_at and m.created_at < %(said_at)s
      and m.id is distinct from c.message_id and m.id is distinct from %(message_id)s) as messages_since
from keepsake.commands as c
where c.conversation_id = %(conversation_id)s and c.user_id = %(user_id)s and c.said_at < %(said_at)s
  and (c.operation_id is not null or c.outcome ? 'cancelled' or not %(changing)s)
  and c.kind not in ('agent_forget', 'agent_deactivate')
order by c.said_at desc
limit 1

-- name: previous_message
-- The person's message before this one.
select m.id as message_id, coalesce(m.content, '') as content,
  keepsake.message_time(m.created_at, %(said_at)s) as said_at
from keepsake_chats.messages as m
where m.conversation_id = %(conversation_id)s and m.user_id = %(user_id)s and m.role = 'user'
  and m.created_at < %(said_at)s and m.id is distinct from %(message_id)s
order by m.created_at desc, m.turn_index desc nulls last, m.id desc
limit 1

-- name: end_turn
-- Marks an unfinished turn as skipped; the holder of its claim can no longer write.
insert into keepsake.extractions as e
  (conversation_id, source_message_id, user_id, status, reason, created_at, finished_at)
values (%(conversation_id)s, %(message_id)s, %(user_id)s, 'skipped', 'command', %(now)s, %(now)s)
on conflict (user_id, source_message_id) do update
  set status = 'skipped', reason = 'command', claim_token = null, next_attempt_at = null,
    finished_at = excluded.finished_at
  where e.status in ('pending', 'claimed')
returning e.id

-- name: reopen_turn
-- Requeues a turn that a command had skipped.
update keepsake.extractions
set status = 'pending', reason = null, finished_at = null, next_attempt_at = %(now)s
where user_id = (
    select m.user_id from keepsake_chats.messages as m where m.id = %(message_id)s and m.conversation_id = %(conversation_id)s
  ) and source_message_id = %(message_id)s and status = 'skipped' and reason = 'command'
returning source_message_id

-- name: last_injected_memories
-- The memories of the newest context for the person here since a moment; those of the identity line, which come last, are not meant.
select memory_ids[1:memory_count] from keepsake.injections
where conversation_id = %(conversation_id)s and user_id = %(user_id)s and created_at >= %(since)s
  and created_at <= %(until)s and memory_count > 0
order by created_at desc
limit 1

-- name: current_memories
-- The current memories of a profile for this persona, and whether each contains all the words.
with queries as materialized (
  select l.language, plainto_tsquery(keepsake.text_search_config(l.language), %(words)s) as words
  from (select distinct m.language from public.user_memory as m
    where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status = 'active') as l
)
select {memory_columns:m},
  i.lexemes @@ q.words and numnode(q.words) > 0 as matches
from public.user_memory as m
join keepsake.memory_index as i on i.user_id = m.user_id and i.memory_id = m.id
join queries as q on q.language = m.language
where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status = 'active'
  and (m.expires_at is null or m.expires_at > %(now)s)
  and (m.persona_id is null or m.persona_id = %(persona_id)s)
order by m.pinned desc, m.importance desc, m.valid_from desc, m.memory_no desc

-- name: remembered
-- The active memories of a profile for this persona, and the past ones with all of the words in any language, with one of
-- the terms (see keepsake.past_terms), with this number, or of somebody whom memories with these parts of a key are about;
-- active ones first, each with whether it contains all the words in its own language.
with wanted as materialized (
  select tsvector_to_array(to_tsvector(c.oid::regconfig, %(words)s)) as terms from pg_catalog.pg_ts_config as c
  union
  select array[t.term] from unnest(%(terms)s::text[]) as t (term)
),
found as materialized (
  select p.id
  from wanted as w
  cross join lateral (
    select m.id from public.user_memory as m
    where keepsake.past_terms(m.profile_id, to_tsvector(keepsake.text_search_config(m.language), m.memory_text),
      m.memory_key, m.entity_refs, m.memory_type, m.subtype)
      @> keepsake.profile_terms(%(profile_id)s, w.terms) and m.status in ('superseded', 'archived', 'expired')
    offset 0
  ) as p
  where cardinality(w.terms) > 0
  union
  select m.id from public.user_memory as m where m.user_id = %(user_id)s and m.memory_no = %(number)s
  union
  select m.id from public.user_memory as m
  where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status = 'active'
),
people as materialized (
  select distinct r.ref
  from found as f
  cross join lateral (
    select m.entity_refs from public.user_memory as m
    where m.id = f.id and m.user_id is not distinct from %(user_id)s and string_to_array(m.memory_key, '|') && %(parts)s::text[]
    offset 0
  ) as k
  cross join lateral unnest(k.entity_refs) as r (ref)
  where r.ref like 'person:%%' and r.ref <> 'person:self'
),
chosen as (
  select f.id from found as f
  union
  select q.id
  from people as p
  cross join lateral (
    select m.id from public.user_memory as m
    where keepsake.past_terms(m.profile_id, to_tsvector(keepsake.text_search_config(m.language), m.memory_text),
      m.memory_key, m.entity_refs, m.memory_type, m.subtype)
      @> keepsake.profile_terms(%(profile_id)s, array[p.ref]) and m.status in ('superseded', 'archived', 'expired')
    offset 0
  ) as q
)
select {memory_columns:m},
  numnode(w.words) > 0 and to_tsvector(keepsake.text_search_config(m.language), m.memory_text) @@ w.words as matches
from chosen as c
cross join lateral (
  select {memory_columns:a} from public.user_memory as a
  where a.id = c.id and a.user_id is not distinct from %(user_id)s and a.profile_id = %(profile_id)s and a.status <> 'deleted'
    and (a.persona_id is null or a.persona_id = %(persona_id)s)
  offset 0
) as m
cross join lateral plainto_tsquery(keepsake.text_search_config(m.language), %(words)s) as w (words)
order by m.status <> 'active', m.pinned desc, m.importance desc, m.valid_from desc, m.memory_no desc

-- name: predecessors
-- What these memories superseded, and what that superseded, newest first; nothing that is deleted or another persona's.
with recursive older as (
  select m.id, m.supersedes_id from public.user_memory as m
  where m.user_id = %(user_id)s and m.id = any(%(ids)s::uuid[])
  union
  select m.id, m.supersedes_id from older
  join public.user_memory as m on m.user_id = %(user_id)s and m.id = older.supersedes_id
)
select {memory_columns:m}
from public.user_memory as m
where m.user_id = %(user_id)s and m.status <> 'deleted' and m.id <> all(%(ids)s::uuid[])
  and (m.persona_id is null or m.persona_id = %(persona_id)s) and m.id in (select older.id from older)
order by m.memory_no desc

-- name: forget
-- Forgets these memories (soft delete): undo is possible for 30 days.
update public.user_memory
set status = 'deleted', deleted_at = %(now)s, updated_at = %(now)s
where user_id = %(user_id)s and id = any(%(ids)s::uuid[]) and status <> 'deleted'
returning id

-- name: forget_all
-- Forgets all memories and to-dos of a person.
with forgotten as (
  delete from public.user_memory_todos as t where t.user_id = %(user_id)s
)
update public.user_memory set status = 'deleted', deleted_at = %(now)s, updated_at = %(now)s
where user_id = %(user_id)s and status <> 'deleted'
returning id

-- name: set_building
-- Pauses the building of memories, or resumes it.
insert into public.user_memory_settings (user_id, building) values (%(user_id)s, %(building)s)
on conflict (user_id) do update set building = excluded.building
