-- What an erasure is about: who and what is held while it lasts, which memories are meant, and what stands around them.

-- name: visible_memories
-- The memories named by id or number, as their person sees them; asked as the person.
select m.id from public.user_memory as m
where m.id = any(%(ids)s::uuid[]) or m.memory_no = any(%(numbers)s::bigint[])

-- name: take_time
-- A person may have much to look through: longer than other work may take, and not without end.
select set_config('statement_timeout', '300s', true)

-- name: forbid_before
-- Nothing said before this moment is read again. The clock of the database counts too: it stamps messages.
update public.user_memory_settings
set erased_before = greatest(erased_before, %(now)s::timestamptz, clock_timestamp())
where user_id = %(user_id)s
returning erased_before

-- name: forbid_before_newly
-- The same, of a person who had no settings.
insert into public.user_memory_settings as s (user_id, erased_before)
values (%(user_id)s, greatest(%(now)s::timestamptz, clock_timestamp()))
on conflict (user_id) do update set erased_before = greatest(s.erased_before, excluded.erased_before)
returning erased_before

-- name: start_anew
-- Where a profile that is not the primary one is chosen, its memory starts anew.
update public.conversations_participants as p set remember_since = %(now)s
where p.user_id = %(user_id)s and p.profile_id = %(profile_id)s

-- name: open_folds
-- Where a part is meant, memories that were folded with others stand by themselves again; no trace of the fold stays.
select set_config('keepsake.final', 'on', true), keepsake.open_folds(%(user_id)s::uuid, array(
  select distinct m.folded_into from public.user_memory as m
  where m.user_id = %(user_id)s and m.folded_into is not null
    and (m.id = any(%(ids)s::uuid[]) and not m.folded_into = any(%(ids)s::uuid[]) or %(subject)s::text is not null
      or cardinality(%(entities)s::text[]) > 0)
)), set_config('keepsake.final', '', true)

-- name: meant
-- The memories that are meant, whatever their state, and what they stand on: what they replaced or were folded from.
with recursive meant as (
  select m.id, m.supersedes_id from public.user_memory as m
  where m.user_id = %(user_id)s and (
    %(everything)s or m.id = any(%(ids)s::uuid[]) or m.profile_id = %(profile_id)s::uuid
    or keepsake.tells_of(to_jsonb(m), %(subject)s::text, %(entities)s::text[])
  )
  union
  select m.id, m.supersedes_id from public.user_memory as m
  join meant on m.user_id = %(user_id)s and (m.id = meant.supersedes_id or m.folded_into = meant.id)
)
select m.id, m.memory_no, m.memory_text as text, m.status, m.source_message_id as message_id, m.conversation_id
from public.user_memory as m
where m.user_id = %(user_id)s and m.id in (select id from meant)
order by m.memory_no

-- name: entities_named
-- The entities that a subject names, by key or by one of their names.
select e.key from public.user_memory_entities as e
where e.user_id = %(user_id)s and (e.key = %(entity)s::text
  or (split_part(%(entity)s::text, ':', 1) = e.kind
    and replace(split_part(%(entity)s::text, ':', 2), '_', ' ') = any (e.names))
  or replace(keepsake.entity_slug(%(subject)s::text), '_', ' ') = any (e.names))

-- name: others_meant
-- Rows of other tables that go along: entities that nothing else refers to with what was proposed of them, and places.
with going as materialized (
  select e.id, e.profile_id, e.key from public.user_memory_entities as e
  where e.user_id = %(user_id)s and (e.profile_id = %(profile_id)s::uuid or (
    (keepsake.tells_of(to_jsonb(e), %(subject)s::text, %(entities)s::text[]) or exists (
      select from public.user_memory as g
      where g.user_id = %(user_id)s and g.id = any(%(memory_ids)s::uuid[]) and e.key = any (g.entity_refs)
    ))
    and not exists (
      select from public.user_memory as m
      where m.user_id = %(user_id)s and m.profile_id = e.profile_id and m.id <> all(%(memory_ids)s::uuid[])
        and m.entity_refs <> '{}' and e.key = any (m.entity_refs)
    )
  ))
), places as materialized (
  select p.id from public.user_memory_places as p
  where p.user_id = %(user_id)s and (p.profile_id = %(profile_id)s::uuid
    or keepsake.tells_of(to_jsonb(p), %(subject)s::text, %(entities)s::text[]))
)
select g.id from going as g
union all
select p.id from public.user_memory_alias_proposals as p
where p.user_id = %(user_id)s and (p.profile_id = %(profile_id)s::uuid or exists (
  select from going as g where g.profile_id = p.profile_id and g.key in (p.key, p.variant)
))
union all
select p.id from places as p
union all
select m.id from public.user_memory_place_mentions as m
where m.user_id = %(user_id)s and (m.profile_id = %(profile_id)s::uuid or m.place in (select p.id from places as p))

