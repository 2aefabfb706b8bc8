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
revoke all on function keepsake.summary_mentions(jsonb, text) from public, anon, authenticated;
grant execute on function keepsake.summary_mentions(jsonb, text) to service_role;
