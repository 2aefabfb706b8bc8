-- What a message is about is found by an index that holds each person's words apart from everybody else's, and what is
-- shown with every message by indexes of its own: the time does not grow with the table, nor with what else one said.

create or replace function keepsake.text_search_config(language text) returns regconfig
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return case split_part(lower(language), '-', 1)
    when 'en' then 'pg_catalog.english'::regconfig when 'de' then 'pg_catalog.german'::regconfig
    when 'fr' then 'pg_catalog.french'::regconfig when 'es' then 'pg_catalog.spanish'::regconfig
    when 'it' then 'pg_catalog.italian'::regconfig when 'pt' then 'pg_catalog.portuguese'::regconfig
    when 'nl' then 'pg_catalog.dutch'::regconfig when 'sv' then 'pg_catalog.swedish'::regconfig
    when 'da' then 'pg_catalog.danish'::regconfig when 'no' then 'pg_catalog.norwegian'::regconfig
    when 'nb' then 'pg_catalog.norwegian'::regconfig when 'nn' then 'pg_catalog.norwegian'::regconfig
    when 'fi' then 'pg_catalog.finnish'::regconfig when 'ru' then 'pg_catalog.russian'::regconfig
    when 'hu' then 'pg_catalog.hungarian'::regconfig when 'ro' then 'pg_catalog.romanian'::regconfig
    when 'tr' then 'pg_catalog.turkish'::regconfig when 'el' then 'pg_catalog.greek'::regconfig
    when 'ar' then 'pg_catalog.arabic'::regconfig when 'hi' then 'pg_catalog.hindi'::regconfig
    when 'id' then 'pg_catalog.indonesian'::regconfig when 'ga' then 'pg_catalog.irish'::regconfig
    when 'lt' then 'pg_catalog.lithuanian'::regconfig when 'ne' then 'pg_catalog.nepali'::regconfig
    when 'sr' then 'pg_catalog.serbian'::regconfig when 'ta' then 'pg_catalog.tamil'::regconfig
    when 'ca' then 'pg_catalog.catalan'::regconfig when 'eu' then 'pg_catalog.basque'::regconfig
    when 'hy' then 'pg_catalog.armenian'::regconfig when 'yi' then 'pg_catalog.yiddish'::regconfig
    else 'pg_catalog.simple'::regconfig
  end;
end
$$;
comment on function keepsake.text_search_config(text) is 'How to stem a language; simple where Postgres does not know it. In plpgsql, whose plan a session keeps.';

create function keepsake.words_of(profile uuid, words text[]) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return array(select profile::text || w.word from unnest(words) as w (word));
end
$$;
comment on function keepsake.words_of(uuid, text[]) is 'The words as those of one profile and of nobody else: what the index of words holds.';
revoke all on function keepsake.words_of(uuid, text[]) from public, anon, authenticated;
grant execute on function keepsake.words_of(uuid, text[]) to service_role;

-- Without a list of what is still to be put in: every reader would have to go through it.
create index memory_index_words on keepsake.memory_index
  using gin (keepsake.words_of(profile_id, tsvector_to_array(lexemes))) with (fastupdate = off);
comment on index keepsake.memory_index_words is 'Finds the memories of one profile that share a word with a message.';

create index memory_index_lengths on keepsake.memory_index (user_id, profile_id) include (length);
comment on index keepsake.memory_index_lengths is 'How many memories a profile has, and how long they are, without reading them.';
drop index keepsake.memory_index_profile;

create index user_memory_core on public.user_memory
  (user_id, profile_id, pinned desc, importance desc, valid_from desc, memory_no desc)
  where status = 'active' and importance >= 2 and (pinned or subtype = 'preference');
comment on index public.user_memory_core is 'Pins and core preferences in the order in which they are shown.';

create index user_memory_identity on public.user_memory (user_id, profile_id)
  where status = 'active' and memory_key in
    ('fact|person|self|name', 'fact|person|self|nickname', 'fact|person|self|pronouns');
comment on index public.user_memory_identity is 'Who the person is.';
comment on index public.user_memory_foremost is 'The memories that entity cards are made of; counting a use does not touch it.';
