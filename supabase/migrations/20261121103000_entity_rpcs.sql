-- What a person decides about whom their memories name: what is one and what is not, and what it is called.

create function keepsake.entity_of_caller(entity_id uuid) returns public.user_memory_entities
language plpgsql set search_path = '' as $$
declare
  found_one public.user_memory_entities;
begin
  select e.* into found_one from public.user_memory_entities as e
  where e.id = entity_of_caller.entity_id and e.user_id = (select auth.uid());
  if not found then
    raise exception using errcode = 'PT404', message = 'There is no such entity, or it is not yours.';
  end if;
  perform keepsake.hold_merges(found_one.user_id, array[found_one.profile_id::text]);
  select e.* into found_one from public.user_memory_entities as e
  where e.id = entity_of_caller.entity_id and e.user_id = (select auth.uid()) for update;
  if not found then
    raise exception using errcode = 'PT404', message = 'There is no such entity any more.';
  end if;
  return found_one;
end
$$;
comment on function keepsake.entity_of_caller(uuid) is 'An entity of the caller, held with the merges of its profile; refuses what is not theirs.';
revoke all on function keepsake.entity_of_caller(uuid) from public, anon, authenticated;

create function keepsake.entity_name(name text) returns text
language plpgsql immutable set search_path = '' as $$
begin
  if name is null or keepsake.entity_slug(name) = '' or char_length(name) > 120 or name ~ '[\t\n]'
    or not keepsake.is_clean_text(name) then
    raise exception using errcode = 'PT400', message = 'A name has 1 to 120 characters, a letter or digit among them, on one line.';
  end if;
  return btrim(name);
end
$$;
comment on function keepsake.entity_name(text) is 'The name as it is kept; refuses what is none.';
revoke all on function keepsake.entity_name(text) from public, anon, authenticated;

create function keepsake.rename_entity(entity_id uuid, label text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  one public.user_memory_entities := keepsake.entity_of_caller(rename_entity.entity_id);
  wanted text := keepsake.entity_name(rename_entity.label);
  operation uuid := keepsake.start_operation('user', 'rename an entity');
  touched bigint;
begin
  perform set_config('keepsake.merging_entities', 'on', true);
  update public.user_memory_entities as e set label = wanted, renamed = true, updated_at = now()
  where e.id = one.id and e.user_id = (select auth.uid()) and (e.label <> wanted or not e.renamed);
  get diagnostics touched = row_count;
  perform set_config('keepsake.merging_entities', '', true);
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.rename_entity(uuid, text) is 'Gives an entity of the caller another label.';
revoke all on function keepsake.rename_entity(uuid, text) from public, anon, authenticated;
grant execute on function keepsake.rename_entity(uuid, text) to authenticated;

create function keepsake.add_entity_alias(entity_id uuid, alias text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  one public.user_memory_entities := keepsake.entity_of_caller(add_entity_alias.entity_id);
  wanted text := keepsake.entity_name(add_entity_alias.alias);
  other text := (select e.key from public.user_memory_entities as e
    where e.user_id = one.user_id and e.profile_id = one.profile_id and e.kind = one.kind and e.id <> one.id
      and e.key = one.kind || ':' || keepsake.entity_slug(wanted));
  operation uuid := keepsake.start_operation('user', 'add an alias');
  touched bigint := 0;
begin
  if other is not null then
    touched := keepsake.merge_entities(one.user_id, one.profile_id, other, one.key);
  end if;
  perform set_config('keepsake.merging_entities', 'on', true);
  update public.user_memory_entities as e set aliases = e.aliases || wanted, updated_at = now()
  where e.id = one.id and e.user_id = (select auth.uid()) and wanted <> all (e.aliases || e.label)
    and cardinality(e.aliases) < 50;
  touched := touched + case when found or other is not null then 1 else 0 end;
  perform set_config('keepsake.merging_entities', '', true);
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.add_entity_alias(uuid, text) is 'One more name of an entity of the caller; who had it for a key becomes one with it.';
revoke all on function keepsake.add_entity_alias(uuid, text) from public, anon, authenticated;
grant execute on function keepsake.add_entity_alias(uuid, text) to authenticated;

create function keepsake.remove_entity_alias(entity_id uuid, alias text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  one public.user_memory_entities := keepsake.entity_of_caller(remove_entity_alias.entity_id);
  operation uuid := keepsake.start_operation('user', 'remove an alias');
  touched bigint;
begin
  perform set_config('keepsake.merging_entities', 'on', true);
  update public.user_memory_entities as e
  set aliases = array_remove(e.aliases, btrim(remove_entity_alias.alias)), updated_at = now()
  where e.id = one.id and e.user_id = (select auth.uid()) and btrim(remove_entity_alias.alias) = any (e.aliases);
  get diagnostics touched = row_count;
  perform set_config('keepsake.merging_entities', '', true);
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.remove_entity_alias(uuid, text) is 'A name the entity of the caller is not called by; what has been joined stays so until that is undone.';
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
