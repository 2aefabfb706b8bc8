-- The audit log: each change of a row, before and after. Undo works from it.
--
-- Session settings, all set for one transaction by set_config(name, value, true). Empty and unset mean the same.
--
-- | setting                         | set by                               | read by                                |
-- | ------------------------------- | ------------------------------------ | -------------------------------------- |
-- | keepsake.operation_id           | begin_operation, end_operation;      | log_change: the operation of a change; |
-- |                                 | sql/operations; sql/memories         | changes_more_than_usage;               |
-- |                                 | (archived over the cap)              | mark_unscreened, mark_restored         |
-- | keepsake.actor                  | the same                             | log_change; mark_unscreened            |
-- | keepsake.reason                 | the same                             | log_change                             |
-- | keepsake.why                    | sql/memories, sql/operations         | log_change                             |
-- |                                 | (under_operation); begin_operation   |                                        |
-- |                                 | and end_operation empty it           |                                        |
-- | keepsake.implied_operation_id   | log_change, when no operation was    | log_change, later in the transaction;  |
-- |                                 | begun                                | mark_unscreened, mark_restored         |
-- | keepsake.hard_delete            | sql/erasure, sql/erasure_scope,      | log_change: a delete is not logged,    |
-- |                                 | sql/retention                        | and deletes the log of its row, unless |
-- |                                 |                                      | the caller does (with_log)             |
-- | keepsake.raw_write              | undo_step; sql/unscreened_edits;     | assign_memory_number,                  |
-- |                                 | sql/imports during an import         | normalize_memory, normalize_place,     |
-- |                                 |                                      | normalize_todo, clear_expiry_on_pin,   |
-- |                                 |                                      | restore_importance,                  |
-- |                                 |                                      | canonicalize_entity_refs,              |
-- |                                 |                                      | detach_from_fold, sync_fold_members:   |
-- |                                 |                                      | the row is written as given;           |
-- |                                 |                                      | is_entity_decision,                    |
-- |                                 |                                      | delete_entities_after_update,          |
-- |                                 |                                      | delete_unreferenced_entities           |
-- | keepsake.entity_decision        | merge_entities, rename_entity,       | is_entity_decision: the change is      |
-- |                                 | decide_alias, add_entity_alias,      | logged; delete_entities_after_update:  |
-- |                                 | remove_entity_alias                  | the merge deletes                      |
-- | keepsake.implicit_entity_change | ensure_entities, sql/imports,        | is_entity_decision: what a memory      |
-- |                                 | delete_unreferenced_entities         | creates and deletes is not logged      |

create table keepsake.changes (
  operation_id uuid not null,
  seq bigint not null generated always as identity,
  user_id uuid not null references auth.users (id) on delete cascade,
  table_name text not null,
  row_id uuid not null,
  action text not null constraint changes_action check (action in ('insert', 'update', 'delete')),
  before jsonb,
  after jsonb,
  actor text not null,
  reason text,
  undone_at timestamptz,
  created_at timestamptz not null default now(),
  why text,
  primary key (user_id, operation_id, seq)
);
create index changes_of_row on keepsake.changes (user_id, table_name, row_id, seq);
create index changes_created on keepsake.changes (created_at);
create index changes_of_person on keepsake.changes (user_id, seq desc);
create index changes_with_words on keepsake.changes (created_at) where before is not null or after is not null;
comment on table keepsake.changes is 'The audit log: what every operation changed, row by row. An operation can be undone for 30 days.';
comment on column keepsake.changes.actor is 'rules, llm, user, cron, agent, service or system.';
comment on column keepsake.changes.undone_at is 'When the operation was undone.';
comment on column keepsake.changes.why is 'The mechanism that found what was said: a rule, another reader of the rules, or a model with the version of its prompt.';
comment on index keepsake.changes_of_person is 'A person''s newest changes first.';
comment on index keepsake.changes_with_words is 'Changes that still contain text, oldest first.';
alter table keepsake.changes
  alter column before set statistics 0, alter column after set statistics 0, alter column reason set statistics 0;
grant select, insert, update, delete on keepsake.changes to service_role;

-- An image without doubted_at counts as one where it is null.
create function keepsake.differs_only_in_usage(row_before jsonb, row_after jsonb) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select '{"doubted_at": null}'::jsonb || row_before - d.ignored = '{"doubted_at": null}'::jsonb || row_after - d.ignored
  from (
    select array['reference_count', 'last_referenced_at'] || array(
      select r.reference from unnest(array['conversation_id', 'source_message_id', 'supersedes_id']) as r (reference)
      where row_after ->> r.reference is null
    ) || case when row_before ->> 'memory_key' is null then array['memory_key', 'value'] else '{}' end as ignored
  ) as d
