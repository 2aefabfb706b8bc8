-- Every table that may contain a person's words, in the order of erasure (hard delete). Each query names its table and
-- has a condition: its rows are deleted, or, with `blanks`, these columns are set to values without words. The loader
-- makes two statements of it: one that erases, and one that counts the same rows. A table that this database does not
-- have is skipped. "everything" means all of the person; otherwise only what the scope names.

-- name: waiting_jobs
-- Waiting jobs for a turn of the person, or with arguments that name them or an erased row.
-- table: keepsake.procrastinate_jobs
where t.status <> 'doing' and exists (
  select from jsonb_each_text(t.args) as a
  where a.value = any(%(memory_ids)s::text[]) or a.value = any(%(message_ids)s::text[])
    or (%(everything)s and (a.value = %(user_id)s::text or exists (
      select from keepsake_chats.messages as m where m.user_id = %(user_id)s::uuid and m.id::text = a.value
    )))
)

-- name: running_jobs
-- The arguments of running jobs; their worker closes the row itself.
-- table: keepsake.procrastinate_jobs
-- blanks: args, lock, queueing_lock
set args = '{}', lock = null, queueing_lock = null
where t.status = 'doing' and exists (
  select from jsonb_each_text(t.args) as a
  where a.value = any(%(memory_ids)s::text[]) or a.value = any(%(message_ids)s::text[])
    or (%(everything)s and (a.value = %(user_id)s::text or exists (
      select from keepsake_chats.messages as m where m.user_id = %(user_id)s::uuid and m.id::text = a.value
    )))
)

-- name: webhook_deliveries
-- The answers of webhook deliveries; the row stays as idempotency key, so that a second delivery does nothing.
-- table: keepsake.webhook_deliveries
-- blanks: outcome
set outcome = '{}'
where t.outcome <> '{}' and t.webhook_id in (
  select w.webhook_id from keepsake.extractions as e
  join keepsake.webhook_deliveries as w on w.received_at = e.created_at and w.outcome -> 'extraction_ids' ? e.id::text
  where e.user_id = %(user_id)s::uuid and e.created_at <= %(now)s
    and (%(everything)s or e.source_message_id = any(%(message_ids)s::uuid[]))
)

-- name: pending_operations
-- The pending requests of agents.
-- table: keepsake.commands
where t.user_id = %(user_id)s::uuid and t.kind in ('agent_forget', 'agent_deactivate') and (%(everything)s or exists (
    select from unnest(%(memory_ids)s::text[]) as g (id) where t.outcome -> 'memory_ids' ? g.id
  ))

-- name: commands
-- The outcome of chat commands, and the hash of their text; the row stays as idempotency key. A command whose message
-- is not saved yet keeps the hash that identifies it.
-- table: keepsake.commands
-- blanks: outcome, text_hash, operation_id
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
-- The ids of memories and summaries on the answers that used them.
-- table: keepsake_chats.messages
-- blanks: meta
set meta = t.meta || jsonb_build_object('memory_ids', coalesce((
  select jsonb_agg(g.id) from jsonb_array_elements_text(t.meta -> 'memory_ids') as g (id)
  where not (%(everything)s or g.id = any(%(memory_ids)s::text[]))
), '[]')) || case when %(everything)s then '{"summary_ids": []}' else '{}'::jsonb end
where t.id in (
    select i.answer_message_id from keepsake.injections as i
    where i.user_id = %(user_id)s::uuid and i.answer_message_id is not null
  )
  and jsonb_typeof(t.meta -> 'memory_ids') = 'array'
  and case when %(everything)s then t.meta -> 'memory_ids' <> '[]' or t.meta -> 'summary_ids' <> '[]'
    else t.meta -> 'memory_ids' ?| %(memory_ids)s::text[] end

-- name: injections
-- The ids of memories, summaries and messages in the records of contexts; their sizes stay.
-- table: keepsake.injections
-- blanks: memory_ids, summary_ids, message_ids
set memory_ids = case when %(everything)s then '{}'::uuid[]
    else array(select g.id from unnest(t.memory_ids) as g (id) where g.id <> all(%(memory_ids)s::uuid[])) end,
  summary_ids = case when %(everything)s then '{}'::uuid[] else t.summary_ids end,
  message_ids = case when %(everything)s then '{}'::uuid[]
    else array(select g.id from unnest(t.message_ids) as g (id) where g.id <> all(%(message_ids)s::uuid[])) end
where t.user_id = %(user_id)s::uuid and (t.memory_ids <> '{}' or t.summary_ids <> '{}')
  and (%(everything)s or t.memory_ids && %(memory_ids)s::uuid[] or t.message_ids && %(message_ids)s::uuid[])

