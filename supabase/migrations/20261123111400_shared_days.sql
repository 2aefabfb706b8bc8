-- A model is asked once for everybody who spoke in a shared conversation on a day: whoever asks leases their periods.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

alter table keepsake.summary_periods add column leased_until timestamptz;
comment on column keepsake.summary_periods.leased_until is 'Until when somebody else''s job asks the model about this period too.';
