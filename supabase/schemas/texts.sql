-- Functions on texts, which the checks and indexes of several tables use. Whoever writes a row calls them, also its person.
-- They are in plpgsql: a function in the language sql with a search path of its own is never inlined, and Postgres plans it
-- anew at each call; one in plpgsql is planned once a connection.

create function keepsake.is_clean_text(txt text) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return txt !~ '[\u0001-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\U000E0000-\U000E01EF]';
end
$$;
comment on function keepsake.is_clean_text(text) is 'Whether the text is free of control, bidi, line separator, tag and variation selector characters (as FORBIDDEN_CHARACTERS of domain/text.py); tab and newline pass.';
grant execute on function keepsake.is_clean_text(text) to authenticated, service_role;

create function keepsake.clean_text(txt text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return case when txt ~ '^[\u0001-\u007F]*$' then txt else normalize(regexp_replace(regexp_replace(regexp_replace(
    regexp_replace(txt, '[\u2028\u2029]', ' ', 'g'),
    '(?<=[.!?,;:…])[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u3164\uFFA0\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFC\uFFFE\uFFFF\U000E0000-\U000E01EF]+(?=[[:alpha:]])', ' ', 'g'),
    '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u3164\uFFA0\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFC\uFFFE\uFFFF\U000E0000-\U000E01EF]', '', 'g'),
    '(?<![\u0590-\u1DFF\u2190-\u2BFF\uFE0F\uFB1D-\uFDFF\uFE70-\uFEFC\U0001E900-\U0001E95F\U0001F000-\U0001FAFF])[\u200C\u200D]|[\u200C\u200D](?![\u0590-\u1DFF\u2190-\u2BFF\uFE0F\uFB1D-\uFDFF\uFE70-\uFEFC\U0001E900-\U0001E95F\U0001F000-\U0001FAFF])', '', 'g'), NFC) end;
end
$$;
comment on function keepsake.clean_text(text) is 'The text composed (NFC) and without characters that no reader sees (INVISIBLE_CHARACTERS of domain/text.py); line separators become blanks.';
grant execute on function keepsake.clean_text(text) to service_role;

create function keepsake.comparable_text(txt text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return rtrim(btrim(regexp_replace(lower(txt), '\s+', ' ', 'g')), ' .!');
end
$$;
comment on function keepsake.comparable_text(text) is 'The text in lower case, with single spaces and without a final full stop: duplicates are found by comparing it.';
grant execute on function keepsake.comparable_text(text) to authenticated, service_role;

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
grant execute on function keepsake.text_search_config(text) to authenticated, service_role;

create function keepsake.profile_terms(profile uuid, words text[]) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return array(select profile::text || w.word from unnest(words) as w (word));
end
$$;
comment on function keepsake.profile_terms(uuid, text[]) is 'The words prefixed with the profile: the terms of the inverted index.';
grant execute on function keepsake.profile_terms(uuid, text[]) to authenticated, service_role;
