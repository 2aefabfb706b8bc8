-- What erasure needs: how a subject is found in words, the rights to take a person's jobs along, and jobs that go with
-- what they were for. The list of where a person's words may lie is sql/erasure.sql.

create function keepsake.mentions(said text, subject text, language text) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  config regconfig := keepsake.text_search_config(language);
begin
  return coalesce(to_tsvector(config, said) @@ plainto_tsquery(config, subject)
    or to_tsvector('pg_catalog.simple', said) @@ plainto_tsquery('pg_catalog.simple', subject), false);
end
$$;
comment on function keepsake.mentions(text, text, text) is 'Whether all words of the subject stand in the text, in any of their forms; a subject without a word stands nowhere.';
revoke all on function keepsake.mentions(text, text, text) from public, anon, authenticated;
grant execute on function keepsake.mentions(text, text, text) to service_role;

create function keepsake.words_in(image jsonb) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  words text := concat_ws(' ', image ->> 'memory_text', image ->> 'source_quote', image ->> 'entity_label',
    image ->> 'label', image ->> 'aliases', image ->> 'name', image ->> 'notes', split_part(image ->> 'key', ':', 2),
    split_part(image ->> 'variant', ':', 2), image ->> 'value', nullif(split_part(image ->> 'memory_key', '|', 3), 'self'),
    split_part(image ->> 'memory_key', '|', 5));
begin
  if image -> 'entity_refs' not in ('[]', '["person:self"]', 'null') then
    words := words || ' ' || coalesce((
      select string_agg(nullif(split_part(r.ref, ':', 2), 'self'), ' ')
      from jsonb_array_elements_text(image -> 'entity_refs') as r (ref)), '');
  end if;
  return translate(words, '_', ' ');
end
$$;
comment on function keepsake.words_in(jsonb) is 'All words that a row has of a person, as it is or as a change recorded it.';
revoke all on function keepsake.words_in(jsonb) from public, anon, authenticated;
grant execute on function keepsake.words_in(jsonb) to service_role;

create function keepsake.is_about(image jsonb, entities text[]) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return entities <> '{}' and coalesce(image -> 'entity_refs' ?| entities, false)
    or coalesce(split_part(image ->> 'memory_key', '|', 2) || ':' || split_part(image ->> 'memory_key', '|', 3) = any (entities), false)
    or coalesce(image ->> 'key' = any (entities), false) or coalesce(image ->> 'variant' = any (entities), false);
end
$$;
comment on function keepsake.is_about(jsonb, text[]) is 'Whether a row, as it is or as a change recorded it, is about one of these entities.';
revoke all on function keepsake.is_about(jsonb, text[]) from public, anon, authenticated;
grant execute on function keepsake.is_about(jsonb, text[]) to service_role;

create function keepsake.tells_of(image jsonb, subject text, entities text[]) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return keepsake.is_about(image, entities)
    or (subject is not null and keepsake.mentions(keepsake.words_in(image), subject, coalesce(image ->> 'language', 'en')));
end
$$;
comment on function keepsake.tells_of(jsonb, text, text[]) is 'Whether a row speaks of a subject in words, or is about one of these entities.';
revoke all on function keepsake.tells_of(jsonb, text, text[]) from public, anon, authenticated;
grant execute on function keepsake.tells_of(jsonb, text, text[]) to service_role;

-- Where an account or a message goes, the job that would have looked at it goes too.
create function keepsake.drop_jobs_of_turn() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from keepsake.procrastinate_jobs as j
  where j.status <> 'doing' and j.args ->> 'message_id' = old.source_message_id::text;
  return null;
end
$$;
comment on function keepsake.drop_jobs_of_turn() is 'No job waits for a turn that is gone.';
revoke all on function keepsake.drop_jobs_of_turn() from public, anon, authenticated;
create trigger keepsake_50_drop_jobs after delete on keepsake.extractions
  for each row when (old.status in ('pending', 'claimed')) execute function keepsake.drop_jobs_of_turn();