-- name: newer
-- What took the place of memories that go, and stays.
select m.memory_no from public.user_memory as m
where m.user_id = %(user_id)s and m.supersedes_id = any(%(memory_ids)s::uuid[]) and m.id <> all(%(memory_ids)s::uuid[])
order by m.memory_no

-- name: recorded
-- Changes whose row is not among those that go, and that yet tell of what is meant: edited since, or undone. Most changes
-- leave the words as they are, so each wording is looked at once.
with images as materialized (
  select c.seq, coalesce(i.image ->> 'language', 'en') as language,
    case when %(subject)s::text is not null then keepsake.words_in(i.image) end as words,
    coalesce(i.image ->> 'profile_id' = %(profile_id)s::text, false) or keepsake.is_about(i.image, %(entities)s::text[]) as meant
  from keepsake.changes as c cross join lateral unnest(array[c.before, c.after]) as i (image)
  where c.user_id = %(user_id)s and i.image is not null and c.row_id <> all(%(row_ids)s::uuid[])
), wordings as materialized (
  select w.words, w.language from (select distinct i.words, i.language from images as i where i.words is not null) as w
  where keepsake.mentions(w.words, %(subject)s::text, w.language)
)
select distinct i.seq from images as i
where i.meant or exists (select from wordings as w where w.words = i.words and w.language = i.language)

-- name: said_in
-- The person's messages that the memories rest on: what made them, and what said them again. Where messages go too, also
-- those that speak of the subject, or stand in these chats.
select m.id, m.conversation_id from public.messages as m
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
    or (%(subject)s::text is not null and keepsake.mentions(m.content, %(subject)s, 'en'))
  ))
)

-- name: says_it_too
-- Turns of the last days that nobody has finished with and that say what goes: by its words, its value or the subject.
with open as materialized (
  select m.id, m.content from public.messages as m
  left join keepsake.extractions as e on e.conversation_id = m.conversation_id and e.source_message_id = m.id
  where m.user_id = %(user_id)s and m.role::text = 'user' and m.created_at > %(since)s
    and (e.id is null or e.id = any(%(held)s::uuid[]))
)
select m.id from open as m
where (%(subject)s::text is not null and keepsake.mentions(m.content, %(subject)s, 'en')) or exists (
  select from public.user_memory as g
  where g.user_id = %(user_id)s and g.id = any(%(memory_ids)s::uuid[]) and (
    keepsake.mentions(m.content, g.memory_text, g.language)
    or keepsake.mentions(m.content, replace(coalesce(nullif(split_part(g.memory_key, '|', 5), ''), g.value), '_', ' '),
      g.language)
    or strpos(lower(m.content), lower(g.source_quote)) > 0
  )
)

-- name: not_looked_at
-- Messages that were said from this moment on by their own clock, and that nobody has noted.
select m.id from public.messages as m
where m.user_id = %(user_id)s and m.role::text = 'user' and m.created_at >= %(since)s and not exists (
  select from keepsake.extractions as e where e.conversation_id = m.conversation_id and e.source_message_id = m.id
)

-- name: end_turns
-- These turns are finished: nobody looks at them any more, and whoever was at one writes nothing.
insert into keepsake.extractions as e
  (conversation_id, source_message_id, user_id, status, reason, created_at, finished_at)
select m.conversation_id, m.id, m.user_id, 'skipped', 'before_consent', %(now)s, %(now)s
from public.messages as m
where m.user_id = %(user_id)s and m.id = any(%(message_ids)s::uuid[])
on conflict (conversation_id, source_message_id) do update
  set status = 'skipped', reason = excluded.reason, claim_token = null, next_attempt_at = null,
    finished_at = excluded.finished_at
  where e.status in ('pending', 'claimed')

-- name: begin_turns_again
-- Turns somebody is at are read again from the start: what was read may know of what goes. Their writer is refused.
update keepsake.extractions
set status = 'pending', claim_token = null, next_attempt_at = %(now)s, attempts = greatest(attempts - 1, 0)
where user_id = %(user_id)s and id = any(%(held)s::uuid[]) and status = 'claimed'

-- name: chats
-- The chats the person owns or takes part in: whether they wrote there, and whether nobody else takes part.
select c.id, exists (
    select from public.messages as w where w.conversation_id = c.id and w.user_id = %(user_id)s
  ) as wrote, c.user_id = %(user_id)s and not exists (
    select from public.conversations_participants as p where p.conversation_id = c.id and p.user_id <> %(user_id)s
  ) and not exists (
    select from public.messages as o where o.conversation_id = c.id and o.user_id <> %(user_id)s
  ) as alone, p.profile_id
from public.conversations as c
left join public.conversations_participants as p on p.conversation_id = c.id and p.user_id = %(user_id)s
where c.user_id = %(user_id)s or p.user_id is not null
  or c.id in (select m.conversation_id from public.messages as m where m.user_id = %(user_id)s)
