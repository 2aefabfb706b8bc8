-- Full-text search: the lexemes of every active memory, in a private table that a trigger maintains in the memory's own
-- transaction. The inverted index holds terms prefixed with the profile, so its lookups do not grow with the table.

create function keepsake.text_search_config(language text) returns regconfig
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
comment on function keepsake.text_search_config(text) is 'The text search configuration of a language; simple where Postgres has none. In plpgsql, because a session caches its plan.';
revoke all on function keepsake.text_search_config(text) from public, anon, authenticated;
grant execute on function keepsake.text_search_config(text) to service_role;

create function keepsake.profile_terms(profile uuid, words text[]) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return array(select profile::text || w.word from unnest(words) as w (word));
end
$$;
comment on function keepsake.profile_terms(uuid, text[]) is 'The words prefixed with the profile: the terms of the inverted index.';
revoke all on function keepsake.profile_terms(uuid, text[]) from public, anon, authenticated;
grant execute on function keepsake.profile_terms(uuid, text[]) to service_role;

create table keepsake.memory_index (
  memory_id uuid not null,
  user_id uuid not null,
  profile_id uuid not null,
  lexemes tsvector not null,
  length integer not null,
  primary key (user_id, memory_id),
  constraint memory_index_memory foreign key (user_id, memory_id)
    references public.user_memory (user_id, id) on delete cascade
);
-- Without a pending list, which every reader would have to scan.
create index memory_index_words on keepsake.memory_index
  using gin (keepsake.profile_terms(profile_id, tsvector_to_array(lexemes))) with (fastupdate = off);
create index memory_index_lengths on keepsake.memory_index (user_id, profile_id) include (length);
comment on table keepsake.memory_index is 'The lexemes of each active memory; selection and search read it.';
comment on column keepsake.memory_index.length is 'The number of words without stop words: the document length of BM25.';
comment on index keepsake.memory_index_words is 'Finds the memories of one profile that share a word with a message.';
comment on index keepsake.memory_index_lengths is 'The number and length of a profile''s memories, by an index-only scan.';
revoke all on keepsake.memory_index from public, anon, authenticated;
grant select, insert, update, delete on keepsake.memory_index to service_role;

create function keepsake.index_memory() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  words tsvector;
begin
  if new.status <> 'active' then
    delete from keepsake.memory_index where user_id = new.user_id and memory_id = new.id;
    return null;
  end if;
  words := to_tsvector(keepsake.text_search_config(new.language), new.memory_text);
  insert into keepsake.memory_index as i (memory_id, user_id, profile_id, lexemes, length)
  values (new.id, new.user_id, new.profile_id, words,
    (select coalesce(sum(cardinality(w.positions)), 0) from unnest(words) as w))
  on conflict (user_id, memory_id) do update
    set profile_id = excluded.profile_id, lexemes = excluded.lexemes, length = excluded.length;
  return null;
end
$$;
comment on function keepsake.index_memory() is 'Updates the lexemes of a memory with its text, language and status.';
revoke all on function keepsake.index_memory() from public, anon, authenticated;
create trigger keepsake_20_index after insert or update of memory_text, language, status, profile_id on public.user_memory
  for each row execute function keepsake.index_memory();
