-- What a person said, as far as summaries may be written from it.

-- name: said_between
-- The newest messages that a person said in a period, under a profile, with what each became and whether that was forgotten:
-- none of conversations that are not remembered, none that only one persona may know, and none at all of a person who does not
-- allow every type of memory, because nobody knows which of their sentences those are.
select m.id, m.conversation_id, e.said_at, left(m.content, %(max_length)s) as text, r.ids as memory_ids,
  e.dropped ? 'erased' or r.has_forgotten as is_forgotten,
  case when %(with_answers)s then coalesce((
    select right(a.content, 200) from public.messages as a
    where a.conversation_id = m.conversation_id and a.role::text = 'assistant' and a.created_at > m.created_at
      and a.created_at < m.created_at + interval '1 hour'
    order by a.created_at limit 1
  ), '') else '' end as answer
from keepsake.extractions as e
join public.messages as m on m.id = e.source_message_id and m.conversation_id = e.conversation_id and m.user_id = e.user_id
join public.conversations as c on c.id = e.conversation_id
join public.conversations_participants as p on p.conversation_id = e.conversation_id and p.user_id = e.user_id
left join public.user_memory_settings as s on s.user_id = e.user_id
cross join lateral (
  select coalesce(array_agg(g.id) filter (where g.id is not null and g.status <> 'deleted'), '{}') as ids,
    coalesce(bool_or(g.id is null or g.status = 'deleted'), false) as has_forgotten,
    coalesce(bool_or(g.persona_id is not null), false) as is_reserved
  from jsonb_array_elements(e.results) as r (result)
  left join public.user_memory as g on g.user_id = e.user_id and g.id = (r.result ->> 'memory_id')::uuid
) as r
where e.user_id = %(user_id)s and e.profile_id = %(profile_id)s and e.said_at >= %(start)s and e.said_at < %(end)s
  and (e.status = 'extracted' or e.reason = 'language') and m.content <> '' and not r.is_reserved
  and keepsake.is_memory_enabled(c.mode::text, p.memory_enabled) and coalesce(s.enabled, true)
  and e.said_at >= coalesce(s.erased_before, '-infinity')
  and (s.allowed_types is null or s.allowed_types @> enum_range(null::public.memory_type))
  and (%(persona_id)s::text is null or c.persona_id is not distinct from nullif(%(persona_id)s::text, ''))
order by e.said_at desc, m.id desc limit %(limit)s


-- name: forgotten
-- What a person has forgotten, of which sentences of their messages may tell no more, as hashes. A name of which something
-- from before is still remembered is no forgotten one.
with gone as (
  select f.words, f.names, f.forgotten_at from keepsake.forgotten_statements as f where f.user_id = %(user_id)s
  union all
  select keepsake.word_hashes(m.user_id, m.memory_text), keepsake.word_hashes(m.user_id, m.entity_label), m.deleted_at
  from public.user_memory as m
  where m.user_id = %(user_id)s and m.status = 'deleted' and m.source_message_id is not null
), known as (
  select keepsake.word_hashes(m.user_id, m.entity_label) as names, min(m.valid_from) as since
  from public.user_memory as m
  where m.user_id = %(user_id)s and m.status = 'active' and m.entity_label is not null
  group by 1
)
select g.words, case when exists (
    select from known as k where k.names = g.names and k.since <= g.forgotten_at
  ) then '{}' else g.names end as names, g.forgotten_at
from gone as g

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

-- name: text_of_day
-- The summary of a day, for the one after it.
select s.summary as text from public.user_memory_daily_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.summary_date = %(first_date)s and not exists (
    select from public.user_memory as m where m.user_id = s.user_id and m.id = any(s.memory_ids) and
{hidden_from_summaries}
  )

-- name: text_of_week
-- The summary of a week, for the one after it.
select concat_ws(' ', s.emotional_summary, s.summary) as text from public.user_memory_weekly_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.week_start_date = %(first_date)s::date and not exists (
    select from public.user_memory as m where m.user_id = s.user_id and m.id = any(s.memory_ids) and
{hidden_from_summaries}
  )

-- name: text_of_month
-- The summary of a month, for the one after it.
select concat_ws(' ', s.emotional_summary, s.cognitive_summary) as text from public.user_memory_monthly_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.year = extract(year from %(first_date)s::date)
  and s.month = extract(month from %(first_date)s::date) and not exists (
    select from public.user_memory as m where m.user_id = s.user_id and m.id = any(s.memory_ids) and
{hidden_from_summaries}
  )
