-- A turn in a language that could not be read ends as extracted, with the reason "language": it was looked at, and counts as
-- a message of its session. Turns from before ended as skipped; doctor counts both.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

drop index keepsake.extractions_unreadable;
create index extractions_unreadable on keepsake.extractions (finished_at) where reason = 'language';
comment on index keepsake.extractions_unreadable is 'Turns in a language that could not be read, which doctor counts.';
