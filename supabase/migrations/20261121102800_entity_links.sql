-- Triggers create an entity with the first memory that refers to it and delete it with the last, in the memory's own
-- transaction, whoever writes the memory.

create function keepsake.canonical_entity_refs(person uuid, profile uuid, refs text[]) returns text[]
language plpgsql stable set search_path = '' as $$
begin
  return coalesce((
    select array_agg(m.key order by m.position)
    from (
      select coalesce(exact.key, known.key, u.ref) as key, min(u.position) as position
      from unnest(refs) with ordinality as u (ref, position)
      left join public.user_memory_entities as exact
        on exact.user_id = person and exact.profile_id = profile and exact.key = u.ref
      left join lateral (
        select e.key from public.user_memory_entities as e
        where exact.key is null and e.user_id = person and e.profile_id = profile
          and e.kind = split_part(u.ref, ':', 1) and replace(split_part(u.ref, ':', 2), '_', ' ') = any (e.names)
        order by e.created_at, e.key limit 1
      ) as known on true
      where keepsake.is_entity_key(u.ref)
      group by 1
    ) as m
  ), '{}');
end
$$;
comment on function keepsake.canonical_entity_refs(uuid, uuid, text[]) is 'The entity keys with aliases resolved and without duplicates and invalid keys.';
revoke all on function keepsake.canonical_entity_refs(uuid, uuid, text[]) from public, anon, authenticated;
grant execute on function keepsake.canonical_entity_refs(uuid, uuid, text[]) to service_role;

create function keepsake.canonicalize_entity_refs() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('keepsake.raw_write', true) is distinct from 'on' then
    new.entity_refs := keepsake.canonical_entity_refs(new.user_id, new.profile_id, new.entity_refs);
  end if;
  return new;
end
$$;
comment on function keepsake.canonicalize_entity_refs() is 'Replaces names and aliases in entity_refs by the entity''s own key.';
revoke all on function keepsake.canonicalize_entity_refs() from public, anon, authenticated;

create function keepsake.ensure_entities() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  keys text[] := array(select distinct r.ref from unnest(new.entity_refs) as r (ref)
    where r.ref <> 'person:self' and keepsake.is_entity_key(r.ref) order by 1);
  locked bigint;
begin
  loop
    -- This lock makes the deletion of an entity's last memory wait for this one, and then keep the entity.
    perform from public.user_memory_entities as e
    where e.user_id = new.user_id and e.profile_id = new.profile_id and e.key = any (keys) order by e.key for key share;
    get diagnostics locked = row_count;
    exit when locked = cardinality(keys);
    -- Created with the memory and deleted with it, also by undo: not logged as a change of its own.
    perform set_config('keepsake.implicit_entity_change', 'on', true);
    insert into public.user_memory_entities (user_id, profile_id, key, label)
    select new.user_id, new.profile_id, k.key,
      case when keepsake.entity_slug(new.entity_label) = split_part(k.key, ':', 2) and char_length(new.entity_label) <= 120
          and keepsake.is_clean_text(new.entity_label) and new.entity_label !~ '[\t\n]' then btrim(new.entity_label)
        else initcap(replace(split_part(k.key, ':', 2), '_', ' ')) end
    from unnest(keys) as k (key)
    on conflict (user_id, profile_id, key) do nothing;
    perform set_config('keepsake.implicit_entity_change', '', true);
  end loop;
  return null;
end
$$;
comment on function keepsake.ensure_entities() is 'Creates the missing entities of a memory.';
revoke all on function keepsake.ensure_entities() from public, anon, authenticated;

create function keepsake.delete_unreferenced_entities(person uuid, profile uuid, refs text[]) returns void
language plpgsql set search_path = '' as $$
declare
  is_raw_write boolean := coalesce(current_setting('keepsake.raw_write', true) = 'on', false);
  deleted record;
