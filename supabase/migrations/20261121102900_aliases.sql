-- Alias proposals: two entities with similar names may be one. The person confirms (the entities are merged) or
-- refuses; a refused pair is never proposed again.

create table public.user_memory_alias_proposals (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  key text not null constraint user_memory_alias_proposals_key check (keepsake.is_entity_key(key)),
  variant text not null constraint user_memory_alias_proposals_variant check (keepsake.is_entity_key(variant) and variant <> key),
  similarity numeric(4, 3) not null constraint user_memory_alias_proposals_similarity check (similarity between 0 and 1),
  status text not null default 'proposed'
    constraint user_memory_alias_proposals_status check (status in ('proposed', 'confirmed', 'refused')),
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  constraint user_memory_alias_proposals_owner unique (user_id, id),
  constraint user_memory_alias_proposals_profile foreign key (user_id, profile_id)
    references public.user_profile_list (user_id, id) on delete cascade
);
create unique index user_memory_alias_proposals_pair on public.user_memory_alias_proposals
  (user_id, profile_id, least(key, variant), greatest(key, variant));
comment on table public.user_memory_alias_proposals is 'Names that may be one entity''s: the person decides, and a refused pair is never proposed again.';
comment on column public.user_memory_alias_proposals.key is 'The entity that stays if it is confirmed.';
comment on column public.user_memory_alias_proposals.variant is 'The entity whose memories would become those of the other.';
comment on column public.user_memory_alias_proposals.similarity is 'How alike the names are, from 0 to 1.';
comment on index public.user_memory_alias_proposals_pair is 'A pair is proposed once, whichever came first.';

alter table public.user_memory_alias_proposals enable row level security;
alter table public.user_memory_alias_proposals force row level security;
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
revoke all on function keepsake.is_entity_decision() from public, anon, authenticated;
grant execute on function keepsake.is_entity_decision() to service_role;
create trigger keepsake_50_log after insert or update or delete on public.user_memory_entities
  for each row when (keepsake.is_entity_decision()) execute function keepsake.log_change();
create trigger keepsake_50_log after insert or update or delete on public.user_memory_alias_proposals
  for each row when (keepsake.is_entity_decision()) execute function keepsake.log_change();

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
revoke all on function keepsake.delete_alias_proposals() from public, anon, authenticated;
create trigger keepsake_22_proposals after delete on public.user_memory_entities
  for each row execute function keepsake.delete_alias_proposals();
