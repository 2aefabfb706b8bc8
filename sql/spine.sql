-- The spine of a profile: when a new version is due, what it is written from, and writing it.

-- name: due
-- How many messages the person has written since the newest version, and in all (the states count them), what wrote it, and
-- whether the person forgot the spine.
select coalesce(sum(s.message_count), 0)::bigint - coalesce(max(n.message_count), 0) as since,
  coalesce(sum(s.message_count), 0)::bigint as total, max(n.generator) as generator,
  exists (
    select from public.user_memory_forgotten_summaries as f
    where f.user_id = %(user_id)s and f.profile_id = %(profile_id)s and f.kind = 'spine'
  ) as is_forgotten
from public.user_memory_session_state as s
left join lateral (
  select v.message_count, v.generator from public.user_memory_spine as v
  where v.user_id = %(user_id)s and v.profile_id = %(profile_id)s order by v.version desc limit 1
) as n on true
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s

-- name: spine_memories
-- What holds of the person for every persona, the most important first: no feelings, nothing that expires, but for what is
-- about a day from a date on, where one is given; that comes first.
select m.id, m.memory_type::text as type, m.subtype, m.memory_text as text, m.valid_from as moment, m.importance,
  m.entity_label, m.entity_refs, m.conversation_id,
  m.source = 'rule_extraction' as is_by_rules, m.source = 'rule_extraction' and m.memory_key is null as is_unclear
from public.user_memory as m
left join public.user_memory_settings as s on s.user_id = m.user_id
where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status = 'active' and m.doubted_at is null
  and m.persona_id is null and m.memory_type <> 'emotion'
  and (m.expires_at is null or (m.period >= %(from_day)s::date::text and m.expires_at > %(from_day)s::date))
  and (s.allowed_types is null or m.memory_type = any(s.allowed_types))
  and not exists (
    select from keepsake.unscreened_edits as e where e.user_id = m.user_id and e.memory_id = m.id
  )
order by m.pinned desc, m.expires_at is null, m.importance desc, m.valid_from desc, m.memory_no desc
limit %(limit)s

-- name: spine_todos
-- The open to-dos that were said to no persona, the newest first.
select t.id, t.kind, t.todo_text as text, t.status
from public.user_memory_todos as t
where t.user_id = %(user_id)s and t.profile_id = %(profile_id)s and t.persona_id is null and t.status = 'open'
  and not exists (
    select from public.user_memory as m
    where m.user_id = t.user_id and m.source_message_id = t.source_message_id and m.status = 'deleted'
  )
order by t.opened_at desc, t.id
limit %(limit)s

-- name: spine_notes
-- The notes of the newest sessions with no persona, oldest first.
select n.* from (
  select s.id as row_id, s.one_liner as text, s.ended_at as said_at, s.source_ids as memory_ids, s.message_ids
  from public.user_memory_session_summaries as s
  where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.persona_id is null and s.generator = 'llm'
    and not exists (
      select from public.user_memory as m where m.user_id = s.user_id and m.id = any(s.source_ids) and
{hidden_from_summaries}
    )
  order by s.ended_at desc limit 20
) as n
order by n.said_at

-- name: write_spine
-- Writes the next version; where another one was written meanwhile, none.
insert into public.user_memory_spine (user_id, profile_id, version, content, message_count, source_ids, message_ids, generator,
  prompt_version, created_at)
select %(user_id)s, %(profile_id)s, coalesce(max(s.version), 0) + 1, %(content)s, %(message_count)s, %(source_ids)s,
  %(message_ids)s, %(generator)s, %(prompt_version)s, %(now)s
from public.user_memory_spine as s where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s
on conflict (user_id, profile_id, version) do nothing
