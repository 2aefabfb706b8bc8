-- What a person may call to decide about entities, and what was decided among what happened to their memories.

create function public.confirm_alias(proposal_id uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.confirm_alias(proposal_id);
end;
comment on function public.confirm_alias(uuid) is 'Say that two names are one: what is remembered of either is joined, and can be undone.';
revoke all on function public.confirm_alias(uuid) from public, anon, authenticated, service_role;
grant execute on function public.confirm_alias(uuid) to authenticated;

create function public.refuse_alias(proposal_id uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.refuse_alias(proposal_id);
end;
comment on function public.refuse_alias(uuid) is 'Say that two names are not one; they are never proposed again.';
revoke all on function public.refuse_alias(uuid) from public, anon, authenticated, service_role;
grant execute on function public.refuse_alias(uuid) to authenticated;

create function public.rename_entity(entity_id uuid, label text) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.rename_entity(entity_id, label);
end;
comment on function public.rename_entity(uuid, text) is 'Call somebody or something your memories name otherwise.';
revoke all on function public.rename_entity(uuid, text) from public, anon, authenticated, service_role;
grant execute on function public.rename_entity(uuid, text) to authenticated;

create function public.add_entity_alias(entity_id uuid, alias text) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.add_entity_alias(entity_id, alias);
end;
comment on function public.add_entity_alias(uuid, text) is 'Say what else somebody or something is called.';
revoke all on function public.add_entity_alias(uuid, text) from public, anon, authenticated, service_role;
grant execute on function public.add_entity_alias(uuid, text) to authenticated;

create function public.remove_entity_alias(entity_id uuid, alias text) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.remove_entity_alias(entity_id, alias);
end;
comment on function public.remove_entity_alias(uuid, text) is 'Say what somebody or something is not called.';
revoke all on function public.remove_entity_alias(uuid, text) from public, anon, authenticated, service_role;
grant execute on function public.remove_entity_alias(uuid, text) to authenticated;

-- What was decided about entities belongs to what happened to the memories.
create or replace function keepsake.memory_operations(max_results integer, memory_id uuid)
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
