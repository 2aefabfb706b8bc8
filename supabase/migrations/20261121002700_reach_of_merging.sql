-- Merging finds what a new statement may touch by the beginning of its key, whatever else the person is remembered for.

create index user_memory_keys on public.user_memory (user_id, profile_id, memory_key text_pattern_ops)
  where status = 'active' and memory_key is not null;
comment on index public.user_memory_keys is 'Finds current statements about a thing, and about whatever belongs to it.';

create index user_memory_without_key on public.user_memory (user_id, profile_id)
  where status = 'active' and memory_key is null;
comment on index public.user_memory_without_key is 'Current statements that can only be compared by their words.';
