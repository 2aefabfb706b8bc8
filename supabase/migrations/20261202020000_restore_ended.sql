-- Who restores a memory that ended without a successor is told that, not that a newer one has taken its place.

create or replace function keepsake.restore_memory(memory_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', 'restore');
  touched bigint;
begin
  perform keepsake.require_memory(restore_memory.memory_id);
  if exists (
    select from public.user_memory as m
    where m.id = restore_memory.memory_id and m.user_id = (select auth.uid()) and m.status = 'superseded'
  ) then
    if exists (
      select from public.user_memory as m
      where m.supersedes_id = restore_memory.memory_id and m.user_id = (select auth.uid())
    ) then
      raise exception using errcode = 'PT409', message = 'A newer memory has taken its place.',
        hint = 'Undo the operation that replaced it.';
    end if;
    raise exception using errcode = 'PT409', message = 'This memory has ended.',
      hint = 'Undo the operation that ended it, or say that it holds again.';
  end if;
  update public.user_memory as m
  set status = case when m.valid_to is null then 'active' else 'superseded' end, deleted_at = null,
    expires_at = case when m.expires_at > now() then m.expires_at end,
    last_referenced_at = case when m.status = 'archived' then now() else m.last_referenced_at end
  where m.id = restore_memory.memory_id and m.user_id = (select auth.uid())
    and (m.status <> 'active' or m.expires_at <= now());
  get diagnostics touched = row_count;
  return keepsake.end_operation(operation, touched);
exception when unique_violation then
  raise exception using errcode = 'PT409', message = 'A newer memory has taken its place.',
    hint = 'Forget the newer one first.';
end
$$;
