-- The scope of an erasure: the memories it targets, and the rows that depend on them.

-- name: visible_memories
-- The memories with these ids or numbers; run as the person.
select m.id from public.user_memory as m
where m.id = any(%(ids)s::uuid[]) or m.memory_no = any(%(numbers)s::bigint[])

-- name: open_folds
-- Where only members of a fold are targeted, the fold is opened and deleted without a trace.
select set_config('keepsake.hard_delete', 'on', true), keepsake.open_folds(%(user_id)s::uuid, array(
  select distinct m.folded_into from public.user_memory as m
  where m.user_id = %(user_id)s and m.folded_into is not null
    and (m.id = any(%(ids)s::uuid[]) and not m.folded_into = any(%(ids)s::uuid[]) or %(subject)s::text is not null
      or cardinality(%(entities)s::text[]) > 0)
)), set_config('keepsake.hard_delete', '', true)

-- name: target_memories
-- The targeted memories in any state, with those they superseded and the members of their folds.
with recursive target as (
  select m.id, m.supersedes_id from public.user_memory as m
  where m.user_id = %(user_id)s and (
    %(everything)s or m.id = any(%(ids)s::uuid[]) or m.profile_id = %(profile_id)s::uuid
    or keepsake.row_mentions(to_jsonb(m), %(subject)s::text, %(entities)s::text[])
  )
  union
  select r.id, r.supersedes_id from target cross join lateral (
    select m.id, m.supersedes_id from public.user_memory as m
    where m.user_id = %(user_id)s and m.id = target.supersedes_id
    union all
    select m.id, m.supersedes_id from public.user_memory as m
    where m.user_id = %(user_id)s and m.folded_into = target.id
  ) as r
  where not %(everything)s
)
select m.id, m.memory_no, m.memory_text as text, m.status, m.source_message_id as message_id, m.conversation_id
from public.user_memory as m
where m.user_id = %(user_id)s and m.id in (select id from target)
order by m.memory_no

-- name: matching_entities
-- The entities that a subject names, by key or by name.
select e.key from public.user_memory_entities as e
where e.user_id = %(user_id)s and (e.key = %(entity)s::text
  or (split_part(%(entity)s::text, ':', 1) = e.kind
    and replace(split_part(%(entity)s::text, ':', 2), '_', ' ') = any (e.names))
  or replace(keepsake.entity_slug(%(subject)s::text), '_', ' ') = any (e.names))

-- name: dependent_rows
-- Dependent rows: entities that no other memory refers to with their alias proposals, and places with their mentions.
with target_entities as materialized (
  select e.id, e.profile_id, e.key from public.user_memory_entities as e
  where e.user_id = %(user_id)s and (e.profile_id = %(profile_id)s::uuid or (
    (keepsake.row_mentions(to_jsonb(e), %(subject)s::text, %(entities)s::text[]) or exists (
      select from public.user_memory as g
      where g.user_id = %(user_id)s and g.id = any(%(memory_ids)s::uuid[]) and e.key = any (g.entity_refs)
    ))
    and not exists (
      select from public.user_memory as m
      where m.user_id = %(user_id)s and m.profile_id = e.profile_id and m.id <> all(%(memory_ids)s::uuid[])
        and m.entity_refs <> '{}' and e.key = any (m.entity_refs)
    )
  ))
), target_places as materialized (
  select p.id from public.user_memory_places as p
  where p.user_id = %(user_id)s and (p.profile_id = %(profile_id)s::uuid
    or keepsake.row_mentions(to_jsonb(p), %(subject)s::text, %(entities)s::text[]))
)
select g.id from target_entities as g
union all
select p.id from public.user_memory_alias_proposals as p
where p.user_id = %(user_id)s and (p.profile_id = %(profile_id)s::uuid or exists (
  select from target_entities as g where g.profile_id = p.profile_id and g.key in (p.key, p.variant)
))
union all
select p.id from target_places as p
union all
select m.id from public.user_memory_place_mentions as m
where m.user_id = %(user_id)s and (m.profile_id = %(profile_id)s::uuid or m.place in (select p.id from target_places as p))
union all
select s.id from public.user_memory_sessions as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s::uuid
union all
select s.id from public.user_memory_session_state as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s::uuid
union all
select s.id from public.user_memory_spine as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s::uuid
union all
select t.id from public.user_memory_todos as t
where t.user_id = %(user_id)s and (t.profile_id = %(profile_id)s::uuid
  or keepsake.row_mentions(to_jsonb(t), %(subject)s::text, %(entities)s::text[]))

