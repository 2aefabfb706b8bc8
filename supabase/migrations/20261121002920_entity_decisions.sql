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

create function keepsake.decide_alias(person uuid, proposal_id uuid, decision text) returns jsonb
language plpgsql set search_path = '' as $$
declare
  pair public.user_memory_alias_proposals;
  operation uuid;
  touched bigint := 0;
begin
  select p.* into pair from public.user_memory_alias_proposals as p
  where p.id = decide_alias.proposal_id and p.user_id = person;
  if not found then
    raise exception using errcode = 'PT404', message = 'There is no such proposal, or it is not yours.';
  end if;
  perform keepsake.hold_merges(pair.user_id, array[pair.profile_id::text]);
  select p.* into pair from public.user_memory_alias_proposals as p
  where p.id = decide_alias.proposal_id and p.user_id = person for update;
  operation := keepsake.start_operation('user', decision || ' an alias');
  if pair.status = 'confirmed' and decision = 'refuse' then
    raise exception using errcode = 'PT409', message = 'They are one already.', hint = 'Undo the operation that joined them.';
  elsif pair.id is not null and pair.status is distinct from (decision || case decision when 'refuse' then 'd' else 'ed' end) then
    if decision = 'confirm' then
      touched := keepsake.merge_entities(pair.user_id, pair.profile_id, pair.variant, pair.key);
    end if;
    perform set_config('keepsake.merging_entities', 'on', true);
    update public.user_memory_alias_proposals as p
    set status = case decision when 'confirm' then 'confirmed' else 'refused' end, decided_at = now()
    where p.id = pair.id and p.user_id = person;
    touched := touched + 1;
    perform set_config('keepsake.merging_entities', '', true);
  end if;
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.decide_alias(uuid, uuid, text) is 'Carries out what a person says to a proposal: confirm or refuse.';
revoke all on function keepsake.decide_alias(uuid, uuid, text) from public, anon, authenticated;

create function keepsake.confirm_alias(proposal_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  return keepsake.decide_alias((select auth.uid()), confirm_alias.proposal_id, 'confirm');
end
$$;
comment on function keepsake.confirm_alias(uuid) is 'The caller says that two names are one entity''s.';
revoke all on function keepsake.confirm_alias(uuid) from public, anon, authenticated;
grant execute on function keepsake.confirm_alias(uuid) to authenticated;

create function keepsake.refuse_alias(proposal_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  return keepsake.decide_alias((select auth.uid()), refuse_alias.proposal_id, 'refuse');
end
$$;
comment on function keepsake.refuse_alias(uuid) is 'The caller says that two names are two entities''.';
revoke all on function keepsake.refuse_alias(uuid) from public, anon, authenticated;
grant execute on function keepsake.refuse_alias(uuid) to authenticated;
