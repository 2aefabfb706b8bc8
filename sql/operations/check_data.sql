-- What `keepsake doctor` asks before it checks the data of some people.

-- name: memories_estimate
-- About how many memories there are, by the pages of their table; a row takes half a kilobyte at least.
select pg_relation_size('public.user_memory') / 512

-- name: sample_people
-- The people whose data is checked: those whose data changed last, then others at random, until together they have so
-- many memories. One with few memories counts as one with 200: the rest of their data is checked too.
with candidates as (
  select distinct on (c.user_id) c.user_id, c.rank
  from (
    (
      select n.user_id, row_number() over (order by n.created_at desc, n.seq desc)::float8 as rank
      from keepsake.changes as n order by n.created_at desc, n.seq desc limit 500
    )
    union all
    (select m.user_id, 1000 + random() from public.user_memory as m tablesample system (
      least(100, 100.0 * 400 / greatest(pg_relation_size('public.user_memory') / 8192, 1))::real) limit 4000)
  ) as c
  order by c.user_id, c.rank
), sized as (
  select c.user_id, c.rank, (
    select greatest(count(*), 200) from public.user_memory as m where m.user_id = c.user_id
  ) as memories
  from (select k.user_id, k.rank from candidates as k order by k.rank limit 400) as c
), summed as (
  select s.user_id, sum(s.memories) over (order by s.rank, s.user_id) - s.memories as before from sized as s
)
select s.user_id from summed as s where s.before < %(max_memories)s

-- name: has_people
-- Whether a table has rows of people.
select exists (
  select from pg_catalog.pg_attribute as a join pg_catalog.pg_class as c on c.oid = a.attrelid
  where c.oid = to_regclass(format('%%I.%%I', %(schema)s::text, %(table)s::text)) and c.relkind in ('r', 'p') and a.attname = 'user_id'
)
