-- What the nightly run asks for, by index: it goes through what is old in order, and never through everything.

create index user_memory_aging on public.user_memory (created_at, id) where status = 'active' and not pinned;
comment on index public.user_memory_aging is 'What may be archived, oldest first; counting a use does not touch it.';
create index user_memory_settings_retention on public.user_memory_settings (user_id) where retention_days <> '{}';
comment on index public.user_memory_settings_retention is 'Who wants some types of memory kept for a while only.';
