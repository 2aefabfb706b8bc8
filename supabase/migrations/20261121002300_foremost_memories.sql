-- What every message's selection asks for first, whatever was said: core preferences, pins and who the person is.

create index user_memory_foremost on public.user_memory (user_id, profile_id)
  where status = 'active' and (importance >= 2 or memory_key in
    ('fact|person|self|name', 'fact|person|self|nickname', 'fact|person|self|pronouns'));
comment on index public.user_memory_foremost is 'The memories selection looks at for every message; counting a use does not touch it.';
