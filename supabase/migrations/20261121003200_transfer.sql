-- Bringing memories back: what says the same is found by an index, however many a person has.

set local lock_timeout = '10s';  -- rather fail than queue the host's traffic behind us

create function keepsake.plain_text(txt text) returns text
language sql immutable parallel safe set search_path = '' as $$
  select rtrim(btrim(regexp_replace(lower(txt), '\s+', ' ', 'g')), ' .!')
$$;
comment on function keepsake.plain_text(text) is 'The text in lower case, single spaces, no full stop at its end: two that are equal say the same.';
revoke all on function keepsake.plain_text(text) from public, anon, authenticated;
grant execute on function keepsake.plain_text(text) to authenticated, service_role;

create index user_memory_same_words on public.user_memory
  (user_id, hashtextextended(keepsake.plain_text(memory_text), 0));
comment on index public.user_memory_same_words is 'Finds what says the same as a row that is imported.';
-- No samples of it: after a first ANALYZE of an almost empty table they would say that all words are the same.
alter index public.user_memory_same_words alter column 2 set statistics 0;
