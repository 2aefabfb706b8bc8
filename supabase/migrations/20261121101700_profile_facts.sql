-- Name, nickname and pronouns of a primary profile become memories.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create function keepsake.store_profile_fact(of_profile public.user_profile_list, attribute text, content text, template text)
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
    key, value_slug, 2, '{person:self}', 'seeded_profile', old_id);
end
$$;
comment on function keepsake.store_profile_fact(public.user_profile_list, text, text, text) is 'Stores one attribute of a profile as a memory, which supersedes the previous one.';
revoke all on function keepsake.store_profile_fact(public.user_profile_list, text, text, text) from public, anon, authenticated;

create function keepsake.store_profile_facts() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and not coalesce(old.is_primary, false) then
    -- Memory starts now in the conversations that use this profile already.
    update public.conversations_participants as p set remember_since = now()
    where p.user_id = new.user_id and p.profile_id = new.id;
  end if;
  if exists (
    select from public.user_memory_settings as s
    where s.user_id = new.user_id and not (s.building and s.enabled and 'fact' = any (s.allowed_types))
  ) then
    return null;
  end if;
  perform keepsake.lock_merges(new.user_id, array[new.id::text]);
  perform keepsake.store_profile_fact(new, 'name', new.name, 'Name is %s');
  perform keepsake.store_profile_fact(new, 'nickname', new.nickname, 'Goes by %s');
  perform keepsake.store_profile_fact(new, 'pronouns', new.pronouns, 'Pronouns are %s');
  return null;
end
$$;
comment on function keepsake.store_profile_facts() is 'Stores the attributes of a new or changed primary profile, where the person''s settings allow it.';
revoke all on function keepsake.store_profile_facts() from public, anon, authenticated;
create trigger keepsake_20_store_new_profile_facts after insert on public.user_profile_list
  for each row when (new.is_primary) execute function keepsake.store_profile_facts();
create trigger keepsake_20_store_profile_facts after update of is_primary, name, nickname, pronouns on public.user_profile_list
  for each row when (new.is_primary and (new.is_primary, new.name, new.nickname, new.pronouns)
    is distinct from (old.is_primary, old.name, old.nickname, old.pronouns))
  execute function keepsake.store_profile_facts();