-- name: successors
-- The memories that superseded a targeted one and are not targeted.
select m.memory_no from public.user_memory as m
where m.user_id = %(user_id)s and m.supersedes_id = any(%(memory_ids)s::uuid[]) and m.id <> all(%(memory_ids)s::uuid[])
order by m.memory_no

-- name: matching_changes
-- Changes in the audit log of other rows that mention the target: the row was edited since, or the change undone. Most
-- changes do not touch the text, so each distinct text is compared once.
with images as materialized (
  select c.seq, coalesce(i.image ->> 'language', 'en') as language,
    case when %(subject)s::text is not null then keepsake.row_text(i.image) end as words,
    coalesce(i.image ->> 'profile_id' = %(profile_id)s::text, false) or keepsake.row_references(i.image, %(entities)s::text[]) as is_target
  from keepsake.changes as c cross join lateral unnest(array[c.before, c.after]) as i (image)
  where c.user_id = %(user_id)s and i.image is not null and c.row_id <> all(%(row_ids)s::uuid[])
), distinct_texts as materialized (
  select w.words, w.language from (select distinct i.words, i.language from images as i where i.words is not null) as w
  where keepsake.text_mentions(w.words, %(subject)s::text, w.language)
)
select distinct i.seq from images as i
where i.is_target or exists (select from distinct_texts as w where w.words = i.words and w.language = i.language)

-- name: source_messages
-- The source messages of the memories: what they were extracted from, and what reinforced them. With messages: also
-- those that mention the subject or are in these conversations.
select m.id, m.conversation_id from keepsake_chats.messages as m
where m.user_id = %(user_id)s and (
  m.id = any(%(message_ids)s::uuid[]) or m.id in (
    select e.source_message_id from keepsake.extractions as e
    where e.user_id = %(user_id)s and exists (
      select from jsonb_array_elements(e.results) as r (result)
      where (r.result ->> 'memory_id') = any(%(memory_ids)s::text[])
    )
  )
  or (%(include_messages)s and (
    m.conversation_id = any(%(conversation_ids)s::uuid[])
    or (%(subject)s::text is not null and keepsake.text_mentions(m.content, %(subject)s, 'en'))
  ))
)

-- name: mentioning_messages
-- The person's messages that mention the subject, also those of which nothing was remembered.
select m.id, m.conversation_id from keepsake_chats.messages as m
where m.user_id = %(user_id)s and keepsake.text_mentions(m.content, %(subject)s, 'en')

-- name: conversations
-- The conversations of the person: whether they wrote there, and whether nobody else takes part.
select c.id, exists (
    select from keepsake_chats.messages as w where w.conversation_id = c.id and w.user_id = %(user_id)s
  ) as has_written, c.user_id = %(user_id)s and not exists (
    select from keepsake_chats.conversations_participants as p where p.conversation_id = c.id and p.user_id <> %(user_id)s
  ) and not exists (
    select from keepsake_chats.messages as o where o.conversation_id = c.id and o.user_id <> %(user_id)s
  ) as is_alone, p.profile_id
from keepsake_chats.conversations as c
left join keepsake_chats.conversations_participants as p on p.conversation_id = c.id and p.user_id = %(user_id)s
where c.user_id = %(user_id)s or p.user_id is not null
  or c.id in (select m.conversation_id from keepsake_chats.messages as m where m.user_id = %(user_id)s)
