-- Which mechanism found what a memory says: a rule, another reader of the rules, or a model with the version of its prompt.
--
-- | setting      | set by                                                   | read by    |
-- | ------------ | -------------------------------------------------------- | ---------- |
-- | keepsake.why | sql/memories (under_operation); emptied by whatever      | log_change |
-- |              | begins or ends an operation                              |            |

alter table keepsake.changes add column why text;
comment on column keepsake.changes.why is 'The mechanism that found what was said: a rule, another reader of the rules, or a model with the version of its prompt.';
alter table keepsake.extractions add column model text;
comment on column keepsake.extractions.model is 'The model that read the turn, with the version of its prompt; null where the rules did.';

create or replace function keepsake.log_change() returns trigger
language plpgsql security definer set search_path = '' set timezone = 'UTC' as $$
declare
  row_before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  row_after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  image jsonb := coalesce(row_after, row_before);
  owner uuid := (image ->> 'user_id')::uuid;
  operation uuid := nullif(current_setting('keepsake.operation_id', true), '')::uuid;
begin
  if tg_op = 'UPDATE' and (row_before = row_after
    or (operation is null and keepsake.differs_only_in_usage(row_before, row_after))) then
    return null;
  end if;
  if tg_op = 'DELETE' and (
    current_setting('keepsake.hard_delete', true) in ('on', 'with_log')
    or not exists (select from auth.users as u where u.id = owner)
    or not exists (select from public.user_profile_list as p where p.user_id = owner and p.id = (image ->> 'profile_id')::uuid)
  ) then
    -- Who erases many memories deletes their log before, with few statements; an account takes its log along.
    if current_setting('keepsake.hard_delete', true) is distinct from 'with_log' or tg_table_name <> 'user_memory' then
      delete from keepsake.changes as c
      where c.user_id = owner and c.table_name = tg_table_name and c.row_id = (image ->> 'id')::uuid;
    end if;
    return null;
  end if;

  operation := coalesce(operation, nullif(current_setting('keepsake.implied_operation_id', true), '')::uuid);
  if operation is null then
    operation := gen_random_uuid();
    perform set_config('keepsake.implied_operation_id', operation::text, true);
  end if;
  insert into keepsake.changes (operation_id, user_id, table_name, row_id, action, before, after, actor, reason, why)
  values (
    operation, owner, tg_table_name, (image ->> 'id')::uuid, lower(tg_op), row_before, row_after,
    coalesce(nullif(current_setting('keepsake.actor', true), ''), case current_setting('role', true)
      when 'authenticated' then 'user' when 'service_role' then 'service' else 'system' end),
    nullif(current_setting('keepsake.reason', true), ''),
    case when tg_table_name = 'user_memory' then nullif(current_setting('keepsake.why', true), '') end
  );
  return null;
end
$$;

create or replace function keepsake.begin_operation(actor text, reason text) returns uuid
language plpgsql set search_path = '' as $$
declare
  operation uuid := gen_random_uuid();
begin
  perform set_config('keepsake.operation_id', operation::text, true), set_config('keepsake.actor', actor, true),
    set_config('keepsake.reason', reason, true), set_config('keepsake.why', '', true);
  return operation;
end
$$;

create or replace function keepsake.end_operation(operation uuid, affected bigint) returns jsonb
language plpgsql set search_path = '' as $$
begin
  perform set_config('keepsake.operation_id', '', true), set_config('keepsake.actor', '', true),
    set_config('keepsake.reason', '', true), set_config('keepsake.why', '', true);
  return jsonb_build_object('operation_id', case when affected > 0 then operation end, 'affected', affected);
end
$$;

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
      'action', c.action, 'why', c.why,
      'text_before', c.before ->> 'memory_text', 'text_after', c.after ->> 'memory_text',
      'status_before', c.before ->> 'status', 'status_after', c.after ->> 'status'
    ) order by c.seq) filter (where c.table_name = 'user_memory'), '[]')
  from newest as n
  join keepsake.changes as c on c.operation_id = n.operation_id and c.user_id = (select auth.uid())
  group by c.operation_id, n.seq
  order by n.seq desc
$$;
