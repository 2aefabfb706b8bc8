-- Selection reads these for every message. The planner has no statistics of owners, and takes the smallest of the indexes
-- that lead with one: so each has an index that holds nothing else, which is taken at any size of the table.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

drop index public.user_memory_identity;
create index user_memory_identity on public.user_memory (user_id, profile_id)
  where status = 'active' and memory_key in
    ('fact|person|self|name', 'fact|person|self|nickname', 'fact|person|self|pronouns',
      'fact|person|self|answer_language', 'fact|person|self|answer_length', 'fact|person|self|answer_format',
      'fact|person|self|answer_tone', 'fact|person|self|answer_units', 'fact|person|self|answer_address',
      'fact|person|self|answer_level');
comment on index public.user_memory_identity is 'Who the person is, and how they want to be answered.';

create index user_memory_of_persona on public.user_memory (user_id, profile_id, persona_id)
  where status = 'active' and memory_key is not null and persona_id is not null;
comment on index public.user_memory_of_persona is 'What only one persona knows: it replaces what every persona knows.';
