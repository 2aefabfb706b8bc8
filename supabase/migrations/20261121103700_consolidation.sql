-- Folding: many small statements about one thing become one, and open again as soon as something is said about any of them.

create table keepsake.curations (
  user_id uuid not null references auth.users (id) on delete cascade,
  profile_id uuid not null,
  ran_at timestamptz not null,
  memory_count integer not null,
  primary key (user_id, profile_id),
  constraint curations_profile foreign key (user_id, profile_id)
    references public.user_profile_list (user_id, id) on delete cascade
);
comment on table keepsake.curations is 'When each profile was last looked through for what can be folded, and how much it held (seed 004''s curator state).';
revoke all on keepsake.curations from public, anon, authenticated;
grant select, insert, update, delete on keepsake.curations to service_role;

create function keepsake.open_folds(person uuid, folds uuid[]) returns integer
language plpgsql set search_path = '' as $$
declare
  opened integer;
begin
  perform from public.user_memory as m
  where m.user_id = person and (m.id = any (folds) or m.folded_into = any (folds)) order by m.id for no key update;
  -- A person's own wording of it is theirs, and stays; what it was made of is history then.
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
comment on function keepsake.open_folds(uuid, uuid[]) is 'Puts back what these memories of a person were folded from; how many were opened.';
revoke all on function keepsake.open_folds(uuid, uuid[]) from public, anon, authenticated;
grant execute on function keepsake.open_folds(uuid, uuid[]) to service_role;

-- What is forgotten of a fold is forgotten of what it was made of, and comes back with it.
create function keepsake.follow_fold() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('keepsake.undoing', true) = 'on' then
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
comment on function keepsake.follow_fold() is 'What a memory was folded from is forgotten and restored with it.';
revoke all on function keepsake.follow_fold() from public, anon, authenticated;
create trigger keepsake_60_fold after update of status on public.user_memory
  for each row when (new.source = 'curated_fold' and (new.status = 'deleted') <> (old.status = 'deleted'))
  execute function keepsake.follow_fold();

-- Whatever brings a folded memory back by itself takes it out of its fold.
create function keepsake.leave_fold() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_setting('keepsake.undoing', true) is distinct from 'on' then
    new.folded_into := null;
  end if;
  return new;
end
$$;
comment on function keepsake.leave_fold() is 'A memory that stands by itself is in no fold.';
revoke all on function keepsake.leave_fold() from public, anon, authenticated;
create trigger keepsake_04_fold before update of status on public.user_memory
  for each row when (new.status = 'active' and old.folded_into is not null) execute function keepsake.leave_fold();
