-- What extraction asks of the memories, and does to them.

-- name: lock_profile
-- One merge at a time for a person's profile.
select pg_advisory_xact_lock(hashtextextended('keepsake.merge:' || %(user_id)s::text || %(profile_id)s::text, 0))

-- name: hold_memories
-- Lock the memories about to change, always in the order of their ids, so that nobody waits in a circle.
select id from public.user_memory
where user_id = %(user_id)s and id = any(%(ids)s::uuid[])
order by id for no key update

-- name: begin_operation
-- Name the operation that the changes to come belong to, who does it, and why.
select set_config('keepsake.operation_id', %(operation_id)s, true), set_config('keepsake.actor', %(actor)s, true),
  set_config('keepsake.reason', %(reason)s, true)

-- name: active_memories
-- Everything active in a profile for every persona, or for one alone: what a new statement for the same ears is compared
-- with. The order of the columns is the store's.
select id, memory_no, memory_type, subtype, memory_text, confidence_score, importance, pinned, source, status,
  reference_count, created_at, valid_from, memory_key, value, entity_refs, entity_label, language, expires_at,
  last_referenced_at, conversation_id, persona_id
from public.user_memory
where user_id = %(user_id)s and profile_id = %(profile_id)s and status = 'active'
  and persona_id is not distinct from %(persona_id)s
order by created_at, memory_no

-- name: relevant_memories
-- Of everything active in a profile for the same ears, what a new statement may touch: by the beginning of its key, or by
-- half of its words or of the statement's where either has no key (one that a person's own words give is yet to be
-- derived). What is folded into another memory comes too, archived as it is. Each is looked up by an index, whatever the planner expects. The order of the columns is the store's.
with said as materialized (
  select t.keyed, tsvector_to_array(to_tsvector(keepsake.text_search_config(t.language), t.said)) as words
  from unnest(%(texts)s::text[], %(languages)s::text[], %(keyed)s::boolean[]) as t (said, language, keyed)
),
under_key as (
  select m.id
  from unnest(%(prefixes)s::text[]) as p (prefix)
  cross join lateral (
    select k.id from public.user_memory as k
    where k.user_id = %(user_id)s and k.profile_id = %(profile_id)s and k.status = 'active' and k.memory_key is not null
      and k.memory_key ~>=~ p.prefix and k.memory_key ~<~ (p.prefix || U&'\+10FFFF')
    offset 0
  ) as m
),
folded as (
  select m.id
  from unnest(%(prefixes)s::text[]) as p (prefix)
  cross join lateral (
    select k.id from public.user_memory as k
    where k.user_id = %(user_id)s and k.profile_id = %(profile_id)s and k.status = 'archived'
      and k.folded_into is not null and k.memory_key ~>=~ p.prefix and k.memory_key ~<~ (p.prefix || U&'\+10FFFF')
    offset 0
  ) as m
),
without_key as (
  select m.id from public.user_memory as m
  where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status = 'active' and m.memory_key is null
    and (m.source in ('user', 'import', 'curated_fold') or exists (
      select from said as s
      cross join lateral (
        select tsvector_to_array(i.lexemes) as words from keepsake.memory_index as i
        where i.user_id = %(user_id)s and i.memory_id = m.id
      ) as i
      where 2 * (select count(*) from unnest(i.words) as w (word) where w.word = any (s.words))
        >= least(cardinality(i.words), cardinality(s.words))
    ))
),
alike as (
  select m.id
  from said as s
  cross join lateral (
    select i.memory_id as id, tsvector_to_array(i.lexemes) as words from keepsake.memory_index as i
    where not s.keyed
      and keepsake.words_of(i.profile_id, tsvector_to_array(i.lexemes)) && keepsake.words_of(%(profile_id)s, s.words)
    offset 0
  ) as m
  where 2 * (select count(*) from unnest(m.words) as w (word) where w.word = any (s.words))
    >= least(cardinality(m.words), cardinality(s.words))
)
select m.*
from (
  select id from under_key union select id from folded union select id from without_key union select id from alike
) as r
cross join lateral (
  select a.id, a.memory_no, a.memory_type, a.subtype, a.memory_text, a.confidence_score, a.importance, a.pinned, a.source,
    a.status, a.reference_count, a.created_at, a.valid_from, a.memory_key, a.value, a.entity_refs, a.entity_label,
    a.language, a.expires_at, a.last_referenced_at, a.conversation_id, a.persona_id
  from public.user_memory as a
  where a.user_id = %(user_id)s and a.id = r.id and a.profile_id = %(profile_id)s
    and (a.status = 'active' or a.status = 'archived' and a.folded_into is not null)
    and (%(every_persona)s or a.persona_id is not distinct from %(persona_id)s)
  offset 0
) as m
order by m.created_at, m.memory_no

