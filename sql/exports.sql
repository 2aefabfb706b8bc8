-- What leaves with an export: for each section of domain/transfer/sections.py the query of its name, one JSON row a row.

-- name: in_utc
-- Every moment is written in UTC.
select set_config('TimeZone', 'UTC', true)

-- name: profiles
-- Who the person is here.
select row_to_json(p)::text as row from public.user_profile_list as p where p.user_id = %(user_id)s order by p.id

-- name: settings
-- What they allow.
select row_to_json(s)::text as row from public.user_memory_settings as s where s.user_id = %(user_id)s

-- name: consent
-- What they chose in each chat, and since when their words there are read.
select row_to_json(p)::text as row
from public.conversations_participants as p
where p.user_id = %(user_id)s
order by p.conversation_id

-- name: entities
-- Whom and what their memories are about.
select row_to_json(e)::text as row from public.user_memory_entities as e where e.user_id = %(user_id)s
order by e.profile_id, e.key

-- name: alias_proposals
-- Which names may be one, and what they decided about it.
select row_to_json(p)::text as row from public.user_memory_alias_proposals as p where p.user_id = %(user_id)s
order by p.profile_id, p.key, p.variant

-- name: places
-- Places that matter to them.
select row_to_json(p)::text as row from public.user_memory_places as p where p.user_id = %(user_id)s
order by p.profile_id, p.place_id

-- name: place_mentions
-- Where they spoke of those places.
select row_to_json(m)::text as row from public.user_memory_place_mentions as m where m.user_id = %(user_id)s
order by m.mentioned_at, m.id

-- name: memories
-- Everything remembered of them, in every state; what was deleted more than 30 days ago is gone, or about to be.
select row_to_json(m)::text as row
from public.user_memory as m
where m.user_id = %(user_id)s
  and (m.status <> 'deleted' or m.deleted_at > %(now)s::timestamptz - interval '30 days')
order by m.memory_no

-- name: conversation_summaries
-- The rolling summaries of their chats; one in which somebody else wrote tells of them too, and is not one person's to take
-- along.
select row_to_json(s)::text as row
from public.conversation_summaries as s
where s.conversation_id in (
  select p.conversation_id from public.conversations_participants as p where p.user_id = %(user_id)s
) and not exists (
  select from public.messages as m where m.conversation_id = s.conversation_id and m.user_id <> %(user_id)s
)
order by s.conversation_id

-- name: extraction_counts
-- How many of their turns were looked at, and what became of them.
select row_to_json(e)::text as row
from (
  select x.status, x.reason, x.generator, count(*) as turns
  from keepsake.extractions as x
  where x.user_id = %(user_id)s
  group by x.status, x.reason, x.generator
  order by x.status, x.reason, x.generator
) as e
