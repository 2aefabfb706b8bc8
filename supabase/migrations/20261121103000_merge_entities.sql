-- Merges two entities: references and keys of one become those of the other, and of two current statements with one key
-- the later stays. The caller has begun an operation and holds the merge lock of the profile.

create function keepsake.rename_in_key(key text, old_name text, new_name text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  renamed text;
begin
  select string_agg(case when p.part = old_name then new_name else p.part end, '|' order by p.position) into renamed
  from unnest(string_to_array(key, '|')) with ordinality as p (part, position);
  return case when char_length(renamed) <= 300 then renamed else key end;
end
$$;
comment on function keepsake.rename_in_key(text, text, text) is 'The memory key with one name replaced by another.';
revoke all on function keepsake.rename_in_key(text, text, text) from public, anon, authenticated;
grant execute on function keepsake.rename_in_key(text, text, text) to service_role;

create function keepsake.rename_relation_key(key text, relation text, name text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  prefix text := 'relationship|person|' || relation || '|';
  rest text := substr(key, char_length(prefix) + 1);
begin
  return case
    when not starts_with(key, prefix) or rest = 'name' or split_part(rest, '|', 1) = name or char_length(key || name) >= 300
      then key
    else prefix || name || '|' || rest end;
end
$$;
comment on function keepsake.rename_relation_key(text, text, text) is 'The memory key of a relative, with their name once it is known: mother|home becomes mother|anna|home.';
revoke all on function keepsake.rename_relation_key(text, text, text) from public, anon, authenticated;
grant execute on function keepsake.rename_relation_key(text, text, text) to service_role;

create function keepsake.merge_entities(person uuid, profile uuid, variant text, kept text, as_relation boolean default false)
returns bigint
language plpgsql set search_path = '' as $$
declare
  old_name text := split_part(variant, ':', 2);
  new_name text := split_part(kept, ':', 2);
  candidate record;
  other public.user_memory;
  loser uuid;
  winner uuid;
  touched bigint;
begin
  perform set_config('keepsake.entity_decision', 'on', true);
  perform from public.user_memory as m
  where m.user_id = person and m.profile_id = profile and (variant = any (m.entity_refs) or kept = any (m.entity_refs))
  order by m.id for no key update;
  -- Only one statement of a key can be current. Precedence: pinned, then confirmed, then the later.
  for candidate in
    select m.*, case when as_relation then keepsake.rename_relation_key(m.memory_key, old_name, new_name)
      else keepsake.rename_in_key(m.memory_key, old_name, new_name) end as new_key
    from public.user_memory as m
    where m.user_id = person and m.profile_id = profile and variant = any (m.entity_refs)
      and m.status = 'active' and m.memory_key is not null
    order by m.id
  loop
    select o.* into other from public.user_memory as o
    where o.user_id = person and o.profile_id = profile and o.status = 'active' and o.memory_key = candidate.new_key
      and o.id <> candidate.id and o.persona_id is not distinct from candidate.persona_id
    for no key update;
    continue when not found;
    if (candidate.pinned, candidate.confidence_score >= 1 or candidate.source = 'user', candidate.valid_from,
        candidate.memory_no)
      > (other.pinned, other.confidence_score >= 1 or other.source = 'user', other.valid_from, other.memory_no) then
      winner := candidate.id;
      loser := other.id;
    else
      winner := other.id;
      loser := candidate.id;
    end if;
    update public.user_memory as m
    set status = 'superseded', valid_to = greatest(candidate.valid_from, other.valid_from)
    where m.user_id = person and m.id = loser;
    update public.user_memory as m
    set supersedes_id = coalesce(m.supersedes_id, loser),
      importance = greatest(m.importance, candidate.importance, other.importance),
      reference_count = least(32767, candidate.reference_count::int + other.reference_count)
    where m.user_id = person and m.id = winner;
  end loop;
  update public.user_memory as m
  set entity_refs = array(
      select case when r.ref = variant then kept else r.ref end
      from unnest(m.entity_refs) with ordinality as r (ref, position) group by 1 order by min(r.position)),
    memory_key = case when as_relation then keepsake.rename_relation_key(m.memory_key, old_name, new_name)
      else keepsake.rename_in_key(m.memory_key, old_name, new_name) end,
    value = case when not as_relation and m.value = old_name then new_name else m.value end,
    updated_at = now()
  where m.user_id = person and m.profile_id = profile and variant = any (m.entity_refs);
  get diagnostics touched = row_count;
  perform keepsake.absorb_entity(person, profile, variant, kept, as_relation);
  perform set_config('keepsake.entity_decision', '', true);
  return touched;
end
$$;
comment on function keepsake.merge_entities(uuid, uuid, text, text, boolean) is 'Moves the memories of one entity to another: references, keys, and of two statements with one key the later stays.';
revoke all on function keepsake.merge_entities(uuid, uuid, text, text, boolean) from public, anon, authenticated;
grant execute on function keepsake.merge_entities(uuid, uuid, text, text, boolean) to service_role;

create function keepsake.absorb_entity(person uuid, profile uuid, absorbed text, kept text, as_relation boolean) returns void
language plpgsql set search_path = '' as $$
declare
  old_entity public.user_memory_entities;
begin
  select e.* into old_entity from public.user_memory_entities as e
  where e.user_id = person and e.profile_id = profile and e.key = absorbed for update;
  update public.user_memory_entities as e
  set aliases = array(
      select u.name from unnest(e.aliases || old_entity.aliases
        || case when not as_relation or old_entity.renamed then old_entity.label end) with ordinality as u (name, position)
      where u.name is not null and u.name <> e.label group by u.name order by min(u.position) limit 50),
    updated_at = now()
  where e.user_id = person and e.profile_id = profile and e.key = kept
    and (not as_relation or old_entity.renamed or old_entity.aliases <> '{}');
  delete from public.user_memory_alias_proposals as p
  where p.user_id = person and p.profile_id = profile and absorbed in (p.key, p.variant) and kept not in (p.key, p.variant)
    and exists (
      select from public.user_memory_alias_proposals as o
      where o.user_id = person and o.profile_id = profile and kept in (o.key, o.variant)
        and (o.key in (p.key, p.variant) or o.variant in (p.key, p.variant)) and absorbed not in (o.key, o.variant));
  update public.user_memory_alias_proposals as p
  set key = case when p.key = absorbed then kept else p.key end,
    variant = case when p.variant = absorbed then kept else p.variant end
  where p.user_id = person and p.profile_id = profile and absorbed in (p.key, p.variant)
    and kept not in (p.key, p.variant);
  delete from public.user_memory_entities as e
  where e.user_id = person and e.profile_id = profile and e.key = absorbed;
end
$$;
comment on function keepsake.absorb_entity(uuid, uuid, text, text, boolean) is 'Deletes an entity whose memories were candidate to another, which gets its names and open proposals.';
revoke all on function keepsake.absorb_entity(uuid, uuid, text, text, boolean) from public, anon, authenticated;
grant execute on function keepsake.absorb_entity(uuid, uuid, text, text, boolean) to service_role;
