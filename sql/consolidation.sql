-- The queries of consolidation: profiles with enough memories, and the folds.

-- name: next_crowded_profile
-- The first of the next profiles that has many memories, and whose number changed since its last consolidation; and the
-- last profile read, for the next page.
with page as materialized (
  select p.user_id, p.id as profile_id from keepsake_chats.user_profile_list as p
  where (p.user_id, p.id) > (%(after_user)s, %(after)s)
  order by p.user_id, p.id limit %(people)s
),
crowded as materialized (
  select g.user_id, g.profile_id
  from (select * from page order by user_id, profile_id) as g
  cross join lateral (
    select count(*)::int as memory_count from public.user_memory as m
    where m.user_id = g.user_id and m.profile_id = g.profile_id and m.status = 'active'
  ) as h
  where h.memory_count >= %(min_memories)s and abs(h.memory_count - coalesce((
    select c.memory_count from keepsake.consolidations as c where c.user_id = g.user_id and c.profile_id = g.profile_id
  ), 0)) >= %(min_growth)s
  limit 1
)
select (select count(*) from page) as seen, f.user_id, f.profile_id, l.user_id as last_user, l.profile_id as last
from (select user_id, profile_id from page order by user_id desc, profile_id desc limit 1) as l
left join crowded as f on true

-- name: record_consolidation
-- Records the consolidation of a profile, with its number of memories.
insert into keepsake.consolidations as c (user_id, profile_id, ran_at, memory_count)
select %(user_id)s, %(profile_id)s, %(now)s, count(*)::int from public.user_memory as m
where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status = 'active'
on conflict (user_id, profile_id) do update set ran_at = excluded.ran_at, memory_count = excluded.memory_count

-- name: insert_fold
-- Inserts the memory that replaces these: the lowest confidence and the highest importance of its members.
insert into public.user_memory (user_id, profile_id, persona_id, memory_text, memory_type, subtype, confidence_score,
  importance, memory_key, entity_refs, entity_label, language, source, reference_count, last_referenced_at, valid_from,
  restated_at, created_at, updated_at)
select %(user_id)s, %(profile_id)s, min(m.persona_id), %(text)s, min(m.memory_type), %(subtype)s,
  min(m.confidence_score), max(m.importance), %(key)s, %(entity_refs)s, min(m.entity_label), min(m.language),
  'curated_fold', least(sum(m.reference_count), 32767), max(m.last_referenced_at), min(m.valid_from),
  max(coalesce(m.restated_at, m.valid_from)), %(now)s, %(now)s
from public.user_memory as m
where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.id = any(%(ids)s::uuid[]) and m.status = 'active'
returning id

-- name: archive_members
-- Archives the members of a fold.
update public.user_memory
set status = 'archived', archived_at = %(now)s, updated_at = %(now)s, folded_into = %(fold)s
where user_id = %(user_id)s and id = any(%(ids)s::uuid[]) and status = 'active'

-- name: folds_of
-- The folds that contain these memories, and those of them that are folds.
select distinct coalesce(m.folded_into, m.id) as id from public.user_memory as m
where m.user_id = %(user_id)s and m.id = any(%(ids)s::uuid[])
  and (m.folded_into is not null or m.source = 'curated_fold')
order by 1

-- name: open_folds
-- Reactivates the members of these folds.
select keepsake.open_folds(%(user_id)s, %(folds)s::uuid[]) as opened
