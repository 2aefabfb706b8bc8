-- Doubt: a memory that has probably changed, but nobody knows to what. It stays active, is kept out of contexts, and the
-- person says whether it still holds: confirm_memory clears the doubt, end_memory ends the memory.

alter table public.user_memory add column doubted_at timestamptz;
comment on column public.user_memory.doubted_at is 'Since when it may no longer hold; null means it does. The person confirms or ends it.';

create or replace function keepsake.normalize_memory() returns trigger
language plpgsql set search_path = '' as $$
declare
  is_edit boolean := current_user = 'authenticated';
begin
  if current_setting('keepsake.raw_write', true) = 'on' and not is_edit then
    return new;
  end if;
  if new.pinned then
    new.importance := 3;
  end if;
  new.deleted_at := case when new.status = 'deleted' then coalesce(new.deleted_at, now()) end;
  new.archived_at := case when new.status = 'archived' then coalesce(new.archived_at, now())
    when new.status <> 'active' then new.archived_at end;
  if tg_op = 'INSERT' then
    return new;
  end if;

  if is_edit and new.memory_text <> old.memory_text then
    -- The person's own wording: what was derived from the old text is cleared, and so is the doubt about it.
    new.confidence_score := 1.0;
    new.source := 'user';
    new.memory_key := null;
    new.value := null;
    new.source_quote := null;
    new.doubted_at := null;
  end if;
  if new.updated_at = old.updated_at and to_jsonb(new) - 'is_active' <> to_jsonb(old) - 'is_active' then
    new.updated_at := now();
  end if;
  return new;
end
$$;
drop trigger keepsake_05_normalize on public.user_memory;
create trigger keepsake_05_normalize before update of memory_text, memory_type, subtype, confidence_score, status,
  memory_key, value, importance, pinned, expires_at, valid_from, valid_to, archived_at, deleted_at, persona_id, language,
  profile_id, doubted_at on public.user_memory
  for each row execute function keepsake.normalize_memory();

-- An image of a row from before this migration has no doubted_at: it counts as null.
create or replace function keepsake.differs_only_in_usage(row_before jsonb, row_after jsonb) returns boolean
language sql immutable parallel safe set search_path = '' as $$
  select '{"doubted_at": null}'::jsonb || row_before - d.ignored = '{"doubted_at": null}'::jsonb || row_after - d.ignored
  from (
    select array['reference_count', 'last_referenced_at'] || array(
      select r.reference from unnest(array['conversation_id', 'source_message_id', 'supersedes_id']) as r (reference)
      where row_after ->> r.reference is null
    ) as ignored
  ) as d
$$;

create or replace function keepsake.confirm_memory(memory_id uuid) returns jsonb
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
revoke all on function keepsake.end_memory(uuid) from public, anon, authenticated;
grant execute on function keepsake.end_memory(uuid) to authenticated;

create function public.end_memory(memory_id uuid) returns jsonb
language sql security invoker set search_path = ''
begin atomic
  select keepsake.end_memory(memory_id);
end;
comment on function public.end_memory(uuid) is 'Say that one of your memories no longer holds; it stays in the history.';
revoke all on function public.end_memory(uuid) from public, anon, authenticated, service_role;
grant execute on function public.end_memory(uuid) to authenticated;
