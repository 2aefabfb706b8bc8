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

create function keepsake.touch_settings() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;
comment on function keepsake.touch_settings() is 'Says when the settings were last changed.';
revoke all on function keepsake.touch_settings() from public, anon, authenticated;
create trigger keepsake_05_touch before update on public.user_memory_settings
  for each row when (old.* is distinct from new.*) execute function keepsake.touch_settings();
