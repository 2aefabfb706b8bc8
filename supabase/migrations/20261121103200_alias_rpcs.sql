-- A person's decision about a proposed alias: confirm it, which merges the two entities, or refuse it.

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
  perform keepsake.lock_merges(pair.user_id, array[pair.profile_id::text]);
  select p.* into pair from public.user_memory_alias_proposals as p
  where p.id = decide_alias.proposal_id and p.user_id = person for update;
  operation := keepsake.begin_operation('user', decision || ' an alias');
  if pair.status = 'confirmed' and decision = 'refuse' then
    raise exception using errcode = 'PT409', message = 'They are one already.', hint = 'Undo the operation that joined them.';
  elsif pair.id is not null and pair.status is distinct from (decision || case decision when 'refuse' then 'd' else 'ed' end) then
    if decision = 'confirm' then
      touched := keepsake.merge_entities(pair.user_id, pair.profile_id, pair.variant, pair.key);
    end if;
    perform set_config('keepsake.entity_decision', 'on', true);
    update public.user_memory_alias_proposals as p
    set status = case decision when 'confirm' then 'confirmed' else 'refused' end, decided_at = now()
    where p.id = pair.id and p.user_id = person;
    touched := touched + 1;
    perform set_config('keepsake.entity_decision', '', true);
  end if;
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.decide_alias(uuid, uuid, text) is 'Applies a person''s decision about a proposal: confirm or refuse.';
revoke all on function keepsake.decide_alias(uuid, uuid, text) from public, anon, authenticated;

create function keepsake.confirm_alias(proposal_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  return keepsake.decide_alias((select auth.uid()), confirm_alias.proposal_id, 'confirm');
end
$$;
comment on function keepsake.confirm_alias(uuid) is 'The caller confirms that two names belong to one entity.';
revoke all on function keepsake.confirm_alias(uuid) from public, anon, authenticated;
grant execute on function keepsake.confirm_alias(uuid) to authenticated;

create function keepsake.refuse_alias(proposal_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  return keepsake.decide_alias((select auth.uid()), refuse_alias.proposal_id, 'refuse');
end
$$;
comment on function keepsake.refuse_alias(uuid) is 'The caller states that two names belong to two entities.';
revoke all on function keepsake.refuse_alias(uuid) from public, anon, authenticated;
grant execute on function keepsake.refuse_alias(uuid) to authenticated;

create function public.confirm_alias(proposal_id uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.confirm_alias(proposal_id);
end;
comment on function public.confirm_alias(uuid) is 'Say that two names are one: what is remembered of either is joined, and can be undone.';
revoke all on function public.confirm_alias(uuid) from public, anon, authenticated, service_role;
grant execute on function public.confirm_alias(uuid) to authenticated;

create function public.refuse_alias(proposal_id uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.refuse_alias(proposal_id);
end;
comment on function public.refuse_alias(uuid) is 'Say that two names are not one; they are never proposed again.';
revoke all on function public.refuse_alias(uuid) from public, anon, authenticated, service_role;
grant execute on function public.refuse_alias(uuid) to authenticated;