begin
  perform from public.user_memory_entities as e
  where e.user_id = person and e.profile_id = profile and e.key = any (refs) order by e.key for update;
  perform set_config('keepsake.implicit_entity_change', 'on', true);
  for deleted in  -- checked after the lock: another transaction may have added a reference
    delete from public.user_memory_entities as e
    where e.user_id = person and e.profile_id = profile and e.key = any (refs)
      and not (is_raw_write and (e.renamed or e.aliases <> '{}'))  -- labels and aliases stay for a redo
      and not exists (select from public.user_memory as m
        where m.user_id = person and m.profile_id = profile and m.entity_refs <> '{}' and e.key = any (m.entity_refs))
    returning e.id
  loop
    delete from keepsake.changes as c
    where not is_raw_write and c.user_id = person and c.table_name = 'user_memory_entities' and c.row_id = deleted.id;
  end loop;
  perform set_config('keepsake.implicit_entity_change', '', true);
end
$$;
comment on function keepsake.delete_unreferenced_entities(uuid, uuid, text[]) is 'Deletes those of the entities that no memory in any state refers to, with their part of the audit log.';
revoke all on function keepsake.delete_unreferenced_entities(uuid, uuid, text[]) from public, anon, authenticated;
grant execute on function keepsake.delete_unreferenced_entities(uuid, uuid, text[]) to service_role;

create function keepsake.delete_entities_of_deleted_memories() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform keepsake.delete_unreferenced_entities(d.user_id, d.profile_id, d.refs)
  from (
    select g.user_id, g.profile_id, array_agg(distinct r.ref) as refs
    from deleted as g cross join lateral unnest(g.entity_refs) as r (ref)
    where r.ref <> 'person:self'
    group by g.user_id, g.profile_id order by g.user_id, g.profile_id
  ) as d;
  return null;
end
$$;
comment on function keepsake.delete_entities_of_deleted_memories() is 'Deletes the entities whose last memory was deleted.';
revoke all on function keepsake.delete_entities_of_deleted_memories() from public, anon, authenticated;

create function keepsake.delete_entities_after_update() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- A merge and a raw write maintain the entities themselves.
  if 'on' not in (coalesce(current_setting('keepsake.entity_decision', true), ''),
    coalesce(current_setting('keepsake.raw_write', true), '')) then
    perform keepsake.delete_unreferenced_entities(old.user_id, old.profile_id, old.entity_refs);
  end if;
  return null;
end
$$;
comment on function keepsake.delete_entities_after_update() is 'Deletes the entities that a memory stopped referring to, unless another memory does.';
revoke all on function keepsake.delete_entities_after_update() from public, anon, authenticated;

-- The conditions skip the triggers for most memories, which name no entity.
create trigger keepsake_06_canonicalize_new before insert on public.user_memory
  for each row when (new.entity_refs not in ('{}', '{person:self}')) execute function keepsake.canonicalize_entity_refs();
create trigger keepsake_06_canonicalize before update of entity_refs, profile_id on public.user_memory
  for each row when (new.entity_refs not in ('{}', '{person:self}')
    and (new.entity_refs, new.profile_id) is distinct from (old.entity_refs, old.profile_id))
  execute function keepsake.canonicalize_entity_refs();
create trigger keepsake_21_entities_new after insert on public.user_memory
  for each row when (new.entity_refs not in ('{}', '{person:self}')) execute function keepsake.ensure_entities();
create trigger keepsake_21_entities after update of entity_refs, profile_id on public.user_memory
  for each row when (new.entity_refs not in ('{}', '{person:self}')
    and (new.entity_refs, new.profile_id) is distinct from (old.entity_refs, old.profile_id))
  execute function keepsake.ensure_entities();
create trigger keepsake_22_entities after update of entity_refs, profile_id on public.user_memory
  for each row when (old.entity_refs not in ('{}', '{person:self}')
    and (new.entity_refs, new.profile_id) is distinct from (old.entity_refs, old.profile_id))
  execute function keepsake.delete_entities_after_update();
create trigger keepsake_22_entities_deleted after delete on public.user_memory
  referencing old table as deleted for each statement execute function keepsake.delete_entities_of_deleted_memories();
