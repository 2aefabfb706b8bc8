-- Entities: a row for each person, place, organization and project that a person's memories name.

create function keepsake.entity_slug(name text) returns text
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return btrim(left(btrim(regexp_replace(
    regexp_replace(lower(normalize(name, NFKC)), '[^[:alnum:]\s_-]', '', 'g'), '[\s_-]+', '_', 'g'), '_'), 80), '_');
end
$$;
comment on function keepsake.entity_slug(text) is 'A name as it is written in a key: lower case, without punctuation, spaces and hyphens as underscores.';
grant execute on function keepsake.entity_slug(text) to service_role;

create function keepsake.is_entity_key(key text) returns boolean
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return key ~ '^(person|place|org|project):[^\s:|]{1,100}$' and keepsake.is_clean_text(key);
end
$$;
comment on function keepsake.is_entity_key(text) is 'Whether the text is a valid entity key: kind, colon, slug.';
grant execute on function keepsake.is_entity_key(text) to service_role;

create function keepsake.entity_names(key text, label text, aliases text[]) returns text[]
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return array(
    select distinct replace(n.slug, '_', ' ')
    from (
      select split_part(key, ':', 2) as slug
      union all select keepsake.entity_slug(u.name) from unnest(label || aliases) as u (name)
    ) as n
    where n.slug <> '' order by 1
  );
end
$$;
comment on function keepsake.entity_names(text, text, text[]) is 'All names of an entity in the form in which they are searched: lower case, without punctuation.';
grant execute on function keepsake.entity_names(text, text, text[]) to service_role;