-- name: extractions
-- The results of extractions; the row stays as idempotency key, so that the turn is not extracted again. A turn that lost
-- one of several, or mentions the subject, says so, and is not summarized again either.
-- table: keepsake.extractions
-- blanks: results, dropped, operation_id
set results = case when %(everything)s then '[]'::jsonb else (
    select coalesce(jsonb_agg(r.result), '[]') from jsonb_array_elements(t.results) as r (result)
    where (r.result ->> 'memory_id') <> all(%(memory_ids)s::text[])
  ) end,
  dropped = case when %(everything)s then '{}' else t.dropped || '{"erased": 1}' end,
  operation_id = case when not %(everything)s then t.operation_id end
where t.user_id = %(user_id)s::uuid and t.status in ('extracted', 'skipped', 'quarantined')
  and case when %(everything)s then t.results <> '[]' or t.dropped <> '{}' or t.operation_id is not null
    else exists (
      select from jsonb_array_elements(t.results) as r (result)
      where (r.result ->> 'memory_id') = any(%(memory_ids)s::text[])
    ) or (t.source_message_id = any(%(mentioning_ids)s::uuid[]) and not t.dropped ? 'erased') end

-- name: conversation_summaries
-- The rolling summaries of the conversations in scope.
-- table: keepsake_chats.conversation_summaries
-- key: conversation_id
where t.conversation_id = any(%(conversation_ids)s::uuid[])

-- name: daily_summaries
-- The summaries of days that rest on the memories, with the version before, or mention the subject.
-- table: public.user_memory_daily_summaries
where t.user_id = %(user_id)s::uuid and
{summary_in_scope}

-- name: history_summaries
-- The histories that rest on the memories, with the version before, or mention the subject.
-- table: public.user_memory_history_summaries
where t.user_id = %(user_id)s::uuid and
{summary_in_scope}

-- name: context_cache
-- The merged contexts that rest on the memories, or mention the subject.
-- table: keepsake.context_cache
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.memory_ids && %(memory_ids)s::uuid[]
  or keepsake.summary_mentions(to_jsonb(t), %(subject)s::text))

-- name: weekly_summaries
-- The summaries of weeks that rest on the memories, or mention the subject.
-- table: public.user_memory_weekly_summaries
where t.user_id = %(user_id)s::uuid and
{summary_in_scope}

-- name: monthly_summaries
-- The summaries of months that rest on the memories, or mention the subject.
-- table: public.user_memory_monthly_summaries
where t.user_id = %(user_id)s::uuid and
{summary_in_scope}

-- name: yearly_comparisons
-- The comparisons of months that rest on the memories, or mention the subject.
-- table: public.user_memory_yearly_comparisons
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.memory_ids && %(memory_ids)s::uuid[]
  or keepsake.summary_mentions(to_jsonb(t), %(subject)s::text))

-- name: changes
-- The audit log of the erased rows; without it the erasure cannot be undone.
-- table: keepsake.changes
where t.user_id = %(user_id)s::uuid
  and (%(everything)s or t.row_id = any(%(memory_ids)s::uuid[]) or t.row_id = any(%(row_ids)s::uuid[])
    or t.seq = any(%(change_seqs)s::bigint[]))

-- name: memory_vector_halves
-- The embedding vectors of the memories in half precision.
-- table: keepsake.memory_vector_halves
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.memory_id = any(%(memory_ids)s::uuid[]))

-- name: memory_vectors
-- The embedding vectors of the memories.
-- table: keepsake.memory_vectors
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.memory_id = any(%(memory_ids)s::uuid[]))

-- name: memory_index
-- The lexemes of the memories.
-- table: keepsake.memory_index
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.memory_id = any(%(memory_ids)s::uuid[]))

-- name: alias_proposals
-- The alias proposals.
-- table: public.user_memory_alias_proposals
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.id = any(%(row_ids)s::uuid[]))

-- name: entities
-- The entities with all their names.
-- table: public.user_memory_entities
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.id = any(%(row_ids)s::uuid[]))

-- name: place_mentions
-- The mentions of places.
-- table: public.user_memory_place_mentions
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.id = any(%(row_ids)s::uuid[]))

-- name: places
-- The places with their notes.
-- table: public.user_memory_places
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.id = any(%(row_ids)s::uuid[]))

-- name: spine
-- The versions of the spine that rest on the memories or to-dos, and those of a profile.
-- table: public.user_memory_spine
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.id = any(%(row_ids)s::uuid[])
  or t.source_ids && %(memory_ids)s::uuid[] or t.source_ids && %(row_ids)s::uuid[])

