-- What belongs to a period beside its messages: people, plans, corrections, and the texts beneath and before.

-- name: corrections
-- What the person has put right of what they said in a period.
select m.id, m.memory_text as text, m.source_message_id as message_id, m.valid_from as said_at
from public.user_memory as m
where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status <> 'deleted' and m.source = 'user'
  and m.source_message_id is not null and m.persona_id is null and m.valid_from >= %(start)s and m.valid_from < %(end)s
  and not exists (select from keepsake.unscreened_edits as e where e.user_id = m.user_id and e.memory_id = m.id)
order by m.valid_from, m.memory_no limit 50

-- name: known_people
-- The people of a person, and who they are to them: what may be named without being said again.
select m.id, m.memory_text as text from public.user_memory as m
left join public.user_memory_settings as s on s.user_id = m.user_id
where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status = 'active' and m.persona_id is null
  and (m.memory_type = 'relationship' or exists (
    select from unnest(m.entity_refs) as r (ref) where r.ref like 'person:%%' and r.ref <> 'person:self'
  ))
  and m.valid_from < %(end)s and (s.allowed_types is null or m.memory_type = any(s.allowed_types))
  and not exists (select from keepsake.unscreened_edits as e where e.user_id = m.user_id and e.memory_id = m.id)
order by m.importance desc, m.valid_from desc, m.memory_no limit 30

-- name: open_plans
-- The to-dos that were open when a period began, the newest first, and the goals from before it that hold.
(
  select t.todo_text as text, t.opened_at as since from public.user_memory_todos as t
  where t.user_id = %(user_id)s and t.profile_id = %(profile_id)s and t.persona_id is null and t.opened_at < %(start)s
    and (t.status = 'open' or t.closed_at >= %(start)s) and not exists (
      select from public.user_memory as m
      where m.user_id = t.user_id and m.source_message_id = t.source_message_id and m.status = 'deleted'
    )
  order by t.opened_at desc limit 10
)
union all
(
  select m.memory_text, m.valid_from from public.user_memory as m
  left join public.user_memory_settings as s on s.user_id = m.user_id
  where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.memory_type = 'goal' and m.persona_id is null
    and m.status in ('active', 'superseded') and m.valid_from < %(start)s and coalesce(m.valid_to, 'infinity') >= %(start)s
    and (s.allowed_types is null or m.memory_type = any(s.allowed_types))
    and not exists (select from keepsake.unscreened_edits as e where e.user_id = m.user_id and e.memory_id = m.id)
  order by m.valid_from desc limit 10
)
order by since

-- name: sessions_between
-- The summaries of the sessions that ended in a period, as texts: what a longer summary is written from where the messages are
-- too many, or gone.
select s.id as row_id, s.one_liner || ' ' || array_to_string(s.what_mattered || s.commitments || s.open_loops, ', ') as text,
  s.ended_at as said_at, s.source_ids as memory_ids, s.message_ids
from public.user_memory_session_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.ended_at >= %(start)s and s.ended_at < %(end)s
  and s.persona_id is null and not exists (
    select from public.user_memory as m where m.user_id = s.user_id and m.id = any(s.source_ids) and
{hidden_from_summaries}
  )
order by s.ended_at limit 200

-- name: text_of_period
-- The summary of a period, for the one after it.
select array_to_string(s.texts[:][2:2], ' ') as text from keepsake.period_summaries as s
where
{of_period}
  and not exists (
    select from public.user_memory as m where m.user_id = s.user_id and m.id = any(s.memory_ids) and
{hidden_from_summaries}
  )
