-- Functions of erasure (hard delete): whether a row mentions a subject or refers to an entity, and the deletion of
-- jobs with the turn they were for. sql/erasure.sql lists every table that may contain a person's words.

create function keepsake.text_mentions(content text, subject text, language text) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  config regconfig := keepsake.text_search_config(language);
begin
  return coalesce(to_tsvector(config, content) @@ plainto_tsquery(config, subject)
    or to_tsvector('pg_catalog.simple', content) @@ plainto_tsquery('pg_catalog.simple', subject), false);
end
$$;
comment on function keepsake.text_mentions(text, text, text) is 'Whether the text contains all words of the subject, in any form (stemmed); false for a subject without words.';
grant execute on function keepsake.text_mentions(text, text, text) to service_role;

create function keepsake.row_text(image jsonb) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  words text := concat_ws(' ', image ->> 'memory_text', image ->> 'source_quote', image ->> 'entity_label',
    image ->> 'label', image ->> 'aliases', image ->> 'name', image ->> 'notes', split_part(image ->> 'key', ':', 2),
    split_part(image ->> 'variant', ':', 2), image ->> 'value', nullif(split_part(image ->> 'memory_key', '|', 3), 'self'),
    split_part(image ->> 'memory_key', '|', 5), image ->> 'todo_text');
begin
  if image -> 'entity_refs' not in ('[]', '["person:self"]', 'null') then
    words := words || ' ' || coalesce((
      select string_agg(nullif(split_part(r.ref, ':', 2), 'self'), ' ')
      from jsonb_array_elements_text(image -> 'entity_refs') as r (ref)), '');
  end if;
  return translate(words, '_', ' ');
end
$$;
comment on function keepsake.row_text(jsonb) is 'All text of a row image, from a table or from the audit log.';
grant execute on function keepsake.row_text(jsonb) to service_role;

create function keepsake.row_references(image jsonb, entities text[]) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return entities <> '{}' and coalesce(image -> 'entity_refs' ?| entities, false)
    or coalesce(split_part(image ->> 'memory_key', '|', 2) || ':' || split_part(image ->> 'memory_key', '|', 3) = any (entities), false)
    or coalesce(image ->> 'key' = any (entities), false) or coalesce(image ->> 'variant' = any (entities), false);
end
$$;
comment on function keepsake.row_references(jsonb, text[]) is 'Whether a row image refers to one of these entities.';
grant execute on function keepsake.row_references(jsonb, text[]) to service_role;

create function keepsake.row_mentions(image jsonb, subject text, entities text[]) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return keepsake.row_references(image, entities)
    or (subject is not null and keepsake.text_mentions(keepsake.row_text(image), subject, coalesce(image ->> 'language', 'en')));
end
$$;
comment on function keepsake.row_mentions(jsonb, text, text[]) is 'Whether a row image mentions the subject or refers to one of these entities.';
grant execute on function keepsake.row_mentions(jsonb, text, text[]) to service_role;

-- The waiting job of a turn is deleted with the turn.
create function keepsake.delete_jobs_of_turn() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from keepsake.procrastinate_jobs as j
  where j.status <> 'doing' and j.args ->> 'message_id' = old.source_message_id::text;
  return null;
end
$$;
comment on function keepsake.delete_jobs_of_turn() is 'Deletes the waiting jobs of a deleted turn.';
create trigger keepsake_50_drop_jobs after delete on keepsake.extractions
  for each row when (old.status in ('pending', 'claimed')) execute function keepsake.delete_jobs_of_turn();

-- A model may have written a summary from what was said and not remembered. An erasure by subject finds it by its words.

create function keepsake.summary_mentions(summary jsonb, subject text) returns boolean
language plpgsql stable parallel safe set search_path = '' as $$
declare
  english regconfig := keepsake.text_search_config('en');
  own constant text[] := array['generator', 'prompt_version', 'outlines', 'previous'];
begin
  if subject is null then
    return false;
  end if;
  return exists (
    select from (values (summary - own), (nullif(summary -> 'previous', 'null') - own)) as i (image)
    where jsonb_to_tsvector(english, i.image, '["string"]') @@ plainto_tsquery(english, subject)
      or jsonb_to_tsvector('pg_catalog.simple', i.image, '["string"]') @@ plainto_tsquery('pg_catalog.simple', subject)
  );
end
$$;
comment on function keepsake.summary_mentions(jsonb, text) is 'Whether a row of a summary, or its version before, contains all words of the subject, in any form; false without a subject.';
grant execute on function keepsake.summary_mentions(jsonb, text) to service_role;