-- name: recent_memories
-- What a person was remembered for in a conversation up to a moment, newest first: "actually it's ramen" speaks of it.
select id, memory_no, memory_type, subtype, memory_text, confidence_score, importance, pinned, source, status,
  reference_count, created_at, valid_from, memory_key, value, entity_refs, entity_label, language, expires_at,
  last_referenced_at, conversation_id, persona_id
from public.user_memory
where user_id = %(user_id)s and profile_id = %(profile_id)s and conversation_id = %(conversation_id)s
  and status = 'active' and valid_from <= %(until)s
  and (persona_id is null
    or persona_id = (select c.persona_id from public.conversations as c where c.id = %(conversation_id)s))
order by valid_from desc, memory_no desc
limit %(limit)s

-- name: insert_memory
-- Store one memory, under the operation it belongs to.
with operation as materialized (
  select set_config('keepsake.operation_id', %(operation_id)s, true), set_config('keepsake.actor', %(actor)s, true),
    set_config('keepsake.reason', %(reason)s, true)
)
insert into public.user_memory (user_id, profile_id, conversation_id, source_message_id, turn_index, memory_text,
  memory_type, confidence_score, origin_mode, created_at, updated_at, subtype, entity_type, memory_key, value, importance,
  entity_refs, entity_label, language, source, source_quote, supersedes_id, valid_from, expires_at, astrological_context,
  persona_id, pinned)
select %(user_id)s, %(profile_id)s, %(conversation_id)s, %(message_id)s, %(turn_index)s, %(text)s,
  %(type)s::public.memory_type, %(confidence)s, %(mode)s, %(now)s, %(now)s, %(subtype)s, %(entity_type)s, %(key)s,
  %(value)s, %(importance)s, %(entity_refs)s::text[], %(entity_label)s, %(language)s, %(source)s, %(quote)s,
  %(supersedes_id)s, %(said_at)s, %(expires_at)s, %(astrological_context)s, %(persona_id)s,
  exists (  -- a pin is on what is said of a thing, and holds when that changes
    select from public.user_memory as o
    where o.user_id = %(user_id)s::uuid and o.id = %(supersedes_id)s::uuid and o.pinned and o.memory_key = %(key)s::text)
from operation
returning id, memory_no, memory_type, memory_text, confidence_score

-- name: reinforce_memory
-- The person said it again; said later than before, it counts from now on. What an agent had told is their own from here.
with operation as materialized (
  select set_config('keepsake.operation_id', %(operation_id)s, true), set_config('keepsake.actor', %(actor)s, true),
    set_config('keepsake.reason', %(reason)s, true)
)
update public.user_memory
set reference_count = %(reference_count)s, importance = %(importance)s, confidence_score = %(confidence)s,
  source = case when source = 'agent_tool' then %(source)s else source end,
  last_referenced_at = %(now)s, updated_at = %(now)s,
  valid_from = case when %(refresh)s then %(said_at)s else valid_from end,
  expires_at = case when %(refresh)s and expires_at is not null then coalesce(%(expires_at)s, expires_at)
    else expires_at end
from operation
where user_id = %(user_id)s and id = %(id)s and status = 'active'
returning id, memory_no, memory_type, memory_text, confidence_score

-- name: close_memory
-- What it says no longer holds; the row stays as history.
with operation as materialized (
  select set_config('keepsake.operation_id', %(operation_id)s, true), set_config('keepsake.actor', %(actor)s, true),
    set_config('keepsake.reason', %(reason)s, true)
)
update public.user_memory
set status = 'superseded', valid_to = %(said_at)s, updated_at = %(now)s
from operation
where user_id = %(user_id)s and id = %(id)s and status = 'active'
returning id

-- name: archive_over_cap
-- Archive the oldest unpinned memories beyond what a profile may hold. Each active one has its words in the index, which is
-- the smaller table to count. What an agent adds pushes out what agents added alone.
with room as materialized (
  select count(*) - %(cap)s as over, set_config('keepsake.reason', 'over the cap', true)
  from keepsake.memory_index as i
  where i.user_id = %(user_id)s and i.profile_id = %(profile_id)s
),
oldest as materialized (
  select o.id from room
  cross join lateral (
    select m.id from public.user_memory as m
    where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status = 'active' and not m.pinned
      and (not %(agent_alone)s or m.source = 'agent_tool' and m.confidence_score < 1.0)
    order by m.created_at, m.memory_no
    limit greatest(0, room.over)
  ) as o
)
update public.user_memory
set status = 'archived', archived_at = %(now)s, updated_at = %(now)s
where user_id = %(user_id)s and id in (select id from oldest)
returning id
