-- Where a person's words may lie: a statement for each place, in the order in which they are carried out. Each is of the
-- form `delete from … as t where …` or `update … as t set … where …`; what it would touch, and what it left, is counted
-- by the same statement without its verb. A table that this database does not have is passed over.
-- "everything" takes all of the person; otherwise it is the memories, changes, messages … that the scope names.

-- name: waiting_jobs
-- Jobs that wait to look at a turn of the person, or whose arguments name them or what goes.
delete from keepsake.procrastinate_jobs as t
where t.status <> 'doing' and exists (
  select from jsonb_each_text(t.args) as a
  where a.value = any(%(memory_ids)s::text[]) or a.value = any(%(message_ids)s::text[])
    or (%(everything)s and (a.value = %(user_id)s::text or exists (
      select from public.messages as m where m.user_id = %(user_id)s::uuid and m.id::text = a.value
    )))
)

-- name: running_jobs
-- The arguments of those that are running: the row itself is the worker's to close.
update keepsake.procrastinate_jobs as t
set args = '{}', lock = null, queueing_lock = null
where t.status = 'doing' and exists (
  select from jsonb_each_text(t.args) as a
  where a.value = any(%(memory_ids)s::text[]) or a.value = any(%(message_ids)s::text[])
    or (%(everything)s and (a.value = %(user_id)s::text or exists (
      select from public.messages as m where m.user_id = %(user_id)s::uuid and m.id::text = a.value
    )))
)

-- name: deliveries
-- What a webhook was answered about a turn; that it was answered stays, so that a second delivery does nothing.
update keepsake.webhooks_seen as t
set outcome = '{}'
where t.outcome <> '{}' and t.webhook_id in (
  select w.webhook_id from keepsake.extractions as e
  join keepsake.webhooks_seen as w on w.received_at = e.created_at and w.outcome -> 'extraction_ids' ? e.id::text
  where e.user_id = %(user_id)s::uuid and e.created_at <= %(now)s
    and (%(everything)s or e.source_message_id = any(%(message_ids)s::uuid[]))
)

-- name: pending_operations
-- What agents asked to have forgotten.
delete from keepsake.commands as t
where t.user_id = %(user_id)s::uuid and t.kind in ('agent_forget', 'agent_deactivate') and (%(everything)s or exists (
    select from unnest(%(memory_ids)s::text[]) as g (id) where t.outcome -> 'memory_ids' ? g.id
  ))

-- name: commands
-- What commands in chat did, and the digest of their words; that they were carried out stays, so that none is again. One
-- whose message is still to be saved keeps the digest by which it will be known.
update keepsake.commands as t
set outcome = '{}', text_hash = case when t.message_id is null and t.created_at > now() - interval '1 hour' then t.text_hash
  else '' end,
  operation_id = case when not %(everything)s then t.operation_id end
where t.user_id = %(user_id)s::uuid
  and (t.outcome <> '{}' or (t.operation_id is not null and %(everything)s)
    or (t.text_hash <> '' and (t.message_id is not null or t.created_at <= now() - interval '1 hour')))
  and (%(everything)s or t.message_id = any(%(message_ids)s::uuid[]) or exists (
    select from unnest(%(memory_ids)s::text[]) as g (id) where strpos(t.outcome::text, g.id) > 0
  ))

-- name: marks_on_answers
-- The ids of memories on the answers they went into.
update public.messages as t
set meta = t.meta || jsonb_build_object('memory_ids', coalesce((
  select jsonb_agg(g.id) from jsonb_array_elements_text(t.meta -> 'memory_ids') as g (id)
  where not (%(everything)s or g.id = any(%(memory_ids)s::text[]))
), '[]'))
where t.id in (
    select i.answer_message_id from keepsake.injections as i
    where i.user_id = %(user_id)s::uuid and i.answer_message_id is not null
  )
  and jsonb_typeof(t.meta -> 'memory_ids') = 'array' and t.meta -> 'memory_ids' <> '[]'
  and (%(everything)s or t.meta -> 'memory_ids' ?| %(memory_ids)s::text[])

-- name: injections
-- The ids of memories in the accounts of contexts; how large a context was stays.
update keepsake.injections as t
set memory_ids = case when %(everything)s then '{}'::uuid[]
  else array(select g.id from unnest(t.memory_ids) as g (id) where g.id <> all(%(memory_ids)s::uuid[])) end
where t.user_id = %(user_id)s::uuid and t.memory_ids <> '{}'
  and (%(everything)s or t.memory_ids && %(memory_ids)s::uuid[])

-- name: extractions
-- What turns made, and why the rest was dropped; that they were looked at stays, so that nobody looks again.
update keepsake.extractions as t
set results = case when %(everything)s then '[]'::jsonb else (
    select coalesce(jsonb_agg(r.result), '[]') from jsonb_array_elements(t.results) as r (result)
    where (r.result ->> 'memory_id') <> all(%(memory_ids)s::text[])
  ) end,
  dropped = case when %(everything)s then '{}' else t.dropped end,
  operation_id = case when not %(everything)s then t.operation_id end
where t.user_id = %(user_id)s::uuid and t.status in ('extracted', 'skipped', 'quarantined')
  and case when %(everything)s then t.results <> '[]' or t.dropped <> '{}' or t.operation_id is not null
    else exists (
      select from jsonb_array_elements(t.results) as r (result)
      where (r.result ->> 'memory_id') = any(%(memory_ids)s::text[])
    ) end

-- name: conversation_summaries
-- The rolling summaries of chats in which the person's words stand: all they wrote in, or those where it was said.
delete from public.conversation_summaries as t
where t.conversation_id = any(%(conversation_ids)s::uuid[])

