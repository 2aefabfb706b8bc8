-- The queries of an export: one for each section of store/exports.py, by its name; each row is one JSON
-- object.

-- name: set_utc
-- All timestamps are written in UTC.
select set_config('TimeZone', 'UTC', true)

-- name: profiles
-- The person's profiles.
select row_to_json(p)::text as row from keepsake_chats.user_profile_list as p where p.user_id = %(user_id)s order by p.id

-- name: settings
-- Their settings.
select row_to_json(s)::text as row from public.user_memory_settings as s where s.user_id = %(user_id)s

-- name: consent
-- Their choice in each conversation, and since when their messages there are read.
select row_to_json(p)::text as row
from keepsake_chats.conversations_participants as p
where p.user_id = %(user_id)s
order by p.conversation_id

-- name: entities
-- The entities of their memories.
select row_to_json(e)::text as row from public.user_memory_entities as e where e.user_id = %(user_id)s
order by e.profile_id, e.key

-- name: alias_proposals
-- Their alias proposals with their decisions.
select row_to_json(p)::text as row from public.user_memory_alias_proposals as p where p.user_id = %(user_id)s
order by p.profile_id, p.key, p.variant

-- name: places
-- Their places.
select row_to_json(p)::text as row from public.user_memory_places as p where p.user_id = %(user_id)s
order by p.profile_id, p.place_id

-- name: place_mentions
-- The mentions of those places.
select row_to_json(m)::text as row from public.user_memory_place_mentions as m where m.user_id = %(user_id)s
order by m.mentioned_at, m.id

-- name: memories
-- Their memories in every state; what was deleted more than 30 days ago is removed, or about to be.
select row_to_json(m)::text as row
from public.user_memory as m
where m.user_id = %(user_id)s
  and (m.status <> 'deleted' or m.deleted_at > %(now)s::timestamptz - interval '30 days')
order by m.memory_no

-- name: todos
-- Their to-dos.
select row_to_json(t)::text as row from public.user_memory_todos as t where t.user_id = %(user_id)s
order by t.opened_at, t.id

-- name: conversation_summaries
-- The rolling summaries of their conversations, without those in which somebody else wrote.
select row_to_json(s)::text as row
from keepsake_chats.conversation_summaries as s
where s.conversation_id in (
  select p.conversation_id from keepsake_chats.conversations_participants as p where p.user_id = %(user_id)s
) and not exists (
  select from keepsake_chats.messages as m where m.conversation_id = s.conversation_id and m.user_id <> %(user_id)s
)
order by s.conversation_id

-- name: daily_summaries
-- The summaries of their days.
select row_to_json(s)::text as row from public.user_memory_daily_summaries as s where s.user_id = %(user_id)s
order by s.profile_id, s.summary_date

-- name: history_summaries
-- What the days before each date were about.
select row_to_json(s)::text as row from public.user_memory_history_summaries as s where s.user_id = %(user_id)s
order by s.profile_id, s.end_date

-- name: context_cache
-- The text that contexts begin with, made of facts, the current day and the history.
select row_to_json(c)::text as row from keepsake.context_cache as c where c.user_id = %(user_id)s
order by c.profile_id

-- name: forgotten_summaries
-- Which summaries they forgot.
select row_to_json(s)::text as row from public.user_memory_forgotten_summaries as s where s.user_id = %(user_id)s
order by s.id

-- name: weekly_summaries
-- The summaries of their weeks.
select row_to_json(s)::text as row from public.user_memory_weekly_summaries as s where s.user_id = %(user_id)s
order by s.profile_id, s.week_start_date

-- name: monthly_summaries
-- The summaries of their months.
select row_to_json(s)::text as row from public.user_memory_monthly_summaries as s where s.user_id = %(user_id)s
order by s.profile_id, s.year, s.month

-- name: sessions
-- Their sessions.
select row_to_json(s)::text as row from public.user_memory_sessions as s where s.user_id = %(user_id)s
order by s.started_at, s.id

-- name: session_summaries
-- The summaries of their sessions.
select row_to_json(s)::text as row from public.user_memory_session_summaries as s where s.user_id = %(user_id)s
order by s.ended_at, s.id

-- name: session_state
-- How things stand with each persona.
select row_to_json(s)::text as row from public.user_memory_session_state as s where s.user_id = %(user_id)s
order by s.last_interaction, s.id

-- name: spine
-- The versions of their spine.
select row_to_json(s)::text as row from public.user_memory_spine as s where s.user_id = %(user_id)s
order by s.profile_id, s.version

-- name: yearly_comparisons
-- The comparisons of their months with the year before.
select row_to_json(c)::text as row from public.user_memory_yearly_comparisons as c where c.user_id = %(user_id)s
order by c.profile_id, c.year, c.month

-- name: changes
-- What was done to their memories: when, by whom, for which reason, and which mechanism found what was said.
select row_to_json(h)::text as row
from (
  select c.row_id as memory_id, c.action, c.after ->> 'status' as status, c.actor, c.reason, c.why, c.created_at,
    c.undone_at, c.operation_id
  from keepsake.changes as c
  where c.user_id = %(user_id)s and c.table_name = 'user_memory'
  order by c.seq
) as h

-- name: extraction_counts
-- The number of their turns by state, reason and generator.
select row_to_json(e)::text as row
from (
  select x.status, x.reason, x.generator, count(*) as turns
  from keepsake.extractions as x
  where x.user_id = %(user_id)s
  group by x.status, x.reason, x.generator
  order by x.status, x.reason, x.generator
) as e