-- name: session_summaries
-- The summaries of sessions that rest on the memories or to-dos.
-- table: public.user_memory_session_summaries
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.session_id = any(%(row_ids)s::uuid[])
  or t.source_ids && %(memory_ids)s::uuid[] or t.source_ids && %(row_ids)s::uuid[])

-- name: forgotten_summaries
-- With everything: which summaries the person forgot. Otherwise they stay, so that these are not written again.
-- table: public.user_memory_forgotten_summaries
where t.user_id = %(user_id)s::uuid and %(everything)s

-- name: session_state
-- How things stand with each persona; otherwise only for a profile. Deleting a memory or a to-do empties the rolling
-- summaries that rest on it (delete_session_texts).
-- table: public.user_memory_session_state
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.id = any(%(row_ids)s::uuid[]))

-- name: sessions
-- The sessions; otherwise only those of a profile.
-- table: public.user_memory_sessions
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.id = any(%(row_ids)s::uuid[]))

-- name: todos
-- The to-dos: those that mention the subject, and those of the messages that the memories come from.
-- table: public.user_memory_todos
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.id = any(%(row_ids)s::uuid[])
  or t.source_message_id = any(%(message_ids)s::uuid[]) or t.closed_by_message_id = any(%(message_ids)s::uuid[]))

-- name: user_memory
-- The memories.
-- table: public.user_memory
where t.user_id = %(user_id)s::uuid and (%(everything)s or t.id = any(%(memory_ids)s::uuid[]))

-- name: summary_periods
-- With everything: the periods that wait for a summary. Otherwise they stay, so that it is written again without what
-- was erased.
-- table: keepsake.summary_periods
where t.user_id = %(user_id)s::uuid and %(everything)s

-- name: summary_marks
-- With everything: the moments at which memories changed. Otherwise they stay, for the same reason.
-- table: keepsake.summary_marks
where t.user_id = %(user_id)s::uuid and %(everything)s

-- name: due_contexts
-- With everything: that a merged context is due.
-- table: keepsake.due_contexts
where t.user_id = %(user_id)s::uuid and %(everything)s

-- name: timezone_changes
-- With everything: the time zones that the person has left.
-- table: keepsake.timezone_changes
where t.user_id = %(user_id)s::uuid and %(everything)s

-- name: answers
-- With messages: the assistant's answers in conversations without other participants.
-- table: keepsake_chats.messages
-- key: id
where %(include_messages)s and t.user_id is null and t.conversation_id = any(%(own_conversation_ids)s::uuid[])

-- name: titles
-- With messages: the titles of those conversations, which hosts derive from the first message.
-- table: keepsake_chats.conversations
-- blanks: title
set title = null
where %(include_messages)s and t.title is not null and t.id = any(%(own_conversation_ids)s::uuid[])

-- name: messages
-- With messages: the person's own.
-- table: keepsake_chats.messages
-- key: id
where %(include_messages)s and t.user_id = %(user_id)s::uuid
  and (%(everything)s or t.id = any(%(message_ids)s::uuid[]))

-- name: rewrite_mentioning
-- Has the periods whose summaries mention the subject summarized again, and the conversations of these messages.
with periods as (
  insert into keepsake.summary_periods as p (user_id, profile_id, level, first_date, due_at)
  select m.user_id, m.profile_id, m.level, m.first_date, %(now)s::timestamptz
  from keepsake.period_summaries as m join keepsake.summary_kinds as k on k.kind = m.level
  where m.user_id = %(user_id)s and keepsake.summary_mentions(m.summary, %(subject)s)
  order by m.profile_id, k.rank, m.first_date
  on conflict (user_id, profile_id, level, first_date) do update set due_at = least(p.due_at, excluded.due_at)
)
insert into keepsake.conversation_marks (conversation_id)
select distinct m.conversation_id from keepsake_chats.messages as m
where m.user_id = %(user_id)s and m.id = any(%(mentioning_ids)s::uuid[])

-- name: existing_tables
-- Those of the tables that exist in this database.
select t.name from unnest(%(names)s::text[]) as t (name) where to_regclass(t.name) is not null

-- name: enable_hard_delete
-- Hard delete: from here on in this transaction a delete is not logged. It deletes the audit log of its row, except that
-- of a memory: the erasure deletes it itself.
select set_config('keepsake.hard_delete', 'with_log', true)

