-- name: turn_outcome
-- What became of one turn; no row until the worker has taken it up.
select e.id, e.status, e.reason, e.dropped
from keepsake.extractions e
where e.source_message_id = %(message_id)s and e.status in ('extracted', 'skipped', 'quarantined');

-- name: remembered
-- Every memory of one person with the words it rests on, what it replaced and what replaced it.
select m.id, m.memory_no, m.memory_type::text as type, m.memory_text as text, m.confidence_score as confidence,
       m.status, m.source, m.source_quote as quote, m.source_message_id, m.reference_count, m.expires_at,
       previous.memory_no as replaces, next.memory_no as replaced_by
from public.user_memory m
left join public.user_memory previous on previous.id = m.supersedes_id
left join public.user_memory next on next.supersedes_id = m.id
where m.user_id = %(user_id)s
order by m.memory_no;

-- name: outcomes
-- What became of every turn of the people, oldest first, with the memories each one touched.
select g.id as message_id, e.status, e.reason, e.generator, e.results, e.dropped
from public.messages g
left join keepsake.extractions e on e.conversation_id = g.conversation_id and e.source_message_id = g.id
where g.role = 'user'
order by g.created_at;

-- name: base_tables
-- Every table that is not Postgres's own.
select n.nspname as schema, c.relname as name
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
order by 1, 2;
