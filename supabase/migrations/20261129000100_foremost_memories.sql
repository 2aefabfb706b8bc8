-- What every context contains is read in the order in which it is shown, so that only as many memories are read as there are
-- places. The important memories of an entity, of which cards are made, are found by the entity.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

drop index public.user_memory_core;
create index user_memory_core on public.user_memory
  (user_id, profile_id, pinned desc, importance desc, valid_from desc, memory_no desc)
  where status = 'active' and importance >= 3;
comment on index public.user_memory_core is 'Pins and what must not be missed, in the order in which they are shown.';

create index user_memory_of_entities on public.user_memory using gin (keepsake.profile_terms(profile_id, entity_refs))
  with (fastupdate = off) where status = 'active' and importance >= 2;
-- Without statistics: they would tell whose entities are frequent.
alter index public.user_memory_of_entities alter column 1 set statistics 0;
comment on index public.user_memory_of_entities is 'Finds the important memories of a profile about an entity.';
-- Whoever writes a memory fills this index.
grant execute on function keepsake.profile_terms(uuid, text[]) to authenticated;
