-- What a person writes directly (an edit through REST, a persona, a profile) is screened before a model sees it. Until
-- then it is listed here; a rejected edit is undone, and stays listed until a context has told the person.
--
-- More readers of the session settings, as the table in change_log lists them:
--
-- | setting                         | set by                               | read by                                |
-- | ------------------------------- | ------------------------------------ | -------------------------------------- |
-- | keepsake.operation_id           |                                      | mark_unscreened: that of the edit      |
-- | keepsake.implied_operation_id   |                                      | mark_unscreened: the same              |

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create table keepsake.unscreened_edits (
  user_id uuid not null,
  memory_id uuid not null,
  operation_id uuid not null,
  is_new boolean not null default false,
  rejection text constraint unscreened_edits_rejection
    check (rejection in ('secret', 'instruction', 'financial_amount', 'bad_characters', 'bad_length')),
  edited_at timestamptz not null default clock_timestamp(),
  primary key (user_id, memory_id, operation_id),
  constraint unscreened_edits_memory foreign key (user_id, memory_id)
    references public.user_memory (user_id, id) on delete cascade
);
comment on table keepsake.unscreened_edits is 'Edits of a person that were not screened yet, and rejected ones that no context has mentioned yet; ids only.';
comment on column keepsake.unscreened_edits.is_new is 'Whether the edit created the memory.';
comment on column keepsake.unscreened_edits.rejection is 'Why the edit was undone; null: not screened yet.';
revoke all on keepsake.unscreened_edits from public, anon, authenticated;
grant select, insert, update, delete on keepsake.unscreened_edits to service_role;

create function keepsake.mark_unscreened() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into keepsake.unscreened_edits (user_id, memory_id, operation_id, is_new)
  values (new.user_id, new.id, coalesce(nullif(current_setting('keepsake.operation_id', true), ''),
    nullif(current_setting('keepsake.implied_operation_id', true), ''))::uuid, tg_op = 'INSERT')
  on conflict do nothing;
  return null;
end
$$;
comment on function keepsake.mark_unscreened() is 'Lists what a person wrote directly; it runs after log_change, which names the operation.';
revoke all on function keepsake.mark_unscreened() from public, anon, authenticated;
create trigger keepsake_55_mark_new_unscreened after insert on public.user_memory
  for each row when (new.source = 'seeded_profile'
    -- One or two words of letters are a name.
    and new.memory_text !~ '^(Name is|Goes by|Pronouns are) [[:alpha:]/''’.-]{1,30}( [[:alpha:]''’.-]{1,30})?$')
  execute function keepsake.mark_unscreened();
create trigger keepsake_55_mark_unscreened after update of memory_text, persona_id on public.user_memory
  for each row when (current_setting('role', true) = 'authenticated'
    and (new.memory_text, new.persona_id) is distinct from (old.memory_text, old.persona_id))
  execute function keepsake.mark_unscreened();

create function keepsake.reject_edit(person uuid, edit keepsake.unscreened_edits, rejection text) returns boolean
language plpgsql set search_path = '' as $$
declare
  undo_id uuid;
  explanation text := 'the edit was rejected: ' || reject_edit.rejection;
begin
  if not edit.is_new then
    begin
      undo_id := (keepsake.undo(person, edit.operation_id, 'system') ->> 'operation_id')::uuid;
      update keepsake.changes as c set reason = explanation where c.operation_id = undo_id and c.user_id = person;
      return true;
    exception when sqlstate 'PT404' or sqlstate 'PT409' or sqlstate 'PT410' then
      null;  -- what was before cannot come back
    end;
  end if;
  undo_id := keepsake.begin_operation('system', explanation);
  update public.user_memory as m set status = 'deleted' where m.user_id = person and m.id = edit.memory_id;
  perform keepsake.end_operation(undo_id, 1);
  return false;
end
$$;
comment on function keepsake.reject_edit(uuid, keepsake.unscreened_edits, text) is 'Undoes an edit with the reason; a new memory, or one whose text before cannot come back, is deleted. Returns whether it was undone.';
revoke all on function keepsake.reject_edit(uuid, keepsake.unscreened_edits, text) from public, anon, authenticated;
grant execute on function keepsake.reject_edit(uuid, keepsake.unscreened_edits, text) to service_role;
