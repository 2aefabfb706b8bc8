-- Triggers that keep a memory consistent whoever writes it: its number, importance, state dates, a person's own edit.
-- The prefix of a trigger's name is its place in the order. Undo and imports set keepsake.raw_write and skip them.

create function keepsake.normalize_memory() returns trigger
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
    -- The person's own wording: what was derived from the old text is cleared.
    new.confidence_score := 1.0;
    new.source := 'user';
    new.memory_key := null;
    new.value := null;
    new.source_quote := null;
  end if;
  if new.updated_at = old.updated_at and to_jsonb(new) - 'is_active' <> to_jsonb(old) - 'is_active' then
    new.updated_at := now();
  end if;
  return new;
end
$$;
comment on function keepsake.normalize_memory() is 'A pinned memory has importance 3, each state has its date, and a person''s own edit has source user and confidence 1.';
revoke all on function keepsake.normalize_memory() from public, anon, authenticated;

create trigger keepsake_05_normalize_new before insert on public.user_memory
  for each row execute function keepsake.normalize_memory();
create trigger keepsake_05_normalize before update of memory_text, memory_type, subtype, confidence_score, status,
  memory_key, value, importance, pinned, expires_at, valid_from, valid_to, archived_at, deleted_at, persona_id, language,
  profile_id on public.user_memory
  for each row execute function keepsake.normalize_memory();

create function keepsake.assign_memory_number() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('keepsake.raw_write', true) = 'on' and new.memory_no is not null then
    return new;
  end if;
  insert into keepsake.counters as c (user_id, name, value) values (new.user_id, 'memory_no', 1)
    on conflict (user_id, name, period_start) do update set value = c.value + 1
    returning c.value into new.memory_no;
  return new;
end
$$;
comment on function keepsake.assign_memory_number() is 'Gives a new memory the next number of its person; numbers are never reused.';
revoke all on function keepsake.assign_memory_number() from public, anon, authenticated;
create trigger keepsake_10_number before insert on public.user_memory
  for each row execute function keepsake.assign_memory_number();

create function keepsake.clear_expiry_on_pin() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_setting('keepsake.raw_write', true) is distinct from 'on' then
    new.expires_at := null;
  end if;
  return new;
end
$$;
comment on function keepsake.clear_expiry_on_pin() is 'Pinning a memory removes its expiry, unless the same update sets one.';
revoke all on function keepsake.clear_expiry_on_pin() from public, anon, authenticated;
create trigger keepsake_06_clear_expiry_on_pin before update of pinned on public.user_memory
  for each row when (new.pinned and not old.pinned and new.expires_at is not distinct from old.expires_at)
  execute function keepsake.clear_expiry_on_pin();