$$;
comment on function keepsake.differs_only_in_usage(jsonb, jsonb) is 'Whether two images of a row differ only in usage counters, in references whose target was deleted, or in a key that was derived since.';
grant execute on function keepsake.differs_only_in_usage(jsonb, jsonb) to service_role;

-- Timestamps are kept in UTC, whatever the zone of the session that writes: undo compares values. The table is an argument of the
-- trigger, because a partition of it has a name of its own.
create function keepsake.log_change() returns trigger
language plpgsql security definer set search_path = '' set timezone = 'UTC' as $$
declare
  row_before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  row_after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  image jsonb := coalesce(row_after, row_before);
  owner uuid := (image ->> 'user_id')::uuid;
  logged_table constant text := tg_argv[0];
  operation uuid := nullif(current_setting('keepsake.operation_id', true), '')::uuid;
begin
  if tg_op = 'UPDATE' and (row_before = row_after
    or (operation is null and keepsake.differs_only_in_usage(row_before, row_after))) then
    return null;
  end if;
  if tg_op = 'DELETE' and (
    current_setting('keepsake.hard_delete', true) in ('on', 'with_log')
    or not exists (select from auth.users as u where u.id = owner)
    or not exists (select from keepsake_chats.user_profile_list as p where p.user_id = owner and p.id = (image ->> 'profile_id')::uuid)
  ) then
    -- Who erases many memories deletes their log before, with few statements; an account takes its log along.
    if current_setting('keepsake.hard_delete', true) is distinct from 'with_log' or logged_table <> 'user_memory' then
      delete from keepsake.changes as c
      where c.user_id = owner and c.table_name = logged_table and c.row_id = (image ->> 'id')::uuid;
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
    operation, owner, logged_table, (image ->> 'id')::uuid, lower(tg_op), row_before, row_after,
    coalesce(nullif(current_setting('keepsake.actor', true), ''), case current_setting('role', true)
      when 'authenticated' then 'user' when 'service_role' then 'service' else 'system' end),
    nullif(current_setting('keepsake.reason', true), ''),
    case when logged_table = 'user_memory' then nullif(current_setting('keepsake.why', true), '') end
  );
  return null;
end
$$;
comment on function keepsake.log_change() is 'Writes the change of a row under the operation of this transaction; counting a use is not logged.';

-- A use is counted ten times a message: this condition keeps it from calling log_change at all.
create function keepsake.changes_more_than_usage(row_before public.user_memory, row_after public.user_memory) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  if nullif(current_setting('keepsake.operation_id', true), '') is not null then
    return true;  -- in an operation everything is logged
  end if;
  row_after.reference_count := row_before.reference_count;
  row_after.last_referenced_at := row_before.last_referenced_at;
  return row_after is distinct from row_before;
end
$$;
comment on function keepsake.changes_more_than_usage(public.user_memory, public.user_memory) is 'Whether an update must be logged: it changed more than usage counters, or belongs to an operation.';
grant execute on function keepsake.changes_more_than_usage(public.user_memory, public.user_memory) to authenticated, service_role;

create trigger keepsake_50_log after insert or delete on public.user_memory
  for each row execute function keepsake.log_change('user_memory');
create trigger keepsake_50_log_update after update on public.user_memory
  for each row when (keepsake.changes_more_than_usage(old, new)) execute function keepsake.log_change('user_memory');

create function keepsake.begin_operation(actor text, reason text) returns uuid
language plpgsql set search_path = '' as $$
declare
  operation uuid := gen_random_uuid();
begin
  perform set_config('keepsake.operation_id', operation::text, true), set_config('keepsake.actor', actor, true),
    set_config('keepsake.reason', reason, true), set_config('keepsake.why', '', true);
  return operation;
end
$$;
comment on function keepsake.begin_operation(text, text) is 'Begins an operation: later statements of the transaction belong to it, until end_operation.';
grant execute on function keepsake.begin_operation(text, text) to service_role;

create function keepsake.end_operation(operation uuid, affected bigint) returns jsonb
language plpgsql set search_path = '' as $$
begin
  perform set_config('keepsake.operation_id', '', true), set_config('keepsake.actor', '', true),
    set_config('keepsake.reason', '', true), set_config('keepsake.why', '', true);
  return jsonb_build_object('operation_id', case when affected > 0 then operation end, 'affected', affected);
end
$$;
comment on function keepsake.end_operation(uuid, bigint) is 'Ends the operation; returns its id for undo and the number of rows affected.';
grant execute on function keepsake.end_operation(uuid, bigint) to service_role;
