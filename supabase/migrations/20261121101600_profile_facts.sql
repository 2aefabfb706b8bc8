-- What a primary profile says of a person is remembered from the start: their name, nickname and pronouns.

set local lock_timeout = '10s';  -- rather fail than queue the host's traffic behind us

create function keepsake.seed_memory(of_profile public.user_profile_list, slot text, said text, statement text)
returns void
language plpgsql set search_path = '' as $$
declare
  slug text := nullif(left(trim('_' from regexp_replace(lower(said), '\W+', '_', 'g')), 60), '');
  slot_key text := 'fact|person|self|' || slot;
  old_id uuid;
begin
  if exists (
    select from public.user_memory as m
    where m.user_id = of_profile.user_id and m.profile_id = of_profile.id and m.memory_key = slot_key
      and m.status = 'active' and m.persona_id is null and (m.source <> 'seeded_profile' or m.value = slug)
  ) then
    return;  -- the person has said so themselves, or it is known already
  end if;
  update public.user_memory as m set status = 'superseded', valid_to = now()
  where m.user_id = of_profile.user_id and m.profile_id = of_profile.id and m.memory_key = slot_key
    and m.status = 'active' and m.persona_id is null
  returning m.id into old_id;
  if slug is null or char_length(said) > 200 or said ~ '[\t\n]' or not keepsake.is_clean_text(said) then
    return;
  end if;
  insert into public.user_memory (user_id, profile_id, memory_text, memory_type, confidence_score, subtype, entity_type,
    memory_key, value, importance, entity_refs, source, supersedes_id)
  values (of_profile.user_id, of_profile.id, format(statement, btrim(said)), 'fact', 0.9, 'identity', 'person',
    slot_key, slug, 2, '{person:self}', 'seeded_profile', old_id);
end
$$;
comment on function keepsake.seed_memory(public.user_profile_list, text, text, text) is 'Remembers one thing a profile says, in the place of what it said before.';
revoke all on function keepsake.seed_memory(public.user_profile_list, text, text, text) from public, anon, authenticated;

create function keepsake.seed_profile() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and not coalesce(old.is_primary, false) then
    -- Memory starts now in the chats that had chosen it already.
    update public.conversations_participants as p set remember_since = now()
    where p.user_id = new.user_id and p.profile_id = new.id;
  end if;
  if exists (
    select from public.user_memory_settings as s
    where s.user_id = new.user_id and not (s.building and s.enabled and 'fact' = any (s.allowed_types))
  ) then
    return null;
  end if;
  perform keepsake.hold_merges(new.user_id, array[new.id::text]);
  perform keepsake.seed_memory(new, 'name', new.name, 'Name is %s');
  perform keepsake.seed_memory(new, 'nickname', new.nickname, 'Goes by %s');
  perform keepsake.seed_memory(new, 'pronouns', new.pronouns, 'Pronouns are %s');
  return null;
end
$$;
comment on function keepsake.seed_profile() is 'A new primary profile, or a new name on it, is remembered where the person allows it.';
revoke all on function keepsake.seed_profile() from public, anon, authenticated;
create trigger keepsake_20_seed_new_profile after insert on public.user_profile_list
  for each row when (new.is_primary) execute function keepsake.seed_profile();
create trigger keepsake_20_seed_profile after update of is_primary, name, nickname, pronouns on public.user_profile_list
  for each row when (new.is_primary and (new.is_primary, new.name, new.nickname, new.pronouns)
    is distinct from (old.is_primary, old.name, old.nickname, old.pronouns))
  execute function keepsake.seed_profile();
