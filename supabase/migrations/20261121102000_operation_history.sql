-- The audit log as its person sees it: one operation a row, with the id for undo.

create function keepsake.memory_operations(max_results integer, memory_id uuid)
returns table (operation_id uuid, happened_at timestamptz, actor text, reasons text[], undone_at timestamptz, memories jsonb)
language sql stable security definer set search_path = '' as $$
  with newest as materialized (
    select c.operation_id, max(c.seq) as seq
    from keepsake.changes as c
    where c.user_id = (select auth.uid()) and c.created_at >= now() - interval '30 days'
      and (memory_operations.memory_id is null or (c.table_name = 'user_memory' and c.row_id = memory_operations.memory_id))
    group by c.operation_id
    order by max(c.seq) desc
    limit least(greatest(coalesce(max_results, 50), 1), 200)
  )
  select c.operation_id, min(c.created_at), min(c.actor),
    array_remove(array_agg(distinct c.reason), null), max(c.undone_at),
    coalesce(jsonb_agg(jsonb_build_object(
      'memory_id', c.row_id,
      'ref', 'M-' || coalesce(c.after ->> 'memory_no', c.before ->> 'memory_no'),
      'action', c.action,
      'text_before', c.before ->> 'memory_text', 'text_after', c.after ->> 'memory_text',
      'status_before', c.before ->> 'status', 'status_after', c.after ->> 'status'
    ) order by c.seq) filter (where c.table_name = 'user_memory'), '[]')
  from newest as n
  join keepsake.changes as c on c.operation_id = n.operation_id and c.user_id = (select auth.uid())
  group by c.operation_id, n.seq
  order by n.seq desc
$$;
comment on function keepsake.memory_operations(integer, uuid) is 'What was done to the caller''s memories in the last 30 days, newest first.';
revoke all on function keepsake.memory_operations(integer, uuid) from public, anon, authenticated;
grant execute on function keepsake.memory_operations(integer, uuid) to authenticated;

create function public.memory_operations(max_results integer default 50, memory_id uuid default null)
returns table (operation_id uuid, happened_at timestamptz, actor text, reasons text[], undone_at timestamptz, memories jsonb)
language sql stable security invoker set search_path = ''
begin atomic
  select o.operation_id, o.happened_at, o.actor, o.reasons, o.undone_at, o.memories
  from keepsake.memory_operations(max_results, memory_id) as o;
end;
comment on function public.memory_operations(integer, uuid) is 'What was done to your memories in the last 30 days, newest first; undo_operation takes the id of one back.';
revoke all on function public.memory_operations(integer, uuid) from public, anon, authenticated, service_role;
grant execute on function public.memory_operations(integer, uuid) to authenticated;
