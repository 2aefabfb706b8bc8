-- Metrics read from the database; kinds and counts only.

-- name: table_pages
-- The pages of the tables that are counted.
select pg_relation_size('public.user_memory') / current_setting('block_size')::bigint as memories,
  pg_relation_size('keepsake.extractions') / current_setting('block_size')::bigint as extractions,
  pg_relation_size('keepsake.injections') / current_setting('block_size')::bigint as injections,
  pg_relation_size('keepsake.counters') / current_setting('block_size')::bigint as counters,
  pg_relation_size('keepsake.memories_to_embed') / current_setting('block_size')::bigint as to_embed

-- name: stored_counts
-- Row counts by kind, and the totals of the last day and week: of a share of each table's pages, which is all of a small
-- one. What is rare or urgent (due, waiting, quarantined) is counted by index: of what waits, the first 100,000 at most.
with memories as materialized (
  select m.status, m.memory_type::text as memory_type, m.source,
    count(*) * (100 / %(memories)s::float8) as stored,
    count(*) filter (where m.created_at > %(now)s::timestamptz - interval '1 day') * (100 / %(memories)s::float8)
      as created_last_day
  from public.user_memory as m tablesample system (%(memories)s::float8) repeatable (0) group by 1, 2, 3
), extractions as materialized (
  select e.status, e.reason, e.generator, e.results, e.dropped,
    e.finished_at > %(now)s::timestamptz - interval '7 days' as is_of_last_week, 100 / %(extractions)s::float8 as weight
  from keepsake.extractions as e tablesample system (%(extractions)s::float8) repeatable (0)
), injections as materialized (
  select i.variant, i.vector_outcome, i.memory_count, i.token_count, i.helpfulness,
    i.created_at > %(now)s::timestamptz - interval '7 days' as is_of_last_week, 100 / %(injections)s::float8 as weight
  from keepsake.injections as i tablesample system (%(injections)s::float8) repeatable (0)
), helpfulness as materialized (
  select i.variant, avg(i.helpfulness) as mean, var_samp(i.helpfulness) / count(*) as squared_error from injections as i
  where i.helpfulness is not null group by i.variant having count(*) > 1
), unfinished as materialized (
  select e.status, e.waiting_since, e.model_failures, e.bad_replies, e.next_attempt_at from keepsake.extractions as e
  where e.status in ('pending', 'claimed') order by e.next_attempt_at limit 100000
)
select 'keepsake_memories_by_status' as name, c.status as kind, sum(c.stored) as value from memories as c group by c.status
union all
select 'keepsake_memories_active_by_type', c.memory_type, sum(c.stored)
from memories as c where c.status = 'active' group by c.memory_type
union all
select 'keepsake_memories_by_source', c.source, sum(c.stored) from memories as c group by c.source
union all
select 'keepsake_memories_created_last_day', c.memory_type, sum(c.created_last_day)
from memories as c group by c.memory_type having sum(c.created_last_day) > 0
union all
select 'keepsake_people', 'with_memories', count(*) * (100 / %(counters)s::float8)
from keepsake.counters as c tablesample system (%(counters)s::float8) repeatable (0) where c.name = 'memory_no'
union all
select 'keepsake_extraction_rows', e.status, sum(e.weight) from extractions as e
where e.status not in ('pending', 'claimed', 'quarantined') group by e.status
union all
select 'keepsake_extraction_rows', u.status, count(*) from unfinished as u group by u.status
union all
select 'keepsake_extraction_rows', 'quarantined', count(*) from keepsake.extractions as e where e.status = 'quarantined'
having count(*) > 0
union all
select 'keepsake_extractions_skipped_last_week', coalesce(e.reason, 'none'), sum(e.weight) from extractions as e
where (e.status = 'skipped' or e.reason = 'language') and e.is_of_last_week group by e.reason
union all
select 'keepsake_extraction_oldest_due_seconds', 'all',
  coalesce(extract(epoch from %(now)s::timestamptz - min(u.next_attempt_at)), 0)
