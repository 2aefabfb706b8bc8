-- The entities follow the memories' entity_refs, whoever writes them, in the memory's own transaction, and go with the last.

create function keepsake.entities_meant(person uuid, profile uuid, refs text[]) returns text[]
language plpgsql stable set search_path = '' as $$
begin
  return coalesce((
    select array_agg(m.key order by m.place)
    from (
      select coalesce(exact.key, known.key, u.ref) as key, min(u.place) as place
      from unnest(refs) with ordinality as u (ref, place)
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
comment on function keepsake.entities_meant(uuid, uuid, text[]) is 'The references with aliases resolved, each once, without what is no key.';
revoke all on function keepsake.entities_meant(uuid, uuid, text[]) from public, anon, authenticated;
grant execute on function keepsake.entities_meant(uuid, uuid, text[]) to service_role;

create function keepsake.resolve_entities() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('keepsake.undoing', true) is distinct from 'on' then
    new.entity_refs := keepsake.entities_meant(new.user_id, new.profile_id, new.entity_refs);
  end if;
  return new;
end
$$;
comment on function keepsake.resolve_entities() is 'A memory refers to an entity by its own key, whichever of its names was said.';
revoke all on function keepsake.resolve_entities() from public, anon, authenticated;

create function keepsake.keep_entities() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  keys text[] := array(select distinct r.ref from unnest(new.entity_refs) as r (ref)
    where r.ref <> 'person:self' and keepsake.is_entity_key(r.ref) order by 1);
  held bigint;
begin
  loop
    -- Whoever removes the last memory of one waits until this one stands, and then leaves the entity alone.
    perform from public.user_memory_entities as e
    where e.user_id = new.user_id and e.profile_id = new.profile_id and e.key = any (keys) order by e.key for key share;
    get diagnostics held = row_count;
    exit when held = cardinality(keys);
    -- What comes with a memory goes with it, also when it is undone and redone: it is no change of its own.
    perform set_config('keepsake.dropping_entities', 'on', true);
    insert into public.user_memory_entities (user_id, profile_id, key, label)
    select new.user_id, new.profile_id, k.key,
      case when keepsake.entity_slug(new.entity_label) = split_part(k.key, ':', 2) and char_length(new.entity_label) <= 120
          and keepsake.is_clean_text(new.entity_label) and new.entity_label !~ '[\t\n]' then btrim(new.entity_label)
        else initcap(replace(split_part(k.key, ':', 2), '_', ' ')) end
    from unnest(keys) as k (key)
    on conflict (user_id, profile_id, key) do nothing;
    perform set_config('keepsake.dropping_entities', '', true);
  end loop;
  return null;
end
$$;
comment on function keepsake.keep_entities() is 'Sees to it that what a memory refers to has its row.';
revoke all on function keepsake.keep_entities() from public, anon, authenticated;

create function keepsake.drop_entities(person uuid, profile uuid, refs text[]) returns void
language plpgsql set search_path = '' as $$
declare
  undoing boolean := coalesce(current_setting('keepsake.undoing', true) = 'on', false);
  gone record;
begin
  perform from public.user_memory_entities as e
  where e.user_id = person and e.profile_id = profile and e.key = any (refs) order by e.key for update;
  perform set_config('keepsake.dropping_entities', 'on', true);
  for gone in  -- asked anew: somebody may have referred to it while we waited
    delete from public.user_memory_entities as e
    where e.user_id = person and e.profile_id = profile and e.key = any (refs)
      and not (undoing and (e.renamed or e.aliases <> '{}'))  -- what a person made of it is there when they redo
      and not exists (select from public.user_memory as m
        where m.user_id = person and m.profile_id = profile and m.entity_refs <> '{}' and e.key = any (m.entity_refs))
    returning e.id
  loop
    delete from keepsake.changes as c
    where not undoing and c.user_id = person and c.table_name = 'user_memory_entities' and c.row_id = gone.id;
  end loop;
  perform set_config('keepsake.dropping_entities', '', true);
end
$$;
comment on function keepsake.drop_entities(uuid, uuid, text[]) is 'Removes those of the entities that no memory refers to any more, whatever its state, and what was logged of them.';
revoke all on function keepsake.drop_entities(uuid, uuid, text[]) from public, anon, authenticated;
grant execute on function keepsake.drop_entities(uuid, uuid, text[]) to service_role;

create function keepsake.drop_entities_of_deleted() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform keepsake.drop_entities(d.user_id, d.profile_id, d.refs)
  from (
    select g.user_id, g.profile_id, array_agg(distinct r.ref) as refs
    from gone as g cross join lateral unnest(g.entity_refs) as r (ref)
    where r.ref <> 'person:self'
    group by g.user_id, g.profile_id order by g.user_id, g.profile_id
  ) as d;
  return null;
end
$$;
comment on function keepsake.drop_entities_of_deleted() is 'Entities go with the last memory of them.';
revoke all on function keepsake.drop_entities_of_deleted() from public, anon, authenticated;

create function keepsake.move_entities() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- A merge, and undo, see to the rows themselves.
  if 'on' not in (coalesce(current_setting('keepsake.merging_entities', true), ''),
    coalesce(current_setting('keepsake.undoing', true), '')) then
    perform keepsake.drop_entities(old.user_id, old.profile_id, old.entity_refs);
  end if;
  return null;
end
$$;
comment on function keepsake.move_entities() is 'What a memory no longer refers to goes, unless others do.';
revoke all on function keepsake.move_entities() from public, anon, authenticated;

-- Most memories name nobody else: they do not even ask.
create trigger keepsake_06_resolve_new before insert on public.user_memory
  for each row when (new.entity_refs not in ('{}', '{person:self}')) execute function keepsake.resolve_entities();
create trigger keepsake_06_resolve before update of entity_refs, profile_id on public.user_memory
  for each row when (new.entity_refs not in ('{}', '{person:self}')
    and (new.entity_refs, new.profile_id) is distinct from (old.entity_refs, old.profile_id))
  execute function keepsake.resolve_entities();
create trigger keepsake_21_entities_new after insert on public.user_memory
  for each row when (new.entity_refs not in ('{}', '{person:self}')) execute function keepsake.keep_entities();
create trigger keepsake_21_entities after update of entity_refs, profile_id on public.user_memory
  for each row when (new.entity_refs not in ('{}', '{person:self}')
    and (new.entity_refs, new.profile_id) is distinct from (old.entity_refs, old.profile_id))
  execute function keepsake.keep_entities();
create trigger keepsake_22_entities after update of entity_refs, profile_id on public.user_memory
  for each row when (old.entity_refs not in ('{}', '{person:self}')
    and (new.entity_refs, new.profile_id) is distinct from (old.entity_refs, old.profile_id))
  execute function keepsake.move_entities();
create trigger keepsake_22_entities_gone after delete on public.user_memory
  referencing old table as gone for each statement execute function keepsake.drop_entities_of_deleted();
