-- Comparisons of a month with the same month of the year before.

-- name: newest_month
-- The newest month with a stored summary.
select s.year, s.month from public.user_memory_monthly_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s
order by s.year desc, s.month desc limit 1

-- name: months
-- The stored summaries of this month in these years, without those that rest on a memory that nobody may be shown.
select s.id, s.year, s.month, s.version, s.emotional_summary, coalesce(s.cognitive_summary, '') as cognitive_summary,
  s.key_themes, s.memory_ids, s.message_ids
from public.user_memory_monthly_summaries as s
where s.user_id = %(user_id)s and s.profile_id = %(profile_id)s and s.month = %(month)s and s.year = any(%(years)s::int[])
  and not exists (
    select from public.user_memory as m where m.user_id = s.user_id and m.id = any(s.memory_ids) and
{hidden_from_summaries}
  )
order by s.year

-- name: memories
-- The most important memories behind a summary, and what each had become by the end of the later month: the last one in
-- the line of those that took its place, or the moment at which it ended.
with recursive behind as (
  select m.id, m.memory_text, m.memory_type, m.subtype, m.entity_label, m.importance, m.valid_from, m.memory_no
  from public.user_memory as m
  where m.user_id = %(user_id)s and m.id = any(%(memory_ids)s::uuid[]) and m.status <> 'deleted'
  order by m.importance desc, m.valid_from, m.memory_no limit %(limit)s
), line as (
  select b.id as first_id, b.id, 0 as place from behind as b
  union all
  select l.first_id, n.id, l.place + 1 from line as l
  join public.user_memory as n on n.user_id = %(user_id)s and n.supersedes_id = l.id
  where n.status <> 'deleted' and n.persona_id is null and n.valid_from < %(until)s and l.place < 100
), last as (
  select distinct on (l.first_id) l.first_id, l.id, l.place from line as l order by l.first_id, l.place desc, l.id
)
select b.id, b.memory_text as text, b.memory_type::text as type, b.subtype, b.entity_label,
  case when l.place > 0 then l.id end as successor_id, case when l.place > 0 then m.memory_text end as successor_text,
  coalesce(m.valid_to < %(until)s, false) as has_ended, m.doubted_at is not null as is_doubted
from behind as b
join last as l on l.first_id = b.id
join public.user_memory as m on m.user_id = %(user_id)s and m.id = l.id
order by b.importance desc, b.valid_from, b.memory_no

-- name: stored
-- The stored comparison of a month that rests on these summaries.
select c.growth, c.stayed, c.changed, c.appeared, c.generator, c.prompt_version from public.user_memory_yearly_comparisons as c
where c.user_id = %(user_id)s and c.profile_id = %(profile_id)s and c.year = %(year)s and c.month = %(month)s
  and c.source_ids = %(source_ids)s::uuid[]

-- name: lock_sources
-- Locks the two summaries in the versions that were read; fewer rows where one has changed.
select s.id from public.user_memory_monthly_summaries as s
join unnest(%(source_ids)s::uuid[], %(versions)s::int[]) as v (id, version) on v.id = s.id and v.version = s.version
where s.user_id = %(user_id)s
order by s.id for share of s

-- name: write
-- Writes a comparison in the place of the one before.
insert into public.user_memory_yearly_comparisons as c (user_id, profile_id, year, month, growth, stayed, changed, appeared,
  source_ids, memory_ids, message_ids, generator, prompt_version, created_at)
values (%(user_id)s, %(profile_id)s, %(year)s, %(month)s, %(growth)s, %(stayed)s, %(changed)s, %(appeared)s,
  %(source_ids)s, %(memory_ids)s, %(message_ids)s, %(generator)s, %(prompt_version)s, %(now)s)
on conflict (user_id, profile_id, year, month) do update
  set growth = excluded.growth, stayed = excluded.stayed, changed = excluded.changed, appeared = excluded.appeared,
    source_ids = excluded.source_ids, memory_ids = excluded.memory_ids,
    message_ids = excluded.message_ids, generator = excluded.generator,
    prompt_version = excluded.prompt_version, created_at = excluded.created_at
