-- Every change to what is remembered, as it was before and after: the audit, and what undo works from.
-- A writer names its operation for the transaction: set_config('keepsake.operation_id' | 'keepsake.actor' |
-- 'keepsake.reason', …, true). 'keepsake.final' = 'on' makes a deletion final: it is not logged, and takes the log along.

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
  primary key (operation_id, seq)
);
create index changes_of_row on keepsake.changes (user_id, table_name, row_id, seq);
create index changes_created on keepsake.changes (created_at);
create index changes_of_person on keepsake.changes (user_id, seq desc);
create index changes_with_words on keepsake.changes (created_at) where before is not null or after is not null;
comment on table keepsake.changes is 'What every operation changed, row by row; an operation can be undone for 30 days.';
comment on column keepsake.changes.actor is 'rules, llm, user, cron, agent, service or system.';
comment on column keepsake.changes.undone_at is 'When the operation was undone.';
comment on index keepsake.changes_of_person is 'A person''s newest changes first.';
comment on index keepsake.changes_with_words is 'Changes that still hold a memory''s words, oldest first.';
revoke all on keepsake.changes from public, anon, authenticated;
grant select, insert, update, delete on keepsake.changes to service_role;

create function keepsake.means_the_same(was jsonb, became jsonb) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select was - d.ignored = became - d.ignored
  from (
    select array['reference_count', 'last_referenced_at'] || array(
      select r.reference from unnest(array['conversation_id', 'source_message_id', 'supersedes_id']) as r (reference)
      where became ->> r.reference is null
    ) as ignored
  ) as d
$$;
comment on function keepsake.means_the_same(jsonb, jsonb) is 'Whether a row differs in nothing a person would call a change: its use was counted, or what it pointed at has gone.';
revoke all on function keepsake.means_the_same(jsonb, jsonb) from public, anon, authenticated;
grant execute on function keepsake.means_the_same(jsonb, jsonb) to service_role;

create function keepsake.log_change() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  was jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
  became jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
  image jsonb := coalesce(became, was);
  owner uuid := (image ->> 'user_id')::uuid;
  operation uuid := nullif(current_setting('keepsake.operation_id', true), '')::uuid;
begin
  if tg_op = 'UPDATE' and (was = became
    or (operation is null and keepsake.means_the_same(was, became))) then
    return null;
  end if;
  if tg_op = 'DELETE' and (
    current_setting('keepsake.final', true) = 'on'
    or not exists (select from auth.users as u where u.id = owner)
    or not exists (select from public.user_profile_list as p where p.user_id = owner and p.id = (image ->> 'profile_id')::uuid)
  ) then
    delete from keepsake.changes as c
    where c.user_id = owner and c.table_name = tg_table_name and c.row_id = (image ->> 'id')::uuid;
    return null;
  end if;

  operation := coalesce(operation, nullif(current_setting('keepsake.implied_operation_id', true), '')::uuid);
  if operation is null then
    operation := gen_random_uuid();
    perform set_config('keepsake.implied_operation_id', operation::text, true);
  end if;
  insert into keepsake.changes (operation_id, user_id, table_name, row_id, action, before, after, actor, reason)
  values (
    operation, owner, tg_table_name, (image ->> 'id')::uuid, lower(tg_op), was, became,
    coalesce(nullif(current_setting('keepsake.actor', true), ''), case current_setting('role', true)
      when 'authenticated' then 'user' when 'service_role' then 'service' else 'system' end),
    nullif(current_setting('keepsake.reason', true), '')
  );
  return null;
end
$$;
comment on function keepsake.log_change() is 'Writes a row''s change under the operation of this transaction; counting a use is no change.';
revoke all on function keepsake.log_change() from public, anon, authenticated;

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

create trigger keepsake_50_log after insert or delete on public.user_memory
  for each row execute function keepsake.log_change();
create trigger keepsake_50_log_update after update on public.user_memory
  for each row when (keepsake.is_more_than_use(old, new)) execute function keepsake.log_change();

create function keepsake.start_operation(actor text, reason text) returns uuid
language plpgsql set search_path = '' as $$
declare
  operation uuid := gen_random_uuid();
begin
  perform set_config('keepsake.operation_id', operation::text, true), set_config('keepsake.actor', actor, true),
    set_config('keepsake.reason', reason, true);
  return operation;
end
$$;
comment on function keepsake.start_operation(text, text) is 'Names what the statements to come belong to, until end_operation.';
revoke all on function keepsake.start_operation(text, text) from public, anon, authenticated;
grant execute on function keepsake.start_operation(text, text) to service_role;

create function keepsake.end_operation(operation uuid, affected bigint) returns jsonb
language plpgsql set search_path = '' as $$
begin
  perform set_config('keepsake.operation_id', '', true), set_config('keepsake.actor', '', true),
    set_config('keepsake.reason', '', true);
  return jsonb_build_object('operation_id', case when affected > 0 then operation end, 'affected', affected);
end
$$;
comment on function keepsake.end_operation(uuid, bigint) is 'Ends what start_operation began; the answer says what to undo and how much was touched.';
revoke all on function keepsake.end_operation(uuid, bigint) from public, anon, authenticated;
grant execute on function keepsake.end_operation(uuid, bigint) to service_role;
