-- A memory that is said again keeps the date since which it holds, and gets a second one. Until now the later date took the
-- place of the first, so that a month told as new what had been said before.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

alter table public.user_memory add column restated_at timestamptz;
comment on column public.user_memory.valid_from is 'Since when it holds: when the person said it first.';
comment on column public.user_memory.restated_at is 'When the person last said it again; null where they said it once.';
select keepsake.disable_statistics('public.user_memory'::regclass, 'restated_at');

-- As before: of two statements the one that was said later stays.
create or replace function keepsake.merge_entities(person uuid, profile uuid, variant text, kept text, as_relation boolean default false)
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
    if (candidate.pinned, candidate.confidence_score >= 1 or candidate.source = 'user',
        coalesce(candidate.restated_at, candidate.valid_from), candidate.memory_no)
      > (other.pinned, other.confidence_score >= 1 or other.source = 'user',
        coalesce(other.restated_at, other.valid_from), other.memory_no) then
      winner := candidate.id;
      loser := other.id;
    else
      winner := other.id;
      loser := candidate.id;
    end if;
    update public.user_memory as m
    set status = 'superseded',
      valid_to = greatest(candidate.valid_from, candidate.restated_at, other.valid_from, other.restated_at)
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
