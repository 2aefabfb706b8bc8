-- A rejected edit costs its own text and no more: what the edit changed is written back, and what was changed beside it or
-- since stays. And whoever brings such a text back, it is screened again: the undo of a rejection was not where the
-- function undo-operation did it, which runs as the service.
--
-- More readers of the session settings, as the table in change_log lists them:
--
-- | setting                         | set by                               | read by                                |
-- | ------------------------------- | ------------------------------------ | -------------------------------------- |
-- | keepsake.actor                  |                                      | mark_unscreened: reject_edit or others |
-- | keepsake.operation_id           |                                      | mark_restored: that of the restoration |
-- | keepsake.implied_operation_id   |                                      | mark_restored: the same                |

set local lock_timeout = '10s';  -- fail rather than block the host's traffic

create or replace function keepsake.mark_unscreened() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if current_setting('keepsake.actor', true) = 'system' then
    return null;  -- a text from before a rejected edit
  end if;
  insert into keepsake.unscreened_edits (user_id, memory_id, operation_id)
  values (new.user_id, new.id, coalesce(nullif(current_setting('keepsake.operation_id', true), ''),
    nullif(current_setting('keepsake.implied_operation_id', true), ''))::uuid)
  on conflict do nothing;
  return null;
end
$$;
comment on function keepsake.mark_unscreened() is 'Lists what a person wrote directly, or brought back; it runs after log_change, which names the operation.';
create or replace function keepsake.mark_restored() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into keepsake.unscreened_edits (user_id, memory_id, operation_id)
  select new.user_id, new.id, coalesce(nullif(current_setting('keepsake.operation_id', true), ''),
    nullif(current_setting('keepsake.implied_operation_id', true), ''))::uuid
  where not exists (
    select from keepsake.unscreened_edits as e
    where e.user_id = new.user_id and e.memory_id = new.id and e.rejection is null
  )
  on conflict do nothing;
  return null;
end
$$;
drop trigger keepsake_55_mark_unscreened on public.user_memory;
create trigger keepsake_55_mark_unscreened after update of memory_text, persona_id on public.user_memory
  for each row when ((new.memory_text, new.persona_id) is distinct from (old.memory_text, old.persona_id))
  execute function keepsake.mark_unscreened();

create or replace function keepsake.reject_edit(person uuid, edit keepsake.unscreened_edits, rejection text) returns boolean
language plpgsql set search_path = '' as $$
declare
  operation uuid := keepsake.begin_operation('system', 'the edit was rejected: ' || reject_edit.rejection);
  touched bigint;
begin
  -- Where another memory has the key by now, this one does not come back.
  update public.user_memory as m set memory_text = b.memory_text, persona_id = b.persona_id,
    confidence_score = b.confidence_score, source = b.source, source_quote = b.source_quote, memory_key = b.memory_key,
    value = b.value, doubted_at = coalesce(m.doubted_at, b.doubted_at),
    status = case when m.status = 'active' and exists (
      select from public.user_memory as o
      where o.user_id = m.user_id and o.profile_id = m.profile_id and o.persona_id is not distinct from b.persona_id
        and o.memory_key = b.memory_key and o.status = 'active' and o.id <> m.id
    ) then 'deleted' else m.status end
  from (
    select r.* from keepsake.changes as c
    cross join lateral jsonb_populate_record(null::public.user_memory, c.before) as r
    where c.user_id = person and c.table_name = 'user_memory' and c.row_id = edit.memory_id
      and c.operation_id = edit.operation_id and c.before is not null
    order by c.seq limit 1
  ) as b
  where m.user_id = person and m.id = edit.memory_id
    and (m.memory_text, m.persona_id) is distinct from (b.memory_text, b.persona_id);
  get diagnostics touched = row_count;
  if touched = 0 then
    update public.user_memory as m set status = 'deleted'
    where m.user_id = person and m.id = edit.memory_id and m.status <> 'deleted';
  end if;
  perform keepsake.end_operation(operation, 1);
  return touched > 0;
end
$$;
comment on function keepsake.reject_edit(uuid, keepsake.unscreened_edits, text) is 'Writes back what an edit changed, with the reason; a memory whose text before is not known is deleted. Returns whether the text before came back.';
alter table keepsake.unscreened_edits drop column is_new;
