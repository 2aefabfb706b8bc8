-- Limits for what people write through PostgREST: without them one request stores megabytes that every later read of the
-- row carries along. `not valid`: rows that are longer already stay until they are written again.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

alter table public.user_memory_settings
  add constraint user_memory_settings_types_length check (cardinality(allowed_types) <= 20) not valid,
  add constraint user_memory_settings_retention_length check (octet_length(retention_days::text) <= 1000) not valid;

-- The host's tables only where Keepsake created them.
do $$
begin
  if pg_catalog.obj_description(to_regclass('public.user_profile_list'))
    = 'A person''s profiles; memory is made only for the primary one.' then
    alter table public.user_profile_list
      add constraint user_profile_list_name_length check (char_length(name) <= 200) not valid,
      add constraint user_profile_list_nickname_length check (char_length(nickname) <= 200) not valid,
      add constraint user_profile_list_pronouns_length check (char_length(pronouns) <= 200) not valid,
      add constraint user_profile_list_timezone_length check (char_length(timezone) <= 100) not valid,
      add constraint user_profile_list_locale_length check (char_length(locale) <= 100) not valid,
      add constraint user_profile_list_birth_chart_length check (octet_length(birth_chart::text) <= 65536) not valid;
  end if;
  if pg_catalog.obj_description(to_regclass('public.conversations'))
    = 'Chats; user_id owns one, others may take part in it.' then
    alter table public.conversations
      add constraint conversations_title_length check (char_length(title) <= 1000) not valid,
      add constraint conversations_persona_length check (char_length(persona_id) <= 200) not valid;
  end if;
  if pg_catalog.obj_description(to_regclass('public.messages')) = 'What was said in a chat.' then
    alter table public.messages
      add constraint messages_content_length check (octet_length(content) <= 1048576) not valid;
  end if;
end
$$;
