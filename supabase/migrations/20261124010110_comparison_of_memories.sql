-- A yearly comparison also says what became of what the person said in the earlier month. So it rests on memories beside
-- those of the two months, and is deleted when one of them changes or goes.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create function keepsake.drop_comparisons_of_changed_memory() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  delete from public.user_memory_yearly_comparisons as c where c.user_id = new.user_id and new.id = any (c.memory_ids);
  return null;
end
$$;
create function keepsake.drop_comparisons_of_deleted_memories() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  person uuid;
  ids uuid[];
begin
  for person, ids in select d.user_id, array_agg(d.id) from deleted as d group by d.user_id loop
    delete from public.user_memory_yearly_comparisons as c where c.user_id = person and c.memory_ids && ids;
  end loop;
  return null;
end
$$;
comment on function keepsake.drop_comparisons_of_changed_memory() is 'Deletes the yearly comparisons that rest on a memory that has changed.';
comment on function keepsake.drop_comparisons_of_deleted_memories() is 'Deletes the yearly comparisons that rest on deleted memories.';
revoke all on function keepsake.drop_comparisons_of_changed_memory() from public, anon, authenticated;
revoke all on function keepsake.drop_comparisons_of_deleted_memories() from public, anon, authenticated;
create trigger keepsake_61_drop_comparisons after update on public.user_memory
  for each row when (old.memory_text is distinct from new.memory_text or old.status is distinct from new.status
    or old.valid_from is distinct from new.valid_from or old.valid_to is distinct from new.valid_to)
  execute function keepsake.drop_comparisons_of_changed_memory();
create trigger keepsake_61_drop_comparisons_of_deleted after delete on public.user_memory
  referencing old table as deleted for each statement execute function keepsake.drop_comparisons_of_deleted_memories();

-- What was compared before rests on the themes alone.
delete from public.user_memory_yearly_comparisons;
