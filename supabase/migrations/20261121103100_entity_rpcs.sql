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
revoke all on function keepsake.lock_entity_of_caller(uuid) from public, anon, authenticated;

create function keepsake.validate_entity_name(name text) returns text
language plpgsql immutable set search_path = '' as $$
begin
  if name is null or keepsake.entity_slug(name) = '' or char_length(name) > 120 or name ~ '[\t\n]'
    or not keepsake.is_clean_text(name) then
    raise exception using errcode = 'PT400', message = 'A name has 1 to 120 characters, a letter or digit among them, on one line.';
  end if;
  return btrim(name);
end
$$;
comment on function keepsake.validate_entity_name(text) is 'The name as it is stored; raises PT400 for an invalid one.';
revoke all on function keepsake.validate_entity_name(text) from public, anon, authenticated;

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
revoke all on function keepsake.rename_entity(uuid, text) from public, anon, authenticated;
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
revoke all on function keepsake.add_entity_alias(uuid, text) from public, anon, authenticated;
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
revoke all on function keepsake.remove_entity_alias(uuid, text) from public, anon, authenticated;
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
