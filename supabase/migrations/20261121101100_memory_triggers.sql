-- What follows from a write to a memory by itself, whoever writes: importance, dates of its state, a person's own edit.

create function keepsake.settle_memory() returns trigger
language plpgsql set search_path = '' as $$
declare
  edited boolean := current_user = 'authenticated';
begin
  if current_setting('keepsake.undoing', true) = 'on' and not edited then
    return new;  -- undo brings every column back as it was
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

  if edited and new.memory_text <> old.memory_text then
    -- Their own words now: what was derived from the old ones is made anew.
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
comment on function keepsake.settle_memory() is 'Pinned means importance 3, a state has its date, and what a person writes is theirs and certain.';
revoke all on function keepsake.settle_memory() from public, anon, authenticated;

create trigger keepsake_05_settle_new before insert on public.user_memory
  for each row execute function keepsake.settle_memory();
create trigger keepsake_05_settle before update of memory_text, memory_type, subtype, confidence_score, status,
  memory_key, value, importance, pinned, expires_at, valid_from, valid_to, archived_at, deleted_at, persona_id, language,
  profile_id on public.user_memory
  for each row execute function keepsake.settle_memory();

create function keepsake.number_memory() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('keepsake.undoing', true) = 'on' and new.memory_no is not null then
    return new;
  end if;
  insert into keepsake.counters as c (user_id, name, value) values (new.user_id, 'memory_no', 1)
    on conflict (user_id, name, period_start) do update set value = c.value + 1
    returning c.value into new.memory_no;
  return new;
end
$$;
comment on function keepsake.number_memory() is 'Gives a new memory its person''s next number.';
revoke all on function keepsake.number_memory() from public, anon, authenticated;
create trigger keepsake_10_number before insert on public.user_memory
  for each row execute function keepsake.number_memory();

create function keepsake.hold_pin() returns trigger
language plpgsql set search_path = '' as $$
begin
  if current_setting('keepsake.undoing', true) is distinct from 'on' then
    new.expires_at := null;
  end if;
  return new;
end
$$;
comment on function keepsake.hold_pin() is 'What a person pins no longer runs out, unless they say when in the same breath.';
revoke all on function keepsake.hold_pin() from public, anon, authenticated;
create trigger keepsake_06_hold_pin before update of pinned on public.user_memory
  for each row when (new.pinned and not old.pinned and new.expires_at is not distinct from old.expires_at)
  execute function keepsake.hold_pin();
