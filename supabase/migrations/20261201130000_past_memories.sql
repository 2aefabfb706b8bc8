-- "Forget X" also looks for past memories, of which there may be any number: an index finds them by what the command compares,
-- so that its time grows with what matches.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

-- Without names of this schema in its body: whoever writes a past memory fills the index, also its person.
create function keepsake.past_terms(
  profile uuid, words tsvector, memory_key text, entity_refs text[], memory_type public.memory_type, subtype text
) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return array(
    select profile::text || t.term from unnest(tsvector_to_array(words) || entity_refs
      || array(select '|' || k.part from unnest(string_to_array(memory_key, '|')) as k (part))
      || array[memory_key, 'type:' || memory_type, 'subtype:' || subtype,
        case when split_part(memory_key, '|', 3) not in ('', 'self') then 'about:others' end]) as t (term)
    where t.term is not null
  );
end
$$;
comment on function keepsake.past_terms(uuid, tsvector, text, text[], public.memory_type, text) is 'What a past memory is found by, each term prefixed with the profile: its words, entities, key, parts of the key, and kinds.';
revoke all on function keepsake.past_terms(uuid, tsvector, text, text[], public.memory_type, text) from public, anon, authenticated;
grant execute on function keepsake.past_terms(uuid, tsvector, text, text[], public.memory_type, text) to authenticated, service_role;
grant execute on function keepsake.text_search_config(text) to authenticated;

create index user_memory_past on public.user_memory using gin (keepsake.past_terms(
  profile_id, to_tsvector(keepsake.text_search_config(language), memory_text), memory_key, entity_refs, memory_type, subtype
)) with (fastupdate = off) where status in ('superseded', 'archived', 'expired');
-- Without statistics: they would tell whose words are frequent.
alter index public.user_memory_past alter column 1 set statistics 0;
comment on index public.user_memory_past is 'Finds the past memories of a profile by their words, entities, keys and kinds.';
