-- RPCs on the state of a person's memories: forget (soft delete), restore, confirm, clear. Each can be undone. Each
-- RPC is two functions: a private one with definer rights, and a public one with invoker rights that only calls it.

create function keepsake.require_memory(memory_id uuid) returns void
language plpgsql set search_path = '' as $$
begin
  if not exists (
    select from public.user_memory as m where m.id = require_memory.memory_id and m.user_id = (select auth.uid())
  ) then
    raise exception using errcode = 'PT404', message = 'There is no such memory, or it is not yours.';
  end if;
end
$$;
comment on function keepsake.require_memory(uuid) is 'Raises PT404 unless the memory is the caller''s.';
revoke all on function keepsake.require_memory(uuid) from public, anon, authenticated;

create function keepsake.forget_memory(memory_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', 'forget');
  touched bigint;
begin
  perform keepsake.require_memory(forget_memory.memory_id);
  update public.user_memory as m set status = 'deleted', deleted_at = now()
  where m.id = forget_memory.memory_id and m.user_id = (select auth.uid()) and m.status <> 'deleted';
  get diagnostics touched = row_count;
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.forget_memory(uuid) is 'Forgets one memory of the caller.';
revoke all on function keepsake.forget_memory(uuid) from public, anon, authenticated;
grant execute on function keepsake.forget_memory(uuid) to authenticated;

create function keepsake.restore_memory(memory_id uuid) returns jsonb
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
    expires_at = case when m.expires_at > now() then m.expires_at end
  where m.id = restore_memory.memory_id and m.user_id = (select auth.uid())
    and (m.status <> 'active' or m.expires_at <= now());
  get diagnostics touched = row_count;
  return keepsake.end_operation(operation, touched);
exception when unique_violation then
  raise exception using errcode = 'PT409', message = 'A newer memory has taken its place.',
    hint = 'Forget the newer one first.';
end
$$;
comment on function keepsake.restore_memory(uuid) is 'Brings back a memory of the caller that was forgotten, archived or expired.';
revoke all on function keepsake.restore_memory(uuid) from public, anon, authenticated;
grant execute on function keepsake.restore_memory(uuid) to authenticated;

create function keepsake.confirm_memory(memory_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', 'confirm');
  touched bigint;
begin
  perform keepsake.require_memory(confirm_memory.memory_id);
  update public.user_memory as m set confidence_score = 1.0
  where m.id = confirm_memory.memory_id and m.user_id = (select auth.uid())
    and m.status = 'active' and m.confidence_score < 1.0;
  get diagnostics touched = row_count;
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.confirm_memory(uuid) is 'Sets the confidence of a memory of the caller to 1: only an explicit correction overrides it.';
revoke all on function keepsake.confirm_memory(uuid) from public, anon, authenticated;
grant execute on function keepsake.confirm_memory(uuid) to authenticated;

create function keepsake.clear_my_memories() returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', 'clear');
  touched bigint;
begin
  perform keepsake.lock_merges((select auth.uid()), (
    select array_agg(f.id::text) from public.user_profile_list as f where f.user_id = (select auth.uid())
  ));
  perform from public.user_memory as m
  where m.user_id = (select auth.uid()) and m.status <> 'deleted' order by m.id for no key update;
  update public.user_memory as m set status = 'deleted', deleted_at = now()
  where m.user_id = (select auth.uid()) and m.status <> 'deleted';
  get diagnostics touched = row_count;
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.clear_my_memories() is 'Forgets all memories of the caller.';
revoke all on function keepsake.clear_my_memories() from public, anon, authenticated;
grant execute on function keepsake.clear_my_memories() to authenticated;

create function public.forget_memory(memory_id uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.forget_memory(memory_id);
end;
comment on function public.forget_memory(uuid) is 'Forget one of your memories; it can be undone for 30 days.';
revoke all on function public.forget_memory(uuid) from public, anon, authenticated, service_role;
grant execute on function public.forget_memory(uuid) to authenticated;

create function public.restore_memory(memory_id uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.restore_memory(memory_id);
end;
comment on function public.restore_memory(uuid) is 'Bring back one of your memories that was forgotten, archived or expired.';
revoke all on function public.restore_memory(uuid) from public, anon, authenticated, service_role;
grant execute on function public.restore_memory(uuid) to authenticated;

create function public.confirm_memory(memory_id uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.confirm_memory(memory_id);
end;
comment on function public.confirm_memory(uuid) is 'Say that one of your memories is right.';
revoke all on function public.confirm_memory(uuid) from public, anon, authenticated, service_role;
grant execute on function public.confirm_memory(uuid) to authenticated;

create function public.clear_my_memories() returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.clear_my_memories();
end;
comment on function public.clear_my_memories() is 'Forget everything remembered of you; it can be undone for 30 days.';
revoke all on function public.clear_my_memories() from public, anon, authenticated, service_role;
grant execute on function public.clear_my_memories() to authenticated;
