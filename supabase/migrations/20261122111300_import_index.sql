-- The index that finds duplicates of an imported row leads with the words: beginning with user_id, it was chosen for any
-- search by user_id where statistics were outdated, and then read all rows of the person for each row of a file.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

drop index public.user_memory_same_words;
create index user_memory_same_words on public.user_memory
  (hashtextextended(keepsake.comparable_text(memory_text), 0), user_id);
-- Without statistics: a first ANALYZE of an almost empty table would record that all texts are equal.
alter index public.user_memory_same_words alter column 1 set statistics 0;
comment on index public.user_memory_same_words is 'Finds duplicates of an imported row.';