-- name: changes
-- What was recorded of every change, before and after; without it nothing of this can be undone.
delete from keepsake.changes as t
where t.user_id = %(user_id)s::uuid
  and (%(everything)s or t.row_id = any(%(memory_ids)s::uuid[]) or t.row_id = any(%(row_ids)s::uuid[])
    or t.seq = any(%(change_seqs)s::bigint[]))

-- name: memory_vectors
-- Where the memories lie in the space of an embedding model.
delete from keepsake.memory_vectors as t
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.memory_id = any(%(memory_ids)s::uuid[]))

-- name: memory_index
-- The stemmed words of the memories.
delete from keepsake.memory_index as t
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.memory_id = any(%(memory_ids)s::uuid[]))

-- name: alias_proposals
-- Which names may be one entity's.
delete from public.user_memory_alias_proposals as t
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.id = any(%(row_ids)s::uuid[]))

-- name: entities
-- Whom and what the memories are about, with all their names.
delete from public.user_memory_entities as t
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.id = any(%(row_ids)s::uuid[]))

-- name: place_mentions
-- Where the person spoke of places.
delete from public.user_memory_place_mentions as t
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.id = any(%(row_ids)s::uuid[]))

-- name: places
-- Their places, with what they noted.
delete from public.user_memory_places as t
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.id = any(%(row_ids)s::uuid[]))

-- name: user_memory
-- The memories themselves.
delete from public.user_memory as t
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.id = any(%(memory_ids)s::uuid[]))

-- name: answers
-- Where the messages go too: what was said to the person in chats that nobody else takes part in.
delete from public.messages as t
where %(include_messages)s and t.user_id is null and t.conversation_id = any(%(own_conversation_ids)s::uuid[])

-- name: titles
-- The names of those chats: hosts make them of the first words said.
update public.conversations as t
set title = null
where %(include_messages)s and t.title is not null and t.id = any(%(own_conversation_ids)s::uuid[])

-- name: messages
-- The person's own messages, and nobody else's.
delete from public.messages as t
where %(include_messages)s and t.user_id = %(user_id)s::uuid
  and (%(everything)s or t.id = any(%(message_ids)s::uuid[]))

-- name: exists_here
-- Which of these tables this database has.
select t.name from unnest(%(names)s::text[]) as t (name) where to_regclass(t.name) is not null

-- name: begin_erasing
-- From here on a deletion leaves no trace in the record of changes.
select set_config('keepsake.final', 'on', true)

-- name: words_elsewhere
-- Columns that hold no words of a person's, or the host's that are not Keepsake's to empty, each with the reason. Only of
-- these may ANALYZE keep samples.
select k.column_name, k.reason
from (values
  ('keepsake.changes.action', 'one of a closed list'),
  ('keepsake.changes.actor', 'one of a closed list'),
  ('keepsake.changes.table_name', 'the name of a table'),
  ('keepsake.commands.kind', 'one of a closed list'),
  ('keepsake.commands.status', 'one of a closed list'),
  ('keepsake.counters.name', 'what is counted, in our words'),
  ('keepsake.embedding_models.model', 'the name of a model'),
  ('keepsake.extractions.generator', 'one of a closed list'),
  ('keepsake.extractions.reason', 'one of a closed list'),
  ('keepsake.extractions.status', 'one of a closed list'),
  ('keepsake.injections.reason', 'one of a closed list'),
  ('keepsake.injections.variant', 'one of a closed list'),
  ('keepsake.memories_to_embed.model', 'the name of a model'),
  ('keepsake.memories_to_embed.reason', 'one of a closed list'),
  ('keepsake.memory_vectors.model', 'the name of a model'),
  ('keepsake.model_circuits.model', 'the name of a model'),
  ('keepsake.model_circuits.reason', 'one of a closed list'),
  ('keepsake.model_days.model', 'the name of a model'),
  ('keepsake.model_days.purpose', 'one of a closed list'),
  ('keepsake.procrastinate_jobs.queue_name', 'the name of a queue'),
  ('keepsake.procrastinate_jobs.task_name', 'the name of a task'),
  ('keepsake.procrastinate_periodic_defers.periodic_id', 'the name of a task'),
  ('keepsake.procrastinate_periodic_defers.task_name', 'the name of a task'),
  ('keepsake.webhooks_seen.webhook_id', 'the sender''s name for a delivery'),
  ('public.conversations.mode', 'one of a closed list'),
  ('public.conversations.persona_id', 'the host''s name for a persona'),
  ('public.messages.role', 'one of a closed list'),
  ('public.user_memory.entity_type', 'one of a closed list'),
  ('public.user_memory.language', 'the code of a language'),
  ('public.user_memory.origin_mode', 'one of a closed list'),
  ('public.user_memory.persona_id', 'the host''s name for a persona'),
  ('public.user_memory.source', 'one of a closed list'),
  ('public.user_memory.status', 'one of a closed list'),
  ('public.user_memory.subtype', 'one of a closed list'),
  ('public.user_memory_alias_proposals.status', 'one of a closed list'),
  ('public.user_memory_entities.kind', 'one of a closed list'),
  ('public.user_memory_places.source', 'one of a closed list'),
  ('public.user_memory_settings.retention_days', 'types and days'),
  ('public.user_profile_list.birth_chart', 'the person''s own profile, the host''s'),
  ('public.user_profile_list.locale', 'the person''s own profile, the host''s'),
  ('public.user_profile_list.name', 'the person''s own profile, the host''s'),
  ('public.user_profile_list.nickname', 'the person''s own profile, the host''s'),
  ('public.user_profile_list.pronouns', 'the person''s own profile, the host''s'),
  ('public.user_profile_list.timezone', 'the person''s own profile, the host''s')
) as k (column_name, reason)
