-- Consolidation: many small statements about one thing are replaced by one fold. A new statement about any of them
-- opens the fold: its members become active again.

create table keepsake.consolidations (
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  ran_at timestamptz not null,
  memory_count integer not null,
  primary key (user_id, profile_id),
  constraint consolidations_profile foreign key (user_id, profile_id)
    references keepsake_chats.user_profile_list (user_id, id) on delete cascade
);
comment on table keepsake.consolidations is 'The last consolidation of each profile, and how many active memories it had.';
grant select, insert, update, delete on keepsake.consolidations to service_role;

create function keepsake.open_folds(person uuid, folds uuid[]) returns integer
language plpgsql set search_path = '' as $$
declare
  opened integer;
begin
  perform from public.user_memory as m
  where m.user_id = person and (m.id = any (folds) or m.folded_into = any (folds)) order by m.id for no key update;
  -- A fold that the person edited is their own statement and stays; its members stay archived.
  folds := array(select m.id from public.user_memory as m
    where m.user_id = person and m.id = any (folds) and m.status = 'active' and m.source = 'curated_fold' order by m.id);
  update public.user_memory as m set status = 'archived' where m.user_id = person and m.id = any (folds);
  get diagnostics opened = row_count;
  update public.user_memory as m set status = 'active', archived_at = null, folded_into = null
  where m.user_id = person and m.folded_into = any (folds) and m.status = 'archived'
    and not exists (
      select from public.user_memory as t
      where t.user_id = person and t.profile_id = m.profile_id and t.persona_id is not distinct from m.persona_id
        and t.memory_key = m.memory_key and t.status = 'active'
    );
  update public.user_memory as m set folded_into = null where m.user_id = person and m.folded_into = any (folds);
  delete from public.user_memory as m where m.user_id = person and m.id = any (folds);
  return opened;
end
$$;
comment on function keepsake.open_folds(uuid, uuid[]) is 'Reactivates the members of these folds and deletes the folds; returns how many were opened.';
grant execute on function keepsake.open_folds(uuid, uuid[]) to service_role;

-- Forgetting or restoring a fold does the same to its members.
create function keepsake.sync_fold_members() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('keepsake.raw_write', true) = 'on' then
    return null;
  end if;
  if new.status = 'deleted' then
    update public.user_memory as m set status = 'deleted', deleted_at = new.deleted_at
    where m.user_id = new.user_id and m.folded_into = new.id and m.status <> 'deleted';
  else
    update public.user_memory as m set status = 'archived', deleted_at = null
    where m.user_id = new.user_id and m.folded_into = new.id and m.status = 'deleted';
  end if;
  return null;
end
$$;
comment on function keepsake.sync_fold_members() is 'Deletes and restores the members of a fold with it.';
create trigger keepsake_60_sync_fold_members after update of status on public.user_memory
  for each row when (new.source = 'curated_fold' and (new.status = 'deleted') <> (old.status = 'deleted'))
  execute function keepsake.sync_fold_members();

-- A folded memory that becomes active by itself leaves its fold.
create function keepsake.detach_from_fold() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_setting('keepsake.raw_write', true) is distinct from 'on' then
    new.folded_into := null;
  end if;
  return new;
end
$$;
comment on function keepsake.detach_from_fold() is 'Clears folded_into of a memory that becomes active.';
create trigger keepsake_04_detach_from_fold before update of status on public.user_memory
  for each row when (new.status = 'active' and old.folded_into is not null) execute function keepsake.detach_from_fold();
