-- The name in a profile is as important as the name that a person says: who they are (3).

create or replace function keepsake.store_profile_fact(of_profile public.user_profile_list, attribute text, content text, template text)
returns void
language plpgsql set search_path = '' as $$
declare
  value_slug text := nullif(left(trim('_' from regexp_replace(lower(content), '\W+', '_', 'g')), 60), '');
  key text := 'fact|person|self|' || attribute;
  old_id uuid;
begin
  if exists (
    select from public.user_memory as m
    where m.user_id = of_profile.user_id and m.profile_id = of_profile.id and m.memory_key = key
      and m.status = 'active' and m.persona_id is null and (m.source <> 'seeded_profile' or m.value = value_slug)
  ) then
    return;  -- the person stated it themselves, or it is stored already
  end if;
  update public.user_memory as m set status = 'superseded', valid_to = now()
  where m.user_id = of_profile.user_id and m.profile_id = of_profile.id and m.memory_key = key
    and m.status = 'active' and m.persona_id is null
  returning m.id into old_id;
  if value_slug is null or char_length(content) > 200 or content ~ '[\t\n]' or not keepsake.is_clean_text(content) then
    return;
  end if;
  insert into public.user_memory (user_id, profile_id, memory_text, memory_type, confidence_score, subtype, entity_type,
    memory_key, value, importance, entity_refs, source, supersedes_id)
  values (of_profile.user_id, of_profile.id, format(template, btrim(content)), 'fact', 0.9, 'identity', 'person',
    key, value_slug, case attribute when 'name' then 3 else 2 end, '{person:self}', 'seeded_profile', old_id);
end
$$;
