-- The few turns that were quarantined or are in an unknown language are counted by index: `metrics` and `keepsake doctor`
-- read of the others only a sample, or nothing.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create index extractions_quarantined on keepsake.extractions (id) where status = 'quarantined';
comment on index keepsake.extractions_quarantined is 'Quarantined turns, which metrics count.';
create index extractions_unreadable on keepsake.extractions (finished_at) where status = 'skipped' and reason = 'language';
comment on index keepsake.extractions_unreadable is 'Turns in a language that could not be read, which doctor counts.';
