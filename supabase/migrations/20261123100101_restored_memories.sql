-- A memory that was archived because nobody used it counts as used when the person restores it: otherwise the next nightly
-- run archives it again.

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
    raise exception using errcode = 'PT409', message = 'A newer memory has taken its place.',
      hint = 'Undo the operation that replaced it.';
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
