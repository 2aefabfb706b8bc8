-- Keeps erased content from being extracted or imported again: consent, the turns and the imports in progress.

-- name: raise_statement_timeout
-- An erasure may read much: it gets a longer timeout than other statements.
select set_config('statement_timeout', '300s', true)

-- name: set_erased_before
-- Messages before this moment are never read again. The database's clock counts too, because it stamps messages.
update public.user_memory_settings
set erased_before = greatest(erased_before, %(now)s::timestamptz, clock_timestamp())
where user_id = %(user_id)s
returning erased_before

-- name: insert_erased_before
-- The settings of a person who has none, with this moment.
insert into public.user_memory_settings as s (user_id, erased_before)
values (%(user_id)s, greatest(%(now)s::timestamptz, clock_timestamp()))
on conflict (user_id) do update set erased_before = greatest(s.erased_before, excluded.erased_before)
returning erased_before

-- name: note_erasure
-- Counts the erasures of a person: an import that began before the last one may not write.
insert into keepsake.counters as c (user_id, name, value) values (%(user_id)s, 'erasures', 1)
on conflict (user_id, name, period_start) do update set value = c.value + 1

-- name: restart_consent
-- Memory of a profile starts now in every conversation that uses it.
update keepsake_chats.conversations_participants as p set remember_since = %(now)s
where p.user_id = %(user_id)s and p.profile_id = %(profile_id)s

-- name: pending_turns_mentioning
-- Unfinished turns of the last days that mention a targeted memory: by its words, its value or the subject.
with pending as materialized (
  select m.id, m.content from keepsake_chats.messages as m
  left join keepsake.extractions as e on e.user_id = m.user_id and e.source_message_id = m.id
  where m.user_id = %(user_id)s and m.role::text = 'user' and m.created_at > %(since)s
    and (e.id is null or e.id = any(%(open_ids)s::uuid[]))
)
select m.id from pending as m
where (%(subject)s::text is not null and keepsake.text_mentions(m.content, %(subject)s, 'en')) or exists (
  select from public.user_memory as g
  where g.user_id = %(user_id)s and g.id = any(%(memory_ids)s::uuid[]) and (
    keepsake.text_mentions(m.content, g.memory_text, g.language)
    or keepsake.text_mentions(m.content, replace(coalesce(nullif(split_part(g.memory_key, '|', 5), ''), g.value), '_', ' '),
      g.language)
    or strpos(lower(keepsake.clean_text(m.content)), lower(keepsake.clean_text(g.source_quote))) > 0
  )
)

-- name: unprocessed_messages
-- Messages with a timestamp from this moment on that have no extraction row.
select m.id from keepsake_chats.messages as m
where m.user_id = %(user_id)s and m.role::text = 'user' and m.created_at >= %(since)s and not exists (
  select from keepsake.extractions as e where e.user_id = m.user_id and e.source_message_id = m.id
)

-- name: end_turns
-- Marks these turns as skipped; the holder of a claim can no longer write.
insert into keepsake.extractions as e
  (conversation_id, source_message_id, user_id, status, reason, created_at, finished_at)
select m.conversation_id, m.id, m.user_id, 'skipped', 'before_consent', %(now)s, %(now)s
from keepsake_chats.messages as m
where m.user_id = %(user_id)s and m.id = any(%(message_ids)s::uuid[])
on conflict (user_id, source_message_id) do update
  set status = 'skipped', reason = excluded.reason, claim_token = null, next_attempt_at = null,
    finished_at = excluded.finished_at
  where e.status in ('pending', 'claimed')

-- name: requeue_turns
-- Requeues claimed turns, whose context may contain erased memories; the holder of a claim can no longer write.
update keepsake.extractions
set status = 'pending', claim_token = null, next_attempt_at = %(now)s, attempts = greatest(attempts - 1, 0)
where user_id = %(user_id)s and id = any(%(open_ids)s::uuid[]) and status = 'claimed'
