-- name: outcomes
-- What became of each message of a person, oldest first, with the memories it changed.
select g.id as message_id, e.status, e.reason, e.results, e.dropped
from public.messages g
left join keepsake.extractions e on e.user_id = g.user_id and e.source_message_id = g.id
where g.role = 'user'
order by g.created_at;

-- name: is_finished
-- Whether the worker has finished with a message.
select exists (
  select from keepsake.extractions e
  where e.source_message_id = %(message_id)s and e.status in ('extracted', 'skipped', 'quarantined')
) as is_finished;

-- name: is_summarized
-- Whether the worker has nothing left to summarize.
select not exists (
  select from keepsake.procrastinate_jobs j where j.task_name = 'summarize_profile' and j.status in ('todo', 'doing')
) as is_summarized;

-- name: memories
-- Each memory of a person, with the words it rests on, what it replaced and what replaced it.
select m.id, m.memory_no, m.memory_type::text as type, m.memory_text as text, m.confidence_score as confidence,
       m.status, m.source, m.source_quote as quote, m.source_message_id, o.is_over,
       previous.memory_no as replaces, next.memory_no as replaced_by,
       case
         when m.status = 'superseded' then coalesce('replaced by M-' || next.memory_no, 'superseded')
         when o.is_over then 'over since ' || to_char(m.expires_at at time zone 'UTC', 'DD Mon')
         when m.status <> 'active' then m.status
         when m.doubted_at is not null then 'does it still hold?'
         when o.hours >= 48 then 'current for ' || round(o.hours / 24) || ' days'
         when o.hours is not null then 'current for ' || round(o.hours) || ' h'
         else 'current' || coalesce(', replaces M-' || previous.memory_no, '')
       end || case when repeated.is_repeated then ', said twice' else '' end as state
from public.user_memory m
left join public.user_memory previous on previous.user_id = m.user_id and previous.id = m.supersedes_id
left join public.user_memory next on next.user_id = m.user_id and next.supersedes_id = m.id
cross join lateral (
  select m.status = 'expired' or (m.status = 'active' and coalesce(m.expires_at <= now(), false)) as is_over,
         extract(epoch from m.expires_at - now()) / 3600 as hours
) o
cross join lateral (
  select exists (
    select from keepsake.extractions e, jsonb_array_elements(e.results) result
    where e.user_id = m.user_id and result ->> 'memory_id' = m.id::text and result ->> 'action' = 'reinforced'
  ) as is_repeated
) repeated
where m.user_id = %(user_id)s
order by m.memory_no;

-- name: base_tables
-- Each table that is not Postgres's own.
select n.nspname as schema, c.relname as name
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
order by 1, 2;
