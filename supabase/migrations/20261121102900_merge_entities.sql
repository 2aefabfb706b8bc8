-- Two entities become one: what was said of either is said of the one that stays, and of two statements about the same
-- thing the later is current. Whoever calls has begun an operation, and holds the merges of the profile.

create function keepsake.key_under(key text, variant text, name text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
declare
  renamed text;
begin
  select string_agg(case when p.part = variant then name else p.part end, '|' order by p.place) into renamed
  from unnest(string_to_array(key, '|')) with ordinality as p (part, place);
  return case when char_length(renamed) <= 300 then renamed else key end;
end
$$;
comment on function keepsake.key_under(text, text, text) is 'A memory''s key with one name in the place of another.';
revoke all on function keepsake.key_under(text, text, text) from public, anon, authenticated;
grant execute on function keepsake.key_under(text, text, text) to service_role;

create function keepsake.key_of_named(key text, relation text, name text) returns text
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
comment on function keepsake.key_of_named(text, text, text) is 'The key of what was said of a relative, once their name is known.';
revoke all on function keepsake.key_of_named(text, text, text) from public, anon, authenticated;
grant execute on function keepsake.key_of_named(text, text, text) to service_role;

create function keepsake.merge_entities(person uuid, profile uuid, variant text, kept text, as_relation boolean default false)
returns bigint
language plpgsql set search_path = '' as $$
declare
  spoken text := split_part(variant, ':', 2);
  name text := split_part(kept, ':', 2);
  one record;
  other public.user_memory;
  loser uuid;
  winner uuid;
  touched bigint;
begin
  perform set_config('keepsake.merging_entities', 'on', true);
  perform from public.user_memory as m
  where m.user_id = person and m.profile_id = profile and (variant = any (m.entity_refs) or kept = any (m.entity_refs))
  order by m.id for no key update;
  -- Two current statements about one thing cannot stand: what is pinned, then confirmed, then said later stays.
  for one in
    select m.*, case when as_relation then keepsake.key_of_named(m.memory_key, spoken, name)
      else keepsake.key_under(m.memory_key, spoken, name) end as becomes
    from public.user_memory as m
    where m.user_id = person and m.profile_id = profile and variant = any (m.entity_refs)
      and m.status = 'active' and m.memory_key is not null
    order by m.id
  loop
    select o.* into other from public.user_memory as o
    where o.user_id = person and o.profile_id = profile and o.status = 'active' and o.memory_key = one.becomes
      and o.id <> one.id and o.persona_id is not distinct from one.persona_id
    for no key update;
    continue when not found;
    if (one.pinned, one.confidence_score >= 1 or one.source = 'user', one.valid_from, one.memory_no)
      > (other.pinned, other.confidence_score >= 1 or other.source = 'user', other.valid_from, other.memory_no) then
      winner := one.id;
      loser := other.id;
    else
      winner := other.id;
      loser := one.id;
    end if;
    update public.user_memory as m
    set status = 'superseded', valid_to = greatest(one.valid_from, other.valid_from)
    where m.user_id = person and m.id = loser;
    update public.user_memory as m
    set supersedes_id = coalesce(m.supersedes_id, loser), importance = greatest(m.importance, one.importance, other.importance),
      reference_count = least(32767, one.reference_count::int + other.reference_count)
    where m.user_id = person and m.id = winner;
  end loop;
  update public.user_memory as m
  set entity_refs = array(
      select case when r.ref = variant then kept else r.ref end
      from unnest(m.entity_refs) with ordinality as r (ref, place) group by 1 order by min(r.place)),
    memory_key = case when as_relation then keepsake.key_of_named(m.memory_key, spoken, name)
      else keepsake.key_under(m.memory_key, spoken, name) end,
    value = case when not as_relation and m.value = spoken then name else m.value end,
    updated_at = now()
  where m.user_id = person and m.profile_id = profile and variant = any (m.entity_refs);
  get diagnostics touched = row_count;
  perform keepsake.fold_entity(person, profile, variant, kept, as_relation);
  perform set_config('keepsake.merging_entities', '', true);
  return touched;
end
$$;
comment on function keepsake.merge_entities(uuid, uuid, text, text, boolean) is 'Makes what was said of one entity said of another: references, keys, and of two statements about one thing the later.';
revoke all on function keepsake.merge_entities(uuid, uuid, text, text, boolean) from public, anon, authenticated;
grant execute on function keepsake.merge_entities(uuid, uuid, text, text, boolean) to service_role;

create function keepsake.fold_entity(person uuid, profile uuid, spoken text, kept text, as_relation boolean) returns void
language plpgsql set search_path = '' as $$
declare
  folded public.user_memory_entities;
begin
  select e.* into folded from public.user_memory_entities as e
  where e.user_id = person and e.profile_id = profile and e.key = spoken for update;
  update public.user_memory_entities as e
  set aliases = array(
      select u.name from unnest(e.aliases || folded.aliases
        || case when not as_relation or folded.renamed then folded.label end) with ordinality as u (name, place)
      where u.name is not null and u.name <> e.label group by u.name order by min(u.place) limit 50),
    updated_at = now()
  where e.user_id = person and e.profile_id = profile and e.key = kept
    and (not as_relation or folded.renamed or folded.aliases <> '{}');
  delete from public.user_memory_alias_proposals as p
  where p.user_id = person and p.profile_id = profile and spoken in (p.key, p.variant) and kept not in (p.key, p.variant)
    and exists (
      select from public.user_memory_alias_proposals as o
      where o.user_id = person and o.profile_id = profile and kept in (o.key, o.variant)
        and (o.key in (p.key, p.variant) or o.variant in (p.key, p.variant)) and spoken not in (o.key, o.variant));
  update public.user_memory_alias_proposals as p
  set key = case when p.key = spoken then kept else p.key end,
    variant = case when p.variant = spoken then kept else p.variant end
  where p.user_id = person and p.profile_id = profile and spoken in (p.key, p.variant)
    and kept not in (p.key, p.variant);
  delete from public.user_memory_entities as e
  where e.user_id = person and e.profile_id = profile and e.key = spoken;
end
$$;
comment on function keepsake.fold_entity(uuid, uuid, text, text, boolean) is 'Ends an entity whose memories have become those of another: its names, and what is open about them, go over.';
revoke all on function keepsake.fold_entity(uuid, uuid, text, text, boolean) from public, anon, authenticated;
grant execute on function keepsake.fold_entity(uuid, uuid, text, text, boolean) to service_role;
