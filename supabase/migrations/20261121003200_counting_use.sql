-- Counting that a memory was used happens ten times a message and is no change: the log is not even asked about it.

create function keepsake.is_more_than_use(was public.user_memory, became public.user_memory) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  if nullif(current_setting('keepsake.operation_id', true), '') is not null then
    return true;  -- whoever names an operation wants everything in it recorded
  end if;
  became.reference_count := was.reference_count;
  became.last_referenced_at := was.last_referenced_at;
  return became is distinct from was;
end
$$;
comment on function keepsake.is_more_than_use(public.user_memory, public.user_memory) is 'Whether an update may be a change: it did more than count a use, or belongs to an operation.';
revoke all on function keepsake.is_more_than_use(public.user_memory, public.user_memory) from public, anon, authenticated;
grant execute on function keepsake.is_more_than_use(public.user_memory, public.user_memory) to authenticated, service_role;

drop trigger keepsake_50_log on public.user_memory;
create trigger keepsake_50_log after insert or delete on public.user_memory
  for each row execute function keepsake.log_change();
create trigger keepsake_50_log_update after update on public.user_memory
  for each row when (keepsake.is_more_than_use(old, new)) execute function keepsake.log_change();
