-- Alias proposals: two entities with similar names may be one. The person confirms (the entities are merged) or
-- refuses; a refused pair is never proposed again.

create table public.user_memory_alias_proposals (
  id uuid not null default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  key text not null constraint user_memory_alias_proposals_key check (keepsake.is_entity_key(key)),
  variant text not null constraint user_memory_alias_proposals_variant check (keepsake.is_entity_key(variant) and variant <> key),
  similarity numeric(4, 3) not null constraint user_memory_alias_proposals_similarity check (similarity between 0 and 1),
  status text not null default 'proposed'
    constraint user_memory_alias_proposals_status check (status in ('proposed', 'confirmed', 'refused')),
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  primary key (user_id, id),
  constraint user_memory_alias_proposals_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
create unique index user_memory_alias_proposals_pair on public.user_memory_alias_proposals
  (user_id, profile_id, least(key, variant), greatest(key, variant));
comment on table public.user_memory_alias_proposals is 'Names that may be one entity''s: the person decides, and a refused pair is never proposed again.';
comment on column public.user_memory_alias_proposals.key is 'The entity that stays if it is confirmed.';
comment on column public.user_memory_alias_proposals.variant is 'The entity whose memories would become those of the other.';
comment on column public.user_memory_alias_proposals.similarity is 'How alike the names are, from 0 to 1.';
comment on index public.user_memory_alias_proposals_pair is 'A pair is proposed once, whichever came first.';

alter index public.user_memory_alias_proposals_pair alter column 3 set statistics 0;
alter index public.user_memory_alias_proposals_pair alter column 4 set statistics 0;

alter table public.user_memory_alias_proposals
  alter column user_id set statistics 0, alter column profile_id set statistics 0, alter column key set statistics 0,
  alter column variant set statistics 0;
alter table public.user_memory_alias_proposals enable row level security, force row level security;
revoke all on public.user_memory_alias_proposals from public, anon, authenticated, service_role;
grant select, insert, update, delete on public.user_memory_alias_proposals to service_role;
grant select on public.user_memory_alias_proposals to authenticated;
create policy "People see which names may be one" on public.user_memory_alias_proposals
  for select to authenticated using ((select auth.uid()) = user_id);

create function keepsake.is_entity_decision() returns boolean
language plpgsql stable set search_path = '' as $$
begin
  return current_setting('keepsake.entity_decision', true) is not distinct from 'on'
    or (current_setting('keepsake.raw_write', true) is not distinct from 'on'
      and current_setting('keepsake.implicit_entity_change', true) is distinct from 'on');
end
$$;
comment on function keepsake.is_entity_decision() is 'Whether a change of an entity is a person''s decision and is logged; what a memory implies is not.';
grant execute on function keepsake.is_entity_decision() to service_role;
create trigger keepsake_50_log after insert or update or delete on public.user_memory_entities
  for each row when (keepsake.is_entity_decision()) execute function keepsake.log_change('user_memory_entities');
create trigger keepsake_50_log after insert or update or delete on public.user_memory_alias_proposals
  for each row when (keepsake.is_entity_decision()) execute function keepsake.log_change('user_memory_alias_proposals');

create function keepsake.delete_alias_proposals() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if not keepsake.is_entity_decision() then
    with deleted as (
      delete from public.user_memory_alias_proposals as p
      where p.user_id = old.user_id and p.profile_id = old.profile_id and old.key in (p.key, p.variant)
      returning p.id
    )
    delete from keepsake.changes as c using deleted as g
    where c.user_id = old.user_id and c.table_name = 'user_memory_alias_proposals' and c.row_id = g.id;
  end if;
  return null;
end
$$;
comment on function keepsake.delete_alias_proposals() is 'Deletes the alias proposals of a deleted entity, and their part of the audit log.';
create trigger keepsake_22_proposals after delete on public.user_memory_entities
  for each row execute function keepsake.delete_alias_proposals();

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

create function keepsake.confirm_alias(proposal_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  return keepsake.decide_alias((select auth.uid()), confirm_alias.proposal_id, 'confirm');
end
$$;
comment on function keepsake.confirm_alias(uuid) is 'The caller confirms that two names belong to one entity.';
grant execute on function keepsake.confirm_alias(uuid) to authenticated;

create function keepsake.refuse_alias(proposal_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  return keepsake.decide_alias((select auth.uid()), refuse_alias.proposal_id, 'refuse');
end
$$;
comment on function keepsake.refuse_alias(uuid) is 'The caller states that two names belong to two entities.';
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
