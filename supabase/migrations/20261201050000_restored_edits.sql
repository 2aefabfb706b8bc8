-- An edit that was rejected or never screened while its memory was forgotten is screened once the memory comes back.

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create function keepsake.mark_restored() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into keepsake.unscreened_edits (user_id, memory_id, operation_id, is_new)
  select new.user_id, new.id, coalesce(nullif(current_setting('keepsake.operation_id', true), ''),
    nullif(current_setting('keepsake.implied_operation_id', true), ''))::uuid, true
  where not exists (
    select from keepsake.unscreened_edits as e
    where e.user_id = new.user_id and e.memory_id = new.id and e.rejection is null
  )
  on conflict do nothing;
  return null;
end
$$;
comment on function keepsake.mark_restored() is 'Lists a memory that its person may have written and that came back, unless an edit of it is listed; it runs after log_change, which names the operation.';
revoke all on function keepsake.mark_restored() from public, anon, authenticated;
create trigger keepsake_55_mark_restored after update of status on public.user_memory
  for each row when (old.status = 'deleted' and new.status <> 'deleted'
    and (new.source in ('user', 'seeded_profile') or new.persona_id is not null))
  execute function keepsake.mark_restored();
comment on column keepsake.unscreened_edits.is_new is 'Whether the edit created the memory, or brought it back.';
