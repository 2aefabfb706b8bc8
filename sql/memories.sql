-- The memories as extraction reads and writes them.

-- name: active_memories
-- The active memories of a profile for every persona. The order of the columns is the store's.
select {memory_columns}
from public.user_memory
where user_id = %(user_id)s and profile_id = %(profile_id)s and status = 'active' and persona_id is null
order by created_at, memory_no

-- name: relevant_memories
-- The active memories of a profile in the same persona scope that a new statement may merge with: by the prefix of its
-- key, or by half of the words of either: keys of multi-valued attributes contain the wording. What the person wrote
-- themself has no key until it is compared; an import derives the keys, and what has none then is found by its words.
-- Folded memories are included. Each branch uses an index; offset 0 keeps the planner from joining it otherwise. It has no
-- statistics of owners and would read all of a person's memories for each id or prefix: `is not distinct from` leaves it the
-- id or the key only.
with statements as materialized (
  select tsvector_to_array(to_tsvector(keepsake.text_search_config(t.language), t.content)) as words
  from unnest(%(texts)s::text[], %(languages)s::text[]) as t (content, language)
),
by_key_prefix as (
  select m.id
  from unnest(%(prefixes)s::text[]) as p (prefix)
  cross join lateral (
    select k.id from public.user_memory as k
    where k.user_id is not distinct from %(user_id)s and k.status is not distinct from 'active' and k.memory_key is not null
      and k.profile_id::text || k.memory_key ~>=~ (%(profile_id)s::uuid::text || p.prefix)
      and k.profile_id::text || k.memory_key ~<~ (%(profile_id)s::uuid::text || p.prefix || U&'\+10FFFF')
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
own_texts as (
  select m.id from public.user_memory as m
  where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status = 'active' and m.memory_key is null
    and m.source in ('user', 'curated_fold')
),
by_shared_words as (
  select m.id
  from statements as s
  cross join lateral (
    select i.memory_id as id, tsvector_to_array(i.lexemes) as words from keepsake.memory_index as i
    where keepsake.profile_terms(i.profile_id, tsvector_to_array(i.lexemes)) && keepsake.profile_terms(%(profile_id)s, s.words)
    offset 0
  ) as m
  where 2 * (select count(*) from unnest(m.words) as w (word) where w.word = any (s.words))
    >= least(cardinality(m.words), cardinality(s.words))
)
select m.*
from (
  select id from by_key_prefix union select id from folded union select id from own_texts
  union select id from by_shared_words
) as r
cross join lateral (
  select {memory_columns:a}
  from public.user_memory as a
  where a.id = r.id and a.user_id is not distinct from %(user_id)s and a.profile_id = %(profile_id)s
    and (a.status = 'active' or a.status = 'archived' and a.folded_into is not null)
    and (%(every_persona)s or a.persona_id is not distinct from %(persona_id)s)
  offset 0
) as m
order by m.created_at, m.memory_no

-- name: recent_memories
-- The memories of each turn's conversation up to its moment, newest first: a correction ("actually it's ramen") refers to
-- them. Each turn is given by its number.
select t.number, {memory_columns:r}
from unnest(%(user_ids)s::uuid[], %(profile_ids)s::uuid[], %(conversation_ids)s::uuid[], %(moments)s::timestamptz[])
  with ordinality as t (user_id, profile_id, conversation_id, until, number)
cross join lateral (
  select {memory_columns}
  from public.user_memory
  where user_id = t.user_id and profile_id = t.profile_id and conversation_id = t.conversation_id
    and status = 'active' and coalesce(restated_at, valid_from) <= t.until
    and (persona_id is null
      or persona_id = (select c.persona_id from keepsake_chats.conversations as c where c.id = t.conversation_id))
  order by coalesce(restated_at, valid_from) desc, memory_no desc
  limit %(limit)s
) as r
order by t.number, coalesce(r.restated_at, r.valid_from) desc, r.memory_no desc

-- name: insert_memory
-- Inserts one memory under its operation.
{under_operation}
insert into public.user_memory (user_id, profile_id, conversation_id, source_message_id, turn_index, memory_text,
  memory_type, confidence_score, origin_mode, created_at, updated_at, subtype, entity_type, memory_key, value, importance,
  entity_refs, entity_label, language, source, source_quote, supersedes_id, valid_from, expires_at, astrological_context,
  persona_id, period, pinned)
select %(user_id)s, %(profile_id)s, %(conversation_id)s, %(message_id)s, %(turn_index)s, %(text)s,
  %(type)s::public.memory_type, %(confidence)s, %(mode)s, %(now)s, %(now)s, %(subtype)s, %(entity_type)s, %(key)s,
  %(value)s, %(importance)s, %(entity_refs)s::text[], %(entity_label)s, %(language)s, %(source)s, %(quote)s,
  %(supersedes_id)s, %(said_at)s, %(expires_at)s, %(astrological_context)s, %(persona_id)s, %(period)s,
  exists (  -- a pin belongs to the key, and stays when the statement is superseded
    select from public.user_memory as o
    where o.user_id = %(user_id)s::uuid and o.id = %(supersedes_id)s::uuid and o.pinned and o.memory_key = %(key)s::text)
from operation
returning id, memory_no, memory_type, memory_text, confidence_score

-- name: reinforce_memory
-- Reinforces a memory that was stated again; since when it holds stays, unless this message arrived late. An
-- agent's memory becomes the person's own.
{under_operation}
update public.user_memory
set reference_count = %(reference_count)s, importance = %(importance)s, confidence_score = %(confidence)s,
  source = case when source = 'agent_tool' then %(source)s else source end,
  last_referenced_at = %(now)s, updated_at = %(now)s,
  doubted_at = case when %(is_later)s then null else doubted_at end,
  restated_at = case when %(is_later)s then %(said_at)s
    when %(said_at)s < valid_from and supersedes_id is null then coalesce(restated_at, valid_from) else restated_at end,
  valid_from = case when supersedes_id is null then least(valid_from, %(said_at)s) else valid_from end,
  expires_at = case when %(is_later)s and expires_at is not null then coalesce(%(expires_at)s, expires_at)
    else expires_at end,
  period = case when %(is_later)s then coalesce(%(period)s, period) else coalesce(period, %(period)s) end
from operation
where user_id = %(user_id)s and id = %(id)s and status = 'active'
returning id, memory_no, memory_type, memory_text, confidence_score

-- name: supersede_memory
-- Marks a memory as superseded; the row stays as history.
{under_operation}
update public.user_memory
set status = 'superseded', valid_to = %(said_at)s, updated_at = %(now)s
from operation
where user_id = %(user_id)s and id = %(id)s and status = 'active'
returning id, memory_no, memory_type, memory_text, confidence_score

-- name: expire_memory
-- Marks a memory whose time is over as expired, where the same is said again.
{under_operation}
update public.user_memory
set status = 'expired', updated_at = %(now)s
from operation
where user_id = %(user_id)s and id = %(id)s and status = 'active' and expires_at <= greatest(%(said_at)s::timestamptz, %(now)s)
returning id

-- name: doubt_memory
-- Marks a memory as doubted: it has probably changed, but it is not known to what.
{under_operation}
update public.user_memory
set doubted_at = %(said_at)s, updated_at = %(now)s
from operation
where user_id = %(user_id)s and id = %(id)s and status = 'active'
returning id, memory_no, memory_type, memory_text, confidence_score

-- name: mentioned_memories
-- The active memories of a profile in one persona scope that share a word with a text, or whose key begins with a
-- prefix, or with these ids: those that a change told in the text can mean. The best matches by words come first.
with terms as materialized (
  select array_agg(distinct w.lexeme) as words
  from unnest(%(texts)s::text[]) as t (content)
  cross join lateral unnest(to_tsvector(keepsake.text_search_config(%(language)s), t.content)) as w
),
mentioned as materialized (
  select i.memory_id as id, count(*) as shared
  from keepsake.memory_index as i
  cross join lateral unnest(tsvector_to_array(i.lexemes)) as w (word)
  where keepsake.profile_terms(i.profile_id, tsvector_to_array(i.lexemes))
      && keepsake.profile_terms(%(profile_id)s, (select words from terms))
    and w.word = any ((select words from terms)::text[])
  group by i.memory_id
  order by shared desc, i.memory_id
  limit %(limit)s
),
by_key_prefix as (
  select m.id
  from unnest(%(prefixes)s::text[]) as p (prefix)
  cross join lateral (
    select k.id from public.user_memory as k
    where k.user_id is not distinct from %(user_id)s and k.status is not distinct from 'active' and k.memory_key is not null
      and k.profile_id::text || k.memory_key ~>=~ (%(profile_id)s::uuid::text || p.prefix)
      and k.profile_id::text || k.memory_key ~<~ (%(profile_id)s::uuid::text || p.prefix || U&'\+10FFFF')
    order by coalesce(k.restated_at, k.valid_from) desc
    limit %(limit)s
  ) as m
)
select m.*
from (select id from mentioned union select id from by_key_prefix union select unnest(%(ids)s::uuid[])) as r
cross join lateral (
  select {memory_columns:a}
  from public.user_memory as a
  where a.id = r.id and a.user_id is not distinct from %(user_id)s and a.profile_id = %(profile_id)s
    and a.status = 'active' and a.persona_id is not distinct from %(persona_id)s
  offset 0
) as m
order by m.created_at, m.memory_no

-- name: archive_over_cap
-- Archives the oldest unpinned memories over the cap of a profile, and what must not be missed (importance 3) last. Each
-- active memory has one row in memory_index, which is the smaller table to count. For an agent only what agents added is archived.
with excess as materialized (
  select count(*) - %(cap)s as number, set_config('keepsake.operation_id', %(operation_id)s, true),
    set_config('keepsake.actor', %(actor)s, true), set_config('keepsake.reason', %(reason)s, true),
    set_config('keepsake.why', '', true)
  from keepsake.memory_index as i
  where i.user_id = %(user_id)s and i.profile_id = %(profile_id)s
),
oldest as materialized (
  select o.id from excess
  cross join lateral (
    select m.id from public.user_memory as m
    where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status = 'active' and not m.pinned
      and (not %(agent_alone)s or m.source = 'agent_tool' and m.confidence_score < 1.0)
    order by m.importance = 3, m.created_at, m.memory_no
    limit greatest(0, excess.number)
  ) as o
)
update public.user_memory
set status = 'archived', archived_at = %(now)s, updated_at = %(now)s
where user_id = %(user_id)s and id in (select id from oldest)
returning id

-- name: memories_by_id
-- These memories of a person, whatever their state, in the order they were stored.
select {memory_columns}
from public.user_memory
where user_id = %(user_id)s and id = any(%(ids)s::uuid[]) and (not %(active)s or status = 'active')
order by created_at, memory_no

-- name: related_memories
-- The memories that may be shown here and that a message may be about, most related first: those that share words with
-- it, rare words before frequent ones, then the newest of the conversation, then the most important ones. With a vector of
-- the message, this order and that by similarity count alike (reciprocal ranks; a place without a shared word half). A
-- doubted memory has to share a word. What comes from the profile, such as the name, is not shown.
with terms as materialized (
  select array_agg(distinct w.lexeme) as words
  from unnest(%(languages)s::text[]) as l (language)
  cross join lateral unnest(to_tsvector(keepsake.text_search_config(l.language), %(message)s)) as w
),
shared as materialized (
  select i.memory_id, w.word, count(*) over (partition by w.word) as frequency
  from keepsake.memory_index as i
  cross join lateral unnest(tsvector_to_array(i.lexemes)) as w (word)
  where keepsake.profile_terms(i.profile_id, tsvector_to_array(i.lexemes))
      && keepsake.profile_terms(%(profile_id)s, (select words from terms))
    and w.word = any ((select words from terms)::text[])
),
scored as materialized (
  select s.memory_id, sum(1.0 / s.frequency) as score from shared as s group by s.memory_id
),
by_vector as materialized (
  select s.memory_id, s.similarity
  from keepsake.similar_memories(%(user_id)s, %(profile_id)s, %(vector_model)s, %(query_vector)s::real[]) as s
  where %(query_vector)s::real[] is not null
),
visible as materialized (
  select m.id, s.score, m.conversation_id = %(conversation_id)s as is_here, m.importance,
    coalesce(m.restated_at, m.valid_from) as said_at, v.similarity
  from public.user_memory as m
  left join scored as s on s.memory_id = m.id
  left join by_vector as v on v.memory_id = m.id
  where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status = 'active'
    and (m.expires_at is null or m.expires_at > %(now)s)
    and (m.persona_id is null or m.persona_id = %(persona_id)s)
    and m.memory_type = any (%(types)s::public.memory_type[])
    and (m.doubted_at is null or s.score is not null) and m.source <> 'seeded_profile'
    and m.id not in (select e.memory_id from keepsake.unscreened_edits as e
      where e.user_id = %(user_id)s and e.rejection is null)
)
select {memory_columns:a}
from (
  select p.id, (case when p.score is null then 0.5 else 1.0 end) / (3 + p.place)
    + case when p.similarity is null then 0.0 else 1.0 / (3 + p.similar_place) end as rank, p.place
  from (
    select v.id, v.score, v.similarity, row_number() over (order by v.similarity desc nulls last, v.id) as similar_place,
      row_number() over (
        order by coalesce(v.score, 0) desc, v.is_here desc nulls last, case when v.is_here then v.said_at end desc nulls last,
          v.importance desc, v.said_at desc, v.id
      ) as place
    from visible as v
  ) as p
  order by 2 desc, 3 limit %(limit)s
) as r
join public.user_memory as a on a.user_id = %(user_id)s and a.id = r.id
order by r.rank desc, r.place
