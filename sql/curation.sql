-- What the curator reads and writes: profiles worth a look, and each fold as it is made.

-- name: next_crowded
-- Of the next profiles the first that holds much, and more or less than when it was last looked through; and how far that
-- was looked.
with page as materialized (
  select p.user_id, p.id as profile_id from public.user_profile_list as p
  where (p.user_id, p.id) > (%(after_user)s, %(after)s)
  order by p.user_id, p.id limit %(people)s
),
first as materialized (
  select g.user_id, g.profile_id
  from (select * from page order by user_id, profile_id) as g
  cross join lateral (
    select count(*)::int as held from public.user_memory as m
    where m.user_id = g.user_id and m.profile_id = g.profile_id and m.status = 'active'
  ) as h
  where h.held >= %(least)s and abs(h.held - coalesce((
    select c.memory_count from keepsake.curations as c where c.user_id = g.user_id and c.profile_id = g.profile_id
  ), 0)) >= %(grown)s
  limit 1
)
select (select count(*) from page) as seen, f.user_id, f.profile_id, l.user_id as last_user, l.profile_id as last
from (select user_id, profile_id from page order by user_id desc, profile_id desc limit 1) as l
left join first as f on true

-- name: curated
-- Note that a profile was looked through, and how much it holds now.
insert into keepsake.curations as c (user_id, profile_id, ran_at, memory_count)
select %(user_id)s, %(profile_id)s, %(now)s, count(*)::int from public.user_memory as m
where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.status = 'active'
on conflict (user_id, profile_id) do update set ran_at = excluded.ran_at, memory_count = excluded.memory_count

-- name: fold
-- One memory in the place of these, which are archived behind it: as sure as the least sure, as important as the most.
insert into public.user_memory (user_id, profile_id, persona_id, memory_text, memory_type, subtype, confidence_score,
  importance, memory_key, entity_refs, entity_label, language, source, reference_count, last_referenced_at, valid_from,
  created_at, updated_at)
select %(user_id)s, %(profile_id)s, min(m.persona_id), %(text)s, min(m.memory_type), %(subtype)s,
  min(m.confidence_score), max(m.importance), %(key)s, %(entity_refs)s, min(m.entity_label), min(m.language),
  'curated_fold', least(sum(m.reference_count), 32767), max(m.last_referenced_at), max(m.valid_from), %(now)s, %(now)s
from public.user_memory as m
where m.user_id = %(user_id)s and m.profile_id = %(profile_id)s and m.id = any(%(ids)s::uuid[]) and m.status = 'active'
returning id

-- name: archive_behind
-- What was folded stands behind its fold.
update public.user_memory
set status = 'archived', archived_at = %(now)s, updated_at = %(now)s, folded_into = %(fold)s
where user_id = %(user_id)s and id = any(%(ids)s::uuid[]) and status = 'active'

-- name: folds_of
-- The folds in which these memories of a person are, and those of them that are folds themselves.
select distinct coalesce(m.folded_into, m.id) as id from public.user_memory as m
where m.user_id = %(user_id)s and m.id = any(%(ids)s::uuid[])
  and (m.folded_into is not null or m.source = 'curated_fold')
order by 1

-- name: open_folds
-- Put back what these were folded from.
select keepsake.open_folds(%(user_id)s, %(folds)s::uuid[]) as opened