from unfinished as u where u.next_attempt_at <= %(now)s
union all
select 'keepsake_extraction_results_last_week', r.result ->> 'action', sum(e.weight)
from extractions as e, jsonb_array_elements(e.results) as r (result) where e.is_of_last_week group by r.result ->> 'action'
union all
select 'keepsake_extraction_drops_last_week', d.key, sum(d.value::bigint * e.weight)
from extractions as e, jsonb_each_text(e.dropped) as d where e.is_of_last_week group by d.key
union all
select 'keepsake_memories_per_ten_turns_last_week', 'all',
  coalesce(10.0 * sum(jsonb_array_length(e.results)) / nullif(count(*), 0), 0)
from extractions as e where e.status = 'extracted' and e.is_of_last_week
union all
select 'keepsake_injections_last_week', i.variant, sum(i.weight) from injections as i
where i.is_of_last_week group by i.variant
union all
select 'keepsake_injections_with_memories_share_last_week', 'all',
  coalesce(avg((i.memory_count > 0)::int), 0) from injections as i where i.is_of_last_week
union all
select 'keepsake_contexts_last_week', i.vector_outcome, sum(i.weight) from injections as i
where i.is_of_last_week and i.vector_outcome is not null group by i.vector_outcome
union all
select 'keepsake_injection_tokens_mean_last_week', i.variant, avg(i.token_count) from injections as i
where i.is_of_last_week group by i.variant
union all
select 'keepsake_helpfulness_mean', i.variant, avg(i.helpfulness) from injections as i
where i.helpfulness is not null group by i.variant
union all
select 'keepsake_helpfulness_standard_error', i.variant, coalesce(stddev_samp(i.helpfulness) / sqrt(count(*)), 0)
from injections as i where i.helpfulness is not null group by i.variant
union all
select 'keepsake_helpfulness_scores', i.variant, sum(i.weight) from injections as i
where i.helpfulness is not null group by i.variant
union all
select 'keepsake_helpfulness_difference', b.kind, t.mean - c.mean + b.errors * sqrt(t.squared_error + c.squared_error)
from helpfulness as t
join helpfulness as c on t.variant = 'treatment' and c.variant = 'control'
cross join (values ('estimate', 0), ('low', -1.96), ('high', 1.96)) as b (kind, errors)
union all
select 'keepsake_model_circuit_open', c.model, (c.opened_at is not null)::int from keepsake.model_circuits as c
union all
select 'keepsake_model_tokens_today', d.model, d.input_tokens + d.output_tokens from keepsake.model_days as d
where d.day = (%(now)s::timestamptz at time zone 'UTC')::date
union all
select 'keepsake_extractions_waiting_for_model', case when u.model_failures > 0 then 'away' when u.bad_replies > 0
  then 'bad_replies' else 'held_back' end, count(*)
from unfinished as u where u.status = 'pending' and u.waiting_since is not null group by 2
union all
select 'keepsake_extractions_by_generator_last_week', e.generator, sum(e.weight)
from extractions as e where e.status = 'extracted' and e.generator is not null and e.is_of_last_week group by e.generator
union all
select 'keepsake_memories_without_vector', case when e.due_at is null then 'given_up' else 'waiting' end,
  count(*) * (100 / %(to_embed)s::float8)
from keepsake.memories_to_embed as e tablesample system (%(to_embed)s::float8) repeatable (0) group by 2
union all
select 'keepsake_storage_bytes', c.relname, pg_total_relation_size(c.oid)
from pg_class as c
where c.oid in ('public.user_memory'::regclass, 'keepsake.memory_index'::regclass, 'keepsake.changes'::regclass,
  'keepsake.extractions'::regclass, 'keepsake.injections'::regclass, to_regclass('keepsake.memory_vectors'),
  to_regclass('keepsake.memory_vector_halves'))

-- name: reset_role
-- Returns to the login's own role, the only one that may read the queue.
reset role

-- name: job_counts
-- Jobs that wait and jobs that run, the first 100,000 of them at most; finished ones are deleted.
select 'keepsake_jobs' as name, j.status::text as kind, count(*)::float8 as value
from (
  (select t.status from keepsake.procrastinate_jobs as t where t.status = 'todo' order by t.priority desc, t.id limit 100000)
  union all
  (select d.status from keepsake.procrastinate_jobs as d where d.status = 'doing' limit 100000)
) as j group by j.status
