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
grant execute on function keepsake.forget_memory(uuid) to authenticated;

-- A memory that was archived because nobody used it counts as used when it is restored: otherwise the next nightly run
-- archives it again.
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
comment on function keepsake.restore_memory(uuid) is 'Brings back a memory of the caller that was forgotten, archived or expired.';
grant execute on function keepsake.restore_memory(uuid) to authenticated;

create function keepsake.confirm_memory(memory_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', 'confirm');
  touched bigint;
begin
  perform keepsake.require_memory(confirm_memory.memory_id);
  update public.user_memory as m set confidence_score = 1.0, doubted_at = null
  where m.id = confirm_memory.memory_id and m.user_id = (select auth.uid())
    and m.status = 'active' and (m.confidence_score < 1.0 or m.doubted_at is not null);
  get diagnostics touched = row_count;
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.confirm_memory(uuid) is 'Sets the confidence of a memory of the caller to 1 and clears a doubt: only an explicit correction overrides it.';
grant execute on function keepsake.confirm_memory(uuid) to authenticated;

create function keepsake.clear_my_memories() returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', 'clear');
  touched bigint;
begin
  perform keepsake.lock_merges((select auth.uid()), (
    select array_agg(f.id::text) from keepsake_chats.user_profile_list as f where f.user_id = (select auth.uid())
  ));
  perform from public.user_memory as m
  where m.user_id = (select auth.uid()) and m.status <> 'deleted' order by m.id for no key update;
  update public.user_memory as m set status = 'deleted', deleted_at = now()
  where m.user_id = (select auth.uid()) and m.status <> 'deleted';
  get diagnostics touched = row_count;
  delete from public.user_memory_todos as t where t.user_id = (select auth.uid());
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.clear_my_memories() is 'Forgets all memories and to-dos of the caller.';
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

-- Doubt: a memory that has probably changed, but nobody knows to what. It stays active, is kept out of contexts, and the
-- person says whether it still holds: confirm_memory clears the doubt, end_memory ends the memory.

create function keepsake.end_memory(memory_id uuid) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', 'end');
  touched bigint;
begin
  perform keepsake.require_memory(end_memory.memory_id);
  update public.user_memory as m set status = 'superseded', valid_to = greatest(now(), m.valid_from)
  where m.id = end_memory.memory_id and m.user_id = (select auth.uid()) and m.status = 'active';
  get diagnostics touched = row_count;
  return keepsake.end_operation(operation, touched);
end
$$;
comment on function keepsake.end_memory(uuid) is 'Ends one memory of the caller: it stays as history, without a successor.';
grant execute on function keepsake.end_memory(uuid) to authenticated;

create function public.end_memory(memory_id uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.end_memory(memory_id);
end;
comment on function public.end_memory(uuid) is 'Say that one of your memories no longer holds; it stays in the history.';
revoke all on function public.end_memory(uuid) from public, anon, authenticated, service_role;
grant execute on function public.end_memory(uuid) to authenticated;

-- Restricts a memory to one persona: only conversations with that persona use it. It can be undone.

create function keepsake.set_memory_persona(memory_id uuid, persona_id text) returns jsonb
language plpgsql security definer set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('user', case when persona_id is null then 'tell every persona'
    else 'tell one persona alone' end);
  touched bigint;
begin
  perform keepsake.require_memory(set_memory_persona.memory_id);
  if char_length(persona_id) > 200 or persona_id !~ '\S' or not keepsake.is_clean_text(persona_id) then
    raise exception using errcode = 'PT400', message = 'A persona has a name of 1 to 200 characters; null is every one.';
  end if;
  perform keepsake.lock_merges(m.user_id, array[m.profile_id::text])
  from public.user_memory as m where m.id = set_memory_persona.memory_id and m.user_id = (select auth.uid());
  update public.user_memory as m set persona_id = set_memory_persona.persona_id
  where m.id = set_memory_persona.memory_id and m.user_id = (select auth.uid())
    and m.persona_id is distinct from set_memory_persona.persona_id;
  get diagnostics touched = row_count;
  return keepsake.end_operation(operation, touched);
exception when unique_violation then
  raise exception using errcode = 'PT409', message = 'Another memory says something about the same thing there.',
    hint = 'Forget one of the two first.';
end
$$;
comment on function keepsake.set_memory_persona(uuid, text) is 'Restricts a memory of the caller to one persona; null is every persona.';
grant execute on function keepsake.set_memory_persona(uuid, text) to authenticated;

create function public.set_memory_persona(memory_id uuid, persona_id text default null) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.set_memory_persona(memory_id, persona_id);
end;
comment on function public.set_memory_persona(uuid, text) is 'Say which persona alone may know one of your memories; without one, every persona.';
revoke all on function public.set_memory_persona(uuid, text) from public, anon, authenticated, service_role;
grant execute on function public.set_memory_persona(uuid, text) to authenticated;

-- The conversation that a memory comes from, in one request: `user_memory?select=*,conversations(title)`. A computed
-- relationship of PostgREST, because the foreign key of a memory leads to the participant. The policies of
-- conversations decide, so whoever has left a conversation gets null.

create function public.conversations(public.user_memory) returns setof keepsake_chats.conversations
language sql stable rows 1 set search_path = ''
begin atomic
  select c.* from keepsake_chats.conversations as c where c.id = ($1).conversation_id;
end;
comment on function public.conversations(public.user_memory) is 'The conversation that a memory comes from, to be embedded.';

revoke all on function public.conversations(public.user_memory) from public, anon, authenticated, service_role;
grant execute on function public.conversations(public.user_memory) to authenticated, service_role;
