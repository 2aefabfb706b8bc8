-- The results of an extraction stay: by them a turn of which a memory was forgotten or erased is left out of every later
-- summary of its conversation. Of old extractions only the counts of what was dropped are cleared.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create index extractions_with_drops on keepsake.extractions (finished_at) where dropped - 'erased' <> '{}'::jsonb;
comment on index keepsake.extractions_with_drops is 'Finished extractions that still count what was dropped, oldest first.';
drop index keepsake.extractions_with_details;
