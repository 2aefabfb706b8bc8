-- Extraction looks memories up by the beginnings of their keys. With the person in a condition of its own, the planner,
-- which has no statistics of owners, often took another index that leads with the person, and read all of their memories
-- for each beginning. Profile and key are one expression now, which only this index has; its condition is written so that no other
-- partial index follows from it, of which a plan made while the table was small would read all. The index that keeps one current
-- statement about a thing leads with the key before the persona: it serves a search by the whole key.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

drop index public.user_memory_keys;
create index user_memory_keys on public.user_memory ((profile_id::text || memory_key) text_pattern_ops)
  where status is not distinct from 'active' and memory_key is not null;
-- Without statistics: they would tell whose rows are frequent.
alter index public.user_memory_keys alter column 1 set statistics 0;
comment on index public.user_memory_keys is 'Finds current statements of a profile by the prefix of their key.';

drop index public.user_memory_one_active;
create unique index user_memory_one_active on public.user_memory (user_id, profile_id, memory_key, persona_id)
  nulls not distinct where status = 'active' and memory_key is not null;
comment on index public.user_memory_one_active is 'At most one current statement about a thing.';