create table public.user_memory_entities (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  key text not null constraint user_memory_entities_key_form check (keepsake.is_entity_key(key)),
  kind text not null generated always as (split_part(key, ':', 1)) stored,
  label text not null
    constraint user_memory_entities_label check (char_length(label) <= 120 and label ~ '\S' and label !~ '[\t\n]'
      and keepsake.is_clean_text(label)),
  renamed boolean not null default false,
  aliases text[] not null default '{}'
    constraint user_memory_entities_aliases check (array_position(aliases, null) is null and cardinality(aliases) <= 50),
  names text[] not null generated always as (keepsake.entity_names(key, label, aliases)) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (user_id, id),
  constraint user_memory_entities_key unique (user_id, profile_id, key),
  constraint user_memory_entities_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table public.user_memory_entities is 'The people, places, organizations and projects a person''s memories are about.';
comment on column public.user_memory_entities.key is 'What the memories'' entity_refs say: person:john_doe.';
comment on column public.user_memory_entities.kind is 'person, place, org or project.';
comment on column public.user_memory_entities.label is 'What it is called where people read it.';
comment on column public.user_memory_entities.renamed is 'Whether the person chose the label.';
comment on column public.user_memory_entities.aliases is 'What else it is called, as the person confirmed.';
comment on column public.user_memory_entities.names is 'All its names in their plain form: a message that says one speaks of it.';

alter table public.user_memory_entities
  alter column user_id set statistics 0, alter column profile_id set statistics 0, alter column key set statistics 0,
  alter column label set statistics 0, alter column aliases set statistics 0, alter column names set statistics 0;
alter table public.user_memory_entities enable row level security, force row level security;
revoke all on public.user_memory_entities from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_entities to service_role;
grant select on public.user_memory_entities to authenticated;
create policy "People see whom and what their memories are about" on public.user_memory_entities
  for select to authenticated using ((select auth.uid()) = user_id);

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
comment on function keepsake.merge_entities(uuid, uuid, text, text, boolean) is 'Moves the memories of one entity to another: references, keys, and of two statements with one key the later stays.';
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
grant execute on function keepsake.absorb_entity(uuid, uuid, text, text, boolean) to service_role;

-- RPCs on entities: rename one, add an alias (which may merge two entities), remove an alias. Each can be undone.

create function keepsake.lock_entity_of_caller(entity_id uuid) returns public.user_memory_entities
language plpgsql set search_path = '' as $$
declare
  entity public.user_memory_entities;
begin
  select e.* into entity from public.user_memory_entities as e
  where e.id = lock_entity_of_caller.entity_id and e.user_id = (select auth.uid());
  if not found then
    raise exception using errcode = 'PT404', message = 'There is no such entity, or it is not yours.';
  end if;
  perform keepsake.lock_merges(entity.user_id, array[entity.profile_id::text]);
  select e.* into entity from public.user_memory_entities as e
  where e.id = lock_entity_of_caller.entity_id and e.user_id = (select auth.uid()) for update;
  if not found then
    raise exception using errcode = 'PT404', message = 'There is no such entity any more.';
  end if;
  return entity;
end
$$;
comment on function keepsake.lock_entity_of_caller(uuid) is 'Locks an entity of the caller, after the merge lock of its profile; raises PT404 unless it is theirs.';

create function keepsake.validate_entity_name(name text) returns text
language plpgsql immutable set search_path = '' as $$
begin
  if name is null or keepsake.entity_slug(name) = '' or char_length(name) > 120 or name ~ '[\t\n]'
    or not keepsake.is_clean_text(name) then
    raise exception using errcode = 'PT400', message = 'A name has 1 to 120 characters, a letter or digit among them, on one line.';
  elsif array_length(regexp_split_to_array(btrim(name), '\s+'), 1) > 8 or name ~ '[@:;<>{}|\\=_]'
    or char_length(regexp_replace(name, '\D', '', 'g')) > 4
    or exists (  -- a long word of letters and digits is a key
      select from regexp_split_to_table(name, '\s+') as w (word) where w.word ~ '\d' and char_length(w.word) > 12
    ) then
    raise exception using errcode = 'PT400', message = 'This does not look like a name.',
      hint = 'A name has at most 8 words and 4 digits, and no @ : ; < > { } | \ = _.';
  end if;
  return btrim(name);
end
$$;
comment on function keepsake.validate_entity_name(text) is 'The name as it is stored; raises PT400 for an invalid one.';

create function keepsake.rename_entity(entity_id uuid, label text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  entity public.user_memory_entities := keepsake.lock_entity_of_caller(rename_entity.entity_id);
  name text := keepsake.validate_entity_name(rename_entity.label);
  operation uuid := keepsake.begin_operation('user', 'rename an entity');
  touched bigint;
begin
  perform set_config('keepsake.entity_decision', 'on', true);
  update public.user_memory_entities as e set label = name, renamed = true, updated_at = now()
  where e.id = entity.id and e.user_id = (select auth.uid()) and (e.label <> name or not e.renamed);
  get diagnostics touched = row_count;
  perform set_config('keepsake.entity_decision', '', true);
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.rename_entity(uuid, text) is 'Gives an entity of the caller another label.';
grant execute on function keepsake.rename_entity(uuid, text) to authenticated;

create function keepsake.add_entity_alias(entity_id uuid, alias text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  entity public.user_memory_entities := keepsake.lock_entity_of_caller(add_entity_alias.entity_id);
  name text := keepsake.validate_entity_name(add_entity_alias.alias);
  other text := (select e.key from public.user_memory_entities as e
    where e.user_id = entity.user_id and e.profile_id = entity.profile_id and e.kind = entity.kind and e.id <> entity.id
      and e.key = entity.kind || ':' || keepsake.entity_slug(name));
  operation uuid := keepsake.begin_operation('user', 'add an alias');
  touched bigint := 0;
begin
  if other is not null then
    touched := keepsake.merge_entities(entity.user_id, entity.profile_id, other, entity.key);
  end if;
  perform set_config('keepsake.entity_decision', 'on', true);
  update public.user_memory_entities as e set aliases = e.aliases || name, updated_at = now()
  where e.id = entity.id and e.user_id = (select auth.uid()) and name <> all (e.aliases || e.label)
    and cardinality(e.aliases) < 50;
  touched := touched + case when found or other is not null then 1 else 0 end;
  perform set_config('keepsake.entity_decision', '', true);
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.add_entity_alias(uuid, text) is 'Adds a name to an entity of the caller; an entity that has it as its key is merged into this one.';
grant execute on function keepsake.add_entity_alias(uuid, text) to authenticated;

create function keepsake.remove_entity_alias(entity_id uuid, alias text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  entity public.user_memory_entities := keepsake.lock_entity_of_caller(remove_entity_alias.entity_id);
  operation uuid := keepsake.begin_operation('user', 'remove an alias');
  touched bigint;
begin
  perform set_config('keepsake.entity_decision', 'on', true);
  update public.user_memory_entities as e
  set aliases = array_remove(e.aliases, btrim(remove_entity_alias.alias)), updated_at = now()
  where e.id = entity.id and e.user_id = (select auth.uid()) and btrim(remove_entity_alias.alias) = any (e.aliases);
  get diagnostics touched = row_count;
  perform set_config('keepsake.entity_decision', '', true);
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.remove_entity_alias(uuid, text) is 'Removes an alias of an entity of the caller; entities that were merged stay merged until that is undone.';
grant execute on function keepsake.remove_entity_alias(uuid, text) to authenticated;

create function public.rename_entity(entity_id uuid, label text) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.rename_entity(entity_id, label);
end;
comment on function public.rename_entity(uuid, text) is 'Call somebody or something your memories name otherwise.';
revoke all on function public.rename_entity(uuid, text) from public, anon, authenticated, service_role;
grant execute on function public.rename_entity(uuid, text) to authenticated;

create function public.add_entity_alias(entity_id uuid, alias text) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.add_entity_alias(entity_id, alias);
end;
comment on function public.add_entity_alias(uuid, text) is 'Say what else somebody or something is called.';
revoke all on function public.add_entity_alias(uuid, text) from public, anon, authenticated, service_role;
grant execute on function public.add_entity_alias(uuid, text) to authenticated;

create function public.remove_entity_alias(entity_id uuid, alias text) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.remove_entity_alias(entity_id, alias);
end;
comment on function public.remove_entity_alias(uuid, text) is 'Say what somebody or something is not called.';
revoke all on function public.remove_entity_alias(uuid, text) from public, anon, authenticated, service_role;
grant execute on function public.remove_entity_alias(uuid, text) to authenticated;
