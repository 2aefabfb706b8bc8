-- Undo takes the merge's locks before it holds any row, as erasure and everybody else does: so the two meet in no circle.

create or replace function keepsake.undo_operation(operation_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
begin
  perform keepsake.hold_merges((select auth.uid()), array(
    select distinct coalesce(c.after, c.before) ->> 'profile_id' from keepsake.changes as c
    where c.operation_id = undo_operation.operation_id and c.user_id = (select auth.uid())
      and coalesce(c.after, c.before) ->> 'profile_id' is not null
  ));
  return keepsake.undo((select auth.uid()), undo_operation.operation_id);
end
$$;
