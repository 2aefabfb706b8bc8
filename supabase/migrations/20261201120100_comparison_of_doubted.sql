-- A yearly comparison does not list as what stayed what is doubted: it is made again when a doubt begins or ends.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

drop trigger keepsake_61_drop_comparisons on public.user_memory;
create trigger keepsake_61_drop_comparisons after update on public.user_memory
  for each row when (old.memory_text is distinct from new.memory_text or old.status is distinct from new.status
    or old.valid_from is distinct from new.valid_from or old.valid_to is distinct from new.valid_to
    or (old.doubted_at is null) is distinct from (new.doubted_at is null))
  execute function keepsake.drop_comparisons_of_changed_memory();
