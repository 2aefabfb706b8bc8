-- What erasure needs: how a subject is found in words, the rights to take a person's jobs along, and jobs that go with
-- what they were for. The list of where a person's words may lie is sql/erasure.sql.

create function keepsake.mentions(said text, subject text, language text) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select coalesce(
    to_tsvector(keepsake.text_search_config(language), said) @@ plainto_tsquery(keepsake.text_search_config(language), subject)
    or to_tsvector('pg_catalog.simple', said) @@ plainto_tsquery('pg_catalog.simple', subject), false)
$$;
comment on function keepsake.mentions(text, text, text) is 'Whether all words of the subject stand in the text, in any of their forms; a subject without a word stands nowhere.';
revoke all on function keepsake.mentions(text, text, text) from public, anon, authenticated;
grant execute on function keepsake.mentions(text, text, text) to service_role;

create function keepsake.tells_of(image jsonb, subject text, entities text[]) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select i.refs && entities or i.about || ':' || i.named = any (entities)
    or image ->> 'key' = any (entities) or image ->> 'variant' = any (entities)
    or (subject is not null and keepsake.mentions(concat_ws(' ', image ->> 'memory_text', image ->> 'source_quote',
      image ->> 'entity_label', image ->> 'label', image ->> 'aliases', image ->> 'name', image ->> 'notes',
      translate(concat_ws(' ', image ->> 'value', nullif(i.named, 'self'), i.said, split_part(image ->> 'key', ':', 2),
        split_part(image ->> 'variant', ':', 2),
        (select string_agg(nullif(split_part(r.ref, ':', 2), 'self'), ' ') from unnest(i.refs) as r (ref))), '_', ' ')),
      subject, coalesce(image ->> 'language', 'en')))
  from (
    select coalesce(split_part(image ->> 'memory_key', '|', 2), '') as about,
      coalesce(split_part(image ->> 'memory_key', '|', 3), '') as named,
      coalesce(split_part(image ->> 'memory_key', '|', 5), '') as said,
      array(select jsonb_array_elements_text(coalesce(nullif(image -> 'entity_refs', 'null'), '[]'))) as refs
  ) as i
$$;
comment on function keepsake.tells_of(jsonb, text, text[]) is 'Whether a row, as it is or as a change recorded it, speaks of a subject in words, or is about one of these entities.';
revoke all on function keepsake.tells_of(jsonb, text, text[]) from public, anon, authenticated;
grant execute on function keepsake.tells_of(jsonb, text, text[]) to service_role;

-- Erasing takes the person's waiting jobs along; nothing else of the queue is the service's.
grant select, delete, update (args, lock, queueing_lock) on keepsake.procrastinate_jobs to service_role;
grant select, update (job_id) on keepsake.procrastinate_periodic_defers to service_role;

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
