-- The job queue, in the tables of procrastinate: each of its functions gets a search path, and only the functions' login may
-- use the queue.

set local search_path = '';

do $$
declare
  found record;
begin
  for found in
    select p.oid::regprocedure as signature from pg_catalog.pg_proc as p
    where p.pronamespace = 'keepsake'::regnamespace and p.proname like 'procrastinate\_%'
  loop
    execute format('alter function %s set search_path = keepsake, pg_temp', found.signature);
    execute format('revoke all on function %s from public, anon, authenticated', found.signature);
    execute format('grant execute on function %s to keepsake_api', found.signature);
  end loop;
  for found in
    select c.oid::regclass as name, c.relkind from pg_catalog.pg_class as c
    where c.relnamespace = 'keepsake'::regnamespace and c.relname like 'procrastinate\_%' and c.relkind in ('r', 'S')
  loop
    execute format('revoke all on %s %s from public, anon, authenticated', case found.relkind when 'S' then 'sequence' else 'table' end, found.name);
    execute format('grant %s on %s %s to keepsake_api', case found.relkind when 'S' then 'usage, select' else 'select, insert, update, delete' end,
      case found.relkind when 'S' then 'sequence' else 'table' end, found.name);
  end loop;
end
$$;

alter table keepsake.procrastinate_jobs
  alter column lock set statistics 0, alter column queueing_lock set statistics 0, alter column args set statistics 0;
comment on table keepsake.procrastinate_jobs is 'Jobs; their arguments are ids only.';
comment on table keepsake.procrastinate_events is 'What happened to each job.';
comment on table keepsake.procrastinate_periodic_defers is 'Which periodic jobs were queued for which moment.';
comment on table keepsake.procrastinate_workers is 'Workers alive, by their last heartbeat.';

-- An erasure deletes the waiting jobs of a person; the service has no other right on the queue.
grant select, delete, update (args, lock, queueing_lock) on keepsake.procrastinate_jobs to service_role;
grant select, update (job_id) on keepsake.procrastinate_periodic_defers to service_role;

-- Running jobs are found by index, however many wait: each minute looks for those whose worker died. And what old
-- extractions still tell is found where they made no memory, too.

create index procrastinate_jobs_doing on keepsake.procrastinate_jobs (id) where status = 'doing';
comment on index keepsake.procrastinate_jobs_doing is 'Running jobs, which are few.';