-- name: exempt_columns
-- Columns without a person's words, and columns that the host owns, each with the reason. Only these may have
-- statistics.
select k.column_name, k.reason
from (values
  ('keepsake.changes.action', 'one of a closed list'),
  ('keepsake.changes.actor', 'one of a closed list'),
  ('keepsake.changes.table_name', 'the name of a table'),
  ('keepsake.changes.why', 'the name of a rule or of a model'),
  ('keepsake.commands.kind', 'one of a closed list'),
  ('keepsake.commands.status', 'one of a closed list'),
  ('keepsake.counters.name', 'what is counted, in our words'),
  ('keepsake.forgotten_statements.words', 'hashes: what was erased stays out of every summary'),
  ('keepsake.forgotten_statements.names', 'hashes: what was erased stays out of every summary'),
  ('keepsake.embedding_models.model', 'the name of a model'),
  ('keepsake.embedding_models.unrelated_deviation', 'measured on texts of ours'),
  ('keepsake.embedding_models.unrelated_mean', 'measured on texts of ours'),
  ('keepsake.extractions.generator', 'one of a closed list'),
  ('keepsake.extractions.model', 'the name of a model'),
  ('keepsake.extractions.reason', 'one of a closed list'),
  ('keepsake.extractions.status', 'one of a closed list'),
  ('keepsake.injections.reason', 'one of a closed list'),
  ('keepsake.injections.variant', 'one of a closed list'),
  ('keepsake.injections.vector_outcome', 'one of a closed list'),
  ('keepsake.memories_to_embed.model', 'the name of a model'),
  ('keepsake.memories_to_embed.reason', 'one of a closed list'),
  ('keepsake.unscreened_edits.rejection', 'one of a closed list'),
  ('keepsake.memory_vector_halves.model', 'the name of a model'),
  ('keepsake.memory_vectors.model', 'the name of a model'),
  ('keepsake.model_profiles.model', 'the name of a model'),
  ('keepsake.model_profiles.refused', 'of a closed list'),
  ('keepsake.model_profiles.schema_mode', 'one of a closed list'),
  ('keepsake.model_verdicts.figures', 'measured on turns of ours'),
  ('keepsake.model_verdicts.model', 'the name of a model'),
  ('keepsake.model_verdicts.prompt_version', 'a hash of the prompt'),
  ('keepsake.model_verdicts.verdict', 'one of a closed list'),
  ('keepsake.model_trials.failure', 'one of a closed list'),
  ('keepsake.model_trials.model', 'the name of a model'),
  ('keepsake.model_trials.prompt_version', 'a hash of the prompt'),
  ('keepsake.model_trials.results', 'made of turns of ours'),
  ('keepsake.model_circuits.model', 'the name of a model'),
  ('keepsake.model_circuits.reason', 'one of a closed list'),
  ('keepsake.model_days.model', 'the name of a model'),
  ('keepsake.model_days.purpose', 'one of a closed list'),
  ('keepsake.procrastinate_jobs.queue_name', 'the name of a queue'),
  ('keepsake.procrastinate_jobs.task_name', 'the name of a task'),
  ('keepsake.procrastinate_periodic_defers.periodic_id', 'the name of a task'),
  ('keepsake.procrastinate_periodic_defers.task_name', 'the name of a task'),
  ('keepsake.watermarks.name', 'one of a closed list'),
  ('keepsake.webhook_deliveries.webhook_id', 'the sender''s name for a delivery'),
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
  ('public.user_memory_session_state.persona_id', 'the host''s name for a persona'),
  ('public.user_memory_session_summaries.generator', 'one of a closed list'),
  ('public.user_memory_session_summaries.persona_id', 'the host''s name for a persona'),
  ('public.user_memory_session_summaries.prompt_version', 'the version of a prompt of ours'),
  ('public.user_memory_sessions.persona_id', 'the host''s name for a persona'),
  ('public.user_memory_todos.kind', 'one of a closed list'),
  ('public.user_memory_todos.persona_id', 'the host''s name for a persona'),
  ('public.user_memory_todos.source', 'one of a closed list'),
  ('public.user_memory_todos.status', 'one of a closed list'),
  ('public.user_memory_settings.retention_days', 'types and days'),
  ('public.user_profile_list.birth_chart', 'the person''s own profile, the host''s'),
  ('public.user_profile_list.locale', 'the person''s own profile, the host''s'),
  ('public.user_profile_list.name', 'the person''s own profile, the host''s'),
  ('public.user_profile_list.nickname', 'the person''s own profile, the host''s'),
  ('public.user_profile_list.pronouns', 'the person''s own profile, the host''s'),
  ('public.user_profile_list.timezone', 'the person''s own profile, the host''s')
) as k (column_name, reason)
