-- Running jobs are found by index, however many wait: each minute looks for those whose worker died. And what old
-- extractions still tell is found where they made no memory, too.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create index procrastinate_jobs_doing on keepsake.procrastinate_jobs (id) where status = 'doing';
comment on index keepsake.procrastinate_jobs_doing is 'Running jobs, which are few.';

create index extractions_with_details on keepsake.extractions (finished_at) where results <> '[]'::jsonb or dropped <> '{}'::jsonb;
comment on index keepsake.extractions_with_details is 'Finished extractions that still name their memories or what was dropped, oldest first.';
drop index keepsake.extractions_with_results;
comment on column keepsake.watermarks.name is 'Which search: lost_turns, late_turns or message_retention.';
